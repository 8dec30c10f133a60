import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SwapState } from '../../../engine/core/swapStatus.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import { proveBalance } from '../../../engine/ledger/proveBalance.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { done, PAID_IN } from '../../support/moneyBench.ts'
import { aNewSwap, aPayment } from '../../support/storedSwap.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { aSwapWithFee, BOOKED, deliverAll, QUOTED, startFeeBench, toldOf } from './feeBench.ts'

/** A store with one swap that earns a fee, and its transitions. */
const withSwap = async () => {
  const store = createMemoryStore(createTestClock())
  const { id } = await store.swaps.add(await aNewSwap({ partnerId: 'p1', ref: null, swap: await aSwapWithFee() }))
  const earned = async () => (await store.ledger.balancesOf('p1'))[0]?.earned ?? 0n
  const stateOf = async () => (await store.swaps.byId(id))?.status.state
  return { store, id, earned, stateOf, ...createLifecycle(store) }
}

const FINAL = aPayment(1, { amount: 1_000_000n, isFinal: true })

describe('a booked fee', () => {
  it('is reversed when its delivery proves to be of another swap, and booked again by its own [fee-reversed]', async () => {
    const bench = await startFeeBench()
    const [first, second] = [await bench.execute(), await bench.execute({ amount: PAID_IN + 1n })] as const
    for (const swap of [first, second]) bench.pay(swap, swap.record.swap.order.inputAmount, { standing: 'final' })
    const [ofFirst, ofSecond] = [deliverAll(bench, first), deliverAll(bench, second)] as const
    bench.saysOf(first, statusOf('success', done(ofSecond)))
    expect(await bench.stateOf(first)).toBe('success')
    const booked = { key: '', kind: 'fee', lines: BOOKED }
    expect(await toldOf(bench, first)).toEqual([booked])
    bench.saysOf(first, statusOf('success', done(ofFirst)))
    expect([await bench.stateOf(second), (await bench.kept(first)).status.state]).toEqual(['success', 'processing'])
    const reversal = [`credit venue:toy ${QUOTED}`, `debit partner:p1 ${QUOTED}`]
    const reversed = { key: ':reversal', kind: 'reversal', lines: reversal }
    expect(await toldOf(bench, first)).toEqual([booked, reversed])
    expect(await bench.stateOf(first)).toBe('success')
    expect(await toldOf(bench, first)).toEqual([booked, reversed, { ...booked, key: ':again:1' }])
    expect((await toldOf(bench, second)).map(({ kind }) => kind)).toEqual(['fee'])
  })

  it('is booked once for each end of its swap, and reversed once for each reopening', async () => {
    const { store, id, earned, transition } = await withSwap()
    for (let round = 1; round <= 3; round += 1) {
      await store.payments.claim(id, [FINAL])
      for (let i = 0; i < 2; i += 1) await transition(id, statusOf('success'), null)
      expect(await earned()).toBe(QUOTED)
      for (let i = 0; i < 2; i += 1) await transition(id, statusOf('processing'), null, { takesBackEnd: true, drops: FINAL })
      expect(await earned()).toBe(0n)
    }
    const keys = ['', ':reversal', ':again:1', ':again:1:reversal', ':again:2', ':again:2:reversal']
    expect((await store.ledger.ofSwap(id)).map(({ key }) => key.replace(`swap:${id}`, ''))).toEqual(keys)
    expect(await proveBalance(store)).toMatchObject({ isBalanced: true, entries: 6 })
  })

  it('is booked once when several calls end the swap at once', async () => {
    const { store, id, earned, transition, setFinal } = await withSwap()
    await store.payments.claim(id, [FINAL])
    const ends = [1, 2, 3].flatMap(() => [transition(id, statusOf('success'), null), setFinal(id, aPayment(1))])
    await Promise.all<unknown>(ends)
    expect([await earned(), await store.ledger.ofSwap(id)]).toMatchObject([QUOTED, [{ kind: 'fee' }]])
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
        const ended = transition(id, statusOf(step), null, { takesBackEnd: step === 'processing' })
        const isDone = await ended.then(
          () => true,
          () => false,
        )
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
  return aPayment(at, { txHash, place: `${txHash}/log:${at}`, ...rest })
}

type Swap = Awaited<ReturnType<typeof withSwap>>
type Step = readonly [what: string, take: (swap: Swap) => Promise<unknown>]

const log = fc.integer({ min: 0, max: 3 })
const STATES: readonly SwapState[] = ['success', 'pending', 'processing', 'success', 'expired', 'refunded', 'failed']
const paid = fc.tuple(fc.constantFrom(null, null, 'order-9'), log, fc.boolean())

const dropExtraAt = async ({ store, id, dropExtra }: Swap, at: number): Promise<void> => {
  const own = (await store.payments.ofSwap(id)).find((one) => one.txHash === payment(at).txHash)
  if (own && own.orderId !== null) await dropExtra(id, own)
}

const step: fc.Arbitrary<Step> = fc.oneof(
  paid.map(([orderId, at, isFinal]): Step => {
    const claimed = [payment(at, { isFinal, orderId })]
    return [`pay ${orderId} ${at} ${isFinal}`, ({ store, id }) => store.payments.claim(id, claimed)]
  }),
  fc.constantFrom(...STATES).map((state): Step => [`end ${state}`, (swap) => swap.transition(swap.id, statusOf(state), null)]),
  fc.option(log).map((at): Step => {
    const how = { takesBackEnd: true, ...(at !== null && { drops: payment(at) }) }
    return [`reopen ${at}`, ({ id, transition }) => transition(id, statusOf('processing'), null, how)]
  }),
  log.map((at): Step => [`final ${at}`, ({ id, setFinal }) => setFinal(id, payment(at))]),
  log.map((at): Step => [`drop extra ${at}`, (swap) => dropExtraAt(swap, at)]),
  fc.constant<Step>(['settle extras', ({ id, settleExtras }) => settleExtras(id)]),
)

it('the ledger balances after any order of events, with one fee for each final delivery and none for others', async () => {
  const anyOrder = fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
    const swap = await withSwap()
    const { store, id, earned, stateOf } = swap
    for (const [, take] of steps) {
      await take(swap)
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
      expect(await earned()).toBe(BigInt(standing) * QUOTED)
    }
    await store.close()
  })
  await fc.assert(anyOrder, { numRuns: 150, seed: 12 })
}, 60_000)
