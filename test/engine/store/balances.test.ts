import { afterEach, describe, expect, it } from 'vitest'
import { proveBalance } from '../../../engine/ledger/proveBalance.ts'
import type { LedgerLine, NewLedgerEntry } from '../../../engine/store/ledger.ts'
import { PLACES } from '../../support/stores.ts'
import { createTestClock } from '../../support/testEngine.ts'

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const HUGE = 2n ** 200n
const AT = { ecosystem: 'evm', chainId: 1, token: '0xa' } as const

type Wish = Partial<Pick<LedgerLine, 'side' | 'amount' | 'token'>> & { readonly kind?: NewLedgerEntry['kind'] }

const entryOf = (key: string, partnerId: string, { kind = 'fee', side = 'credit', ...rest }: Wish): NewLedgerEntry => {
  const line = { ...AT, amount: 10n, ...rest }
  return {
    key,
    kind,
    swapId: null,
    // Of an extra payment: it needs no swap that succeeded.
    document: { orderId: 'o' },
    lines: [
      { account: 'payer', side: side === 'credit' ? 'debit' : 'credit', ...line },
      { account: `partner:${partnerId}`, side, ...line },
    ],
  }
}

describe.each(PLACES)('balances in %s', (_name, makePlace) => {
  const start = async () => {
    const place = await makePlace()
    closers.push(place.remove)
    const store = await place.open(createTestClock())
    closers.push(() => store.close())
    let entries = 0
    const book = (partnerId: string, wish: Wish = {}) => {
      entries += 1
      const entry = entryOf(`e${entries}`, partnerId, wish)
      return store.transaction(({ ledger }) => ledger.book(entry))
    }
    for (const id of ['p1', 'p2', 'p3'])
      await store.partners.add({ id, kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
    const sumsOf = async (partnerId: string) =>
      (await store.ledger.balancesOf(partnerId)).map(({ token, earned, paid }) => [token, earned, paid])
    return { place, store, book, sumsOf }
  }

  it('are what was earned less what was taken back, and what was paid, by token and in amounts of any size', async () => {
    const { store, book, sumsOf } = await start()
    await book('p1', { amount: HUGE })
    await book('p1', { kind: 'reversal', side: 'debit', amount: 3n })
    await book('p1', { kind: 'payout', side: 'debit', amount: 4n })
    await book('p1', { token: '0xb' })
    await book('p2', { kind: 'reversal', side: 'debit' })
    expect(await sumsOf('p1')).toEqual([
      ['0xa', HUGE - 3n, 4n],
      ['0xb', 10n, 0n],
    ])
    expect([await sumsOf('p2'), await sumsOf('p3')]).toEqual([[['0xa', -10n, 0n]], []])
    expect(await proveBalance(store)).toMatchObject({ isBalanced: true, entries: 5 })
  })

  it('are read without the lines that they are of', async () => {
    const { place, book, sumsOf } = await start()
    for (let i = 0; i < 3; i += 1) await book('p1')
    await place.change(`UPDATE ledger_lines SET amount = '7'`)
    expect(await sumsOf('p1')).toEqual([['0xa', 30n, 0n]])
    await book('p1')
    expect(await sumsOf('p1')).toEqual([['0xa', 40n, 0n]])
  })

  it('are of nothing that was undone, nor booked twice', async () => {
    const { store, book, sumsOf } = await start()
    await book('p1')
    const undone = store.transaction(async ({ ledger }) => {
      await ledger.book(entryOf('undone', 'p1', {}))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await store.transaction(({ ledger }) => ledger.book(entryOf('e1', 'p1', {})))).toBe(false)
    expect(await sumsOf('p1')).toEqual([['0xa', 10n, 0n]])
    await expect(store.ledger.book(entryOf('alone', 'p1', {}))).rejects.toThrow(TypeError)
  })

  it('are right however many book at once, from two processes', async () => {
    const { place, store, book, sumsOf } = await start()
    const other = await place.open(createTestClock())
    closers.push(() => other.close())
    const there = (at: number) => other.transaction(({ ledger }) => ledger.book(entryOf(`other${at}`, 'p1', {})))
    await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? book('p1') : there(at))))
    expect(await sumsOf('p1')).toEqual([['0xa', 200n, 0n]])
    expect(await proveBalance(store)).toMatchObject({ isBalanced: true, entries: 20 })
  })

  it('of all are told page by page, of each partner all at once', async () => {
    const { store, book } = await start()
    for (const partnerId of ['p3', 'p1']) for (const token of ['0xa', '0xb']) await book(partnerId, { token })
    const page = async (after: string | null, partners: number) =>
      (await store.ledger.balances(after, partners)).map(({ partnerId, token }) => `${partnerId} ${token}`)
    expect([await page(null, 1), await page('p1', 1), await page('p3', 1)]).toEqual([
      ['p1 0xa', 'p1 0xb'],
      ['p3 0xa', 'p3 0xb'],
      [],
    ])
  })

  it.each([
    ['is another sum', `UPDATE ledger_balances SET earned = '21'`, /^is kept as 21 earned, 0 paid, .* come to 20 and 0$/],
    ['says that more was paid', `UPDATE ledger_balances SET paid = '1' WHERE token = '0xa'`, /^is kept as 20 earned, 1 paid/],
    ['goes further than it does', 'UPDATE ledger_balances SET last_line = last_line - 2', /^is kept as 20 .* come to 10 and 0$/],
    ['is gone', `DELETE FROM ledger_balances WHERE token = '0xa'`, /^is not kept, and its lines come to 20 and 0$/],
  ])('the proof finds one that %s', async (_what, spoil, says) => {
    const { place, store, book } = await start()
    for (const partnerId of ['p2', 'p1', 'p1']) await book(partnerId)
    if (spoil.startsWith('DELETE')) await book('p1', { token: '0xb' })
    await place.change(`${spoil}${spoil.includes('WHERE') ? ' AND' : ' WHERE'} partner_id = 'p1'`)
    const { isBalanced, problems } = await proveBalance(store)
    expect([isBalanced, problems]).toEqual([
      false,
      [{ entryId: null, key: 'partner:p1 evm 1 0xa', what: expect.stringMatching(says) }],
    ])
  })
})
