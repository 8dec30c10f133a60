import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { SwapState } from '../../../engine/core/swapStatus.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import { proveAtStart } from '../../../engine/ledger/proveAtStart.ts'
import { proveBalance } from '../../../engine/ledger/proveBalance.ts'
import { type AnyEvent, levelOf } from '../../../engine/observe/observe.ts'
import { keptAtVenue } from '../../../engine/venues/kit/feeCustody.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { isOverPostgres } from '../../support/postgres/ownDatabase.ts'
import { aNewSwap, anEntry, anExecutedSwap, aPayment } from '../../support/storedSwap.ts'
import { startStore } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

const FEE = 10_000n
/** A payment of the swap below, whose fee is one per cent. */
const FINAL = aPayment(1, { amount: 1_000_000n, isFinal: true })

const aSwapWithFee = async () => {
  const swap = await anExecutedSwap()
  const fee = { bps: 100, amount: toAmount(FEE) }
  return { ...swap, offer: { ...swap.offer, fee }, feeCustody: keptAtVenue('venueAccount', 'output') }
}

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
    (await ledger.balancesOf(partnerId)).map(({ token, earned, paid }) => `${token} ${earned} ${paid}`)
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
    expect(await sumsOf('p1')).toEqual([`0xa ${HUGE - 3n} 4`, '0xb 10 0', '0x0 10 0', '0x0 10 0'])
    expect([await sumsOf('p2'), await sumsOf('p3')]).toEqual([['0xa -10 0'], []])
    expect(await proveBalance(store)).toMatchObject({ isBalanced: true, entries: 7 })
  })

  it('include each entry once when two processes book at once, and none that was booked outside of a transaction', async () => {
    const { open, store, book, sumsOf } = await start()
    const other = await open()
    const there = (at: number) => other.transaction(({ ledger }) => ledger.book(anEntry(`other${at}`, 'p1')))
    await Promise.all(Array.from({ length: 12 }, (_, at) => (at % 2 ? book('p1') : there(at))))
    expect(await there(0)).toBe(false)
    await expect(store.ledger.book(anEntry('alone', 'p1'))).rejects.toThrow(TypeError)
    expect(await sumsOf('p1')).toEqual(['0xa 120 0'])
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

/** Three swaps, each with one fee: the entry n with its two lines. */
const withFees = async () => {
  const stage = await startStore()
  const { swaps, payments, store } = stage
  const swap = await aSwapWithFee()
  for (const at of [1, 2, 3]) {
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
    const { store, place } = await withFees()
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
    const { store, place } = await withFees()
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

const withSwap = async () => {
  const store = createMemoryStore(createTestClock())
  const { id } = await store.swaps.add(await aNewSwap({ partnerId: 'p1', ref: null, swap: await aSwapWithFee() }))
  const earned = async () => (await store.ledger.balancesOf('p1'))[0]?.earned ?? 0n
  const stateOf = async () => (await store.swaps.byId(id))?.status.state
  return { store, id, earned, stateOf, ...createLifecycle(store) }
}

describe('a booked fee', () => {
  it('is booked once for each end of its swap, and reversed once for each reopening, also by concurrent calls', async () => {
    const { store, id, earned, transition, setFinal } = await withSwap()
    for (let round = 1; round <= 3; round += 1) {
      await store.payments.claim(id, [FINAL])
      const ends = [1, 2, 3].flatMap(() => [transition(id, statusOf('success'), null), setFinal(id, FINAL)])
      await Promise.all<unknown>(ends)
      expect(await earned()).toBe(FEE)
      const reopening = { takesBackEnd: true, drops: FINAL }
      await Promise.all([1, 2].map(() => transition(id, statusOf('processing'), null, reopening)))
      expect(await earned()).toBe(0n)
    }
    const keys = ['', ':reversal', ':again:1', ':again:1:reversal', ':again:2', ':again:2:reversal']
    expect((await store.ledger.ofSwap(id)).map(({ key }) => key.replace(`swap:${id}`, ''))).toEqual(keys)
    expect(await proveBalance(store)).toMatchObject({ isBalanced: true, entries: 6 })
  })

  it('is stored with the state of its swap or not at all, whichever write fails', async () => {
    const { store, id, stateOf, transition } = await withSwap()
    await store.payments.claim(id, [FINAL])
    const stored = async () => [await stateOf(), (await store.ledger.ofSwap(id)).length] as const
    for (const step of ['success', 'processing', 'success'] as const) {
      const before = await stored()
      for (let failing = 0; ; failing += 1) {
        let calls = 0
        store.fails = () => calls++ === failing
        const [ended] = await Promise.allSettled([transition(id, statusOf(step), null, { takesBackEnd: step === 'processing' })])
        const isDone = ended.status === 'fulfilled'
        store.fails = () => false
        if (isDone && calls <= failing) break
        expect([isDone, await stored()]).toEqual([false, before])
      }
      expect(await stored()).toEqual([step, before[1] + 1])
    }
  })
})

/** Each log in a transaction of its own. */
const payment = (at: number, rest: Parameters<typeof aPayment>[1] = {}) => {
  const txHash = `0x${String(at).padStart(64, '0')}` as ReturnType<typeof aPayment>['txHash']
  return aPayment(at, { txHash, place: `${txHash}/log:${at}`, amount: 1_000_000n, ...rest })
}

const steps = fc.record({
  act: fc.constantFrom('pay', 'end', 'reopen', 'final', 'dropExtra', 'settleExtras'),
  at: fc.integer({ min: 0, max: 3 }),
  orderId: fc.constantFrom(null, null, 'order-9'),
  isFinal: fc.boolean(),
  drops: fc.boolean(),
  state: fc.constantFrom<SwapState>('success', 'pending', 'processing', 'success', 'expired', 'refunded', 'failed'),
})

it('the ledger balances after any order of events, with one fee for each final delivery and none for others', async () => {
  const anyOrder = fc.asyncProperty(fc.array(steps, { maxLength: 24 }), async (events) => {
    const { store, id, earned, stateOf, transition, setFinal, dropExtra, settleExtras } = await withSwap()
    for (const { act, at, orderId: of, isFinal, drops, state } of events) {
      const reopening = { takesBackEnd: true, ...(drops && { drops: payment(at) }) }
      const acts = {
        pay: () => store.payments.claim(id, [payment(at, { isFinal, orderId: of })]),
        end: () => transition(id, statusOf(state), null),
        reopen: () => transition(id, statusOf('processing'), null, reopening),
        final: () => setFinal(id, payment(at)),
        dropExtra: async () => {
          const own = (await store.payments.ofSwap(id)).find((one) => one.txHash === payment(at).txHash)
          if (own && own.orderId !== null) await dropExtra(id, own)
        },
        settleExtras: () => settleExtras(id),
      }
      await acts[act]()
      expect((await proveBalance(store)).problems).toEqual([])
      const entries = await store.ledger.ofSwap(id)
      let standing = 0
      for (const orderId of [null, 'order-9']) {
        const own = entries.filter(({ document }) => document['orderId'] === orderId)
        const booked = own.filter(({ kind }) => kind === 'fee').length - own.filter(({ kind }) => kind === 'reversal').length
        standing += booked
        expect([0, 1]).toContain(booked)
        if (booked === 0) continue
        expect(orderId !== null || (await stateOf()) === 'success').toBe(true)
        expect((await store.payments.ofSwap(id)).some((one) => one.orderId === orderId)).toBe(true)
      }
      expect((await earned()) === 0n).toBe(standing === 0)
    }
    await store.close()
  })
  await fc.assert(anyOrder, { numRuns: isOverPostgres() ? 5 : 150, seed: 12 })
}, 60_000)
