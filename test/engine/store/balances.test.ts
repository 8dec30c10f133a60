import { describe, expect, it } from 'vitest'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import { proveAtStart } from '../../../engine/ledger/proveAtStart.ts'
import { proveBalance } from '../../../engine/ledger/proveBalance.ts'
import { type AnyEvent, levelOf } from '../../../engine/observe/observe.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { aNewSwap, anEntry, aPayment } from '../../support/storedSwap.ts'
import { startStore } from '../../support/storeStage.ts'
import { aSwapWithFee } from '../ledger/feeBench.ts'

const HUGE = 2n ** 200n

const start = async () => {
  const stage = await startStore()
  const { partners, ledger, transaction } = stage
  let entries = 0
  const book = (partnerId: string, wish: Parameters<typeof anEntry>[2] = {}) => {
    entries += 1
    const entry = anEntry(`e${entries}`, partnerId, wish)
    return transaction((parts) => parts.ledger.book(entry))
  }
  for (const id of ['p1', 'p2', 'p3']) await partners.add({ id, kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
  const sumsOf = async (partnerId: string) =>
    (await ledger.balancesOf(partnerId)).map(({ token, earned, paid }) => [token, earned, paid])
  return { ...stage, book, sumsOf }
}

describe('balances', () => {
  it('are earnings less reversals, and payouts, by ecosystem, chain and token, of any size', async () => {
    const { store, book, sumsOf } = await start()
    await book('p1', { amount: HUGE })
    await book('p1', { kind: 'reversal', side: 'debit', amount: 3n })
    await book('p1', { kind: 'payout', side: 'debit', amount: 4n })
    for (const other of [{ ecosystem: 'solana', token: '0x0' }, { chainId: 10, token: '0x0' }, { token: '0xb' }] as const)
      await book('p1', other)
    await book('p2', { kind: 'reversal', side: 'debit' })
    const ofFirst = [
      ['0xa', HUGE - 3n, 4n],
      ['0xb', 10n, 0n],
      ['0x0', 10n, 0n],
      ['0x0', 10n, 0n],
    ]
    expect([await sumsOf('p1'), await sumsOf('p2'), await sumsOf('p3')]).toEqual([ofFirst, [['0xa', -10n, 0n]], []])
    expect(await proveBalance(store)).toMatchObject({ isBalanced: true, entries: 7 })
  })

  it('include no entry that was undone, booked twice or booked outside of a transaction', async () => {
    const { store, book, sumsOf } = await start()
    await book('p1')
    const undone = store.transaction(async ({ ledger }) => {
      await ledger.book(anEntry('undone', 'p1'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await store.transaction(({ ledger }) => ledger.book(anEntry('e1', 'p1')))).toBe(false)
    await expect(store.ledger.book(anEntry('alone', 'p1'))).rejects.toThrow(TypeError)
    expect(await sumsOf('p1')).toEqual([['0xa', 10n, 0n]])
  })

  it('are right when two processes book at once', async () => {
    const { open, store, book, sumsOf } = await start()
    const other = await open()
    const there = (at: number) => other.transaction(({ ledger }) => ledger.book(anEntry(`other${at}`, 'p1')))
    await Promise.all(Array.from({ length: 12 }, (_, at) => (at % 2 ? book('p1') : there(at))))
    expect(await sumsOf('p1')).toEqual([['0xa', 120n, 0n]])
    expect(await proveBalance(store)).toMatchObject({ isBalanced: true, entries: 12 })
  })

  it('of all partners come in pages of whole partners', async () => {
    const { ledger, book } = await start()
    for (const partnerId of ['p3', 'p1']) for (const token of ['0xa', '0xb']) await book(partnerId, { token })
    const page = async (after: string | null) =>
      (await ledger.balances(after, 1)).map(({ partnerId, token }) => `${partnerId} ${token}`)
    expect([await page(null), await page('p1'), await page('p3')]).toEqual([['p1 0xa', 'p1 0xb'], ['p3 0xa', 'p3 0xb'], []])
  })
})

/** So many swaps, each with one fee: the entry n with its two lines. */
const withFees = async (count: number) => {
  const stage = await startStore()
  const { swaps, payments, store } = stage
  const swap = await aSwapWithFee()
  for (let at = 0; at < count; at += 1) {
    const { id } = await swaps.add(await aNewSwap({ bindingKey: `${at}`, ref: null, swap }))
    await payments.claim(id, [aPayment(at, { amount: 1_000_000n, isFinal: true })])
    await createLifecycle(store).transition(id, statusOf('success'), null)
  }
  return stage
}

describe('the proof of the ledger', () => {
  it('passes for a ledger of two pages', async () => {
    const { store } = await startStore()
    await store.transaction(async ({ ledger }) => {
      for (let at = 0; at < 501; at += 1) await ledger.book(anEntry(`e${at}`, 'p1'))
    })
    expect(await proveBalance(store)).toEqual({ isBalanced: true, entries: 501, problemCount: 0, problems: [] })
  })

  it.each([
    ['a changed amount', `UPDATE ledger_lines SET amount = '10001' WHERE id = 3`, /differ by 1 of/],
    ['an amount of 0', `UPDATE ledger_lines SET amount = '0' WHERE entry_id = 2`, /an amount or a side/],
    ['an unknown side', `UPDATE ledger_lines SET side = 'left' WHERE id = 3`, /an amount or a side/],
    ['missing lines', 'DELETE FROM ledger_lines WHERE entry_id = 2', /has no lines/],
    ['another token on one side', `UPDATE ledger_lines SET token = 'x' WHERE id = 3`, /differ by/],
    ['an unknown kind', `UPDATE ledger_entries SET kind = 'gift' WHERE id = 2`, /no known kind/],
    ['a fee of another partner', `UPDATE ledger_lines SET account = 'partner:x' WHERE id = 4`, /credits partner:x, and its/],
    ['a swap that did not succeed', `UPDATE swaps SET state = 'refunded' WHERE id = 2`, /of a swap that is refunded/],
  ])('finds an entry with %s [ledger-balances]', async (_, spoil, what) => {
    const { store, place } = await withFees(3)
    await place.change(spoil)
    const { isBalanced, entries, problems, problemCount } = await proveBalance(store)
    const ofEntries = problems.filter(({ entryId }) => entryId !== null)
    const found = { entryId: 2, key: 'swap:2', what: expect.stringMatching(what) }
    expect([isBalanced, entries, ofEntries, problemCount]).toEqual([false, 3, [found], problems.length])
  })

  it.each([
    ['another sum', `UPDATE ledger_balances SET earned = '21' WHERE`, /^is kept as 21 earned, 0 paid, .* come to 20 and 0$/],
    ['a later last line', 'UPDATE ledger_balances SET last_line = last_line - 2 WHERE', /^is kept as 20 .* come to 10 and 0$/],
    ['no row', `DELETE FROM ledger_balances WHERE token = '0xa' AND`, /^is not kept, and its lines come to 20 and 0$/],
  ])('finds a stored balance with %s [ledger-balances]', async (what, spoil, says) => {
    const { place, store, book } = await start()
    for (const partnerId of ['p2', 'p1', 'p1']) await book(partnerId)
    if (what === 'no row') await book('p1', { token: '0xb' })
    await place.change(`${spoil} partner_id = 'p1'`)
    const { isBalanced, problems } = await proveBalance(store)
    const found = { entryId: null, key: 'partner:p1 evm 1 0xa', what: expect.stringMatching(says) }
    expect([isBalanced, problems]).toEqual([false, [found]])
  })

  it('is logged at the start as an error where it fails, and never rejects', async () => {
    const { store, place } = await withFees(3)
    const logged = async (signal = new AbortController().signal) => {
      const events: AnyEvent[] = []
      await proveAtStart(store, (event) => void events.push(event), signal)
      return events.map((event) => [levelOf(event), event])
    }
    expect(await logged()).toEqual([['info', { event: 'ledger.proved', balanced: true, entries: 3, problems: 0 }]])
    await place.change('DELETE FROM ledger_lines WHERE entry_id = 2; DELETE FROM ledger_balances')
    expect(await logged()).toEqual([
      ['error', { event: 'ledger.proved', balanced: false, entries: 3, problems: 1 }],
      ['error', { event: 'ledger.mismatch', entryId: 2, key: 'swap:2', what: 'has no lines' }],
    ])
    expect(await logged(AbortSignal.abort())).toEqual([])
    await place.change('ALTER TABLE ledger_lines RENAME TO gone')
    expect(await logged()).toMatchObject([['warn', { event: 'ledger.unproved' }]])
  })
})
