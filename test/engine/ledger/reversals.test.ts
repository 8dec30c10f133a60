import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SwapState } from '../../../engine/core/swapStatus.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import { proveBalance } from '../../../engine/ledger/proveBalance.ts'
import type { Store } from '../../../engine/store/store.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { createMemoryStore, type MemoryStore } from '../../support/memoryStore.ts'
import { done, LEAST, PAID_IN } from '../../support/moneyBench.ts'
import { aNewSwap, anExecutedSwap, aPayment } from '../../support/storedSwap.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { CUSTODY, deliverAll, FEE_BPS, QUOTED, settled, startFeeBench, toldOf } from './feeBench.ts'

const BOOKED = [`debit venue:toy ${QUOTED}`, `credit partner:p1 ${QUOTED}`]
const REVERSED = [`credit venue:toy ${QUOTED}`, `debit partner:p1 ${QUOTED}`]

/** A store with one swap that has a fee, and what changes it. */
const withSwap = async (store: MemoryStore = createMemoryStore(createTestClock())) => {
  const swap = await anExecutedSwap()
  const fee = { bps: FEE_BPS, amount: QUOTED as typeof swap.offer.fee.amount }
  const withFee = { ...swap, offer: { ...swap.offer, fee }, feeCustody: CUSTODY.ofOutput }
  const { id } = await store.swaps.add(await aNewSwap({ partnerId: 'p1', ref: null, swap: withFee }))
  const earned = async () => (await store.ledger.balancesOf('p1'))[0]?.earned ?? 0n
  return { store, id, earned, ...createLifecycle(store) }
}

describe('a fee that was booked', () => {
  it('is taken back by an entry against it when the delivery turns out to be another swap’s, and booked again with its own [fee-reversed]', async () => {
    const bench = await startFeeBench()
    const [first, second] = [await bench.execute(), await bench.execute({ amount: PAID_IN + 1n })] as const
    for (const swap of [first, second]) bench.pay(swap, swap.record.swap.order.inputAmount, { standing: 'final' })
    const [ofFirst, ofSecond] = [deliverAll(bench, first), deliverAll(bench, second)] as const
    bench.saysOf(first, statusOf('success', done(ofSecond)))
    expect(await bench.stateOf(first)).toBe('success')
    const booked = { key: `swap:${first.id}`, kind: 'fee', lines: BOOKED }
    expect(await toldOf(bench, first)).toEqual([booked])
    bench.saysOf(first, statusOf('success', done(ofFirst)))
    expect(await bench.stateOf(second)).toBe('success')
    expect((await bench.kept(first)).status.state).toBe('processing')
    const reversed = { key: `swap:${first.id}:reversal`, kind: 'reversal', lines: REVERSED }
    expect(await toldOf(bench, first)).toEqual([booked, reversed])
    expect(await bench.stateOf(first)).toBe('success')
    const again = { key: `swap:${first.id}:again:1`, kind: 'fee', lines: BOOKED }
    expect(await toldOf(bench, first)).toEqual([booked, reversed, again])
    expect((await toldOf(bench, second)).map(({ kind }) => kind)).toEqual(['fee'])
  })

  it('is as often booked as its swap settles, less as often as that is taken back', async () => {
    const { store, id, earned, transition } = await withSwap()
    const where = aPayment(1, { amount: 1_000_000n })
    for (let round = 1; round <= 3; round += 1) {
      await store.payments.claim(id, [{ ...where, isFinal: true }])
      for (let i = 0; i < 2; i += 1) await transition(id, statusOf('success'), null)
      expect(await earned()).toBe(QUOTED)
      for (let i = 0; i < 2; i += 1) await transition(id, statusOf('processing'), null, { takesBackEnd: true, drops: where })
      expect(await earned()).toBe(0n)
    }
    expect((await store.ledger.ofSwap(id)).map(({ key }) => key.replace(`swap:${id}`, ''))).toEqual([
      '',
      ':reversal',
      ':again:1',
      ':again:1:reversal',
      ':again:2',
      ':again:2:reversal',
    ])
    expect(await proveBalance(store)).toMatchObject({ isBalanced: true, entries: 6 })
  })

  it('is booked once by two that end the swap at once', async () => {
    const { store, id, earned, transition, setFinal } = await withSwap()
    await store.payments.claim(id, [aPayment(1, { amount: 1_000_000n, isFinal: true })])
    await Promise.all([
      ...[1, 2, 3].map(() => transition(id, statusOf('success'), null)),
      ...[1, 2, 3].map(() => setFinal(id, aPayment(1))),
    ])
    expect(await earned()).toBe(QUOTED)
    expect(await store.ledger.ofSwap(id)).toHaveLength(1)
  })

  it('stands or falls with the end, whichever write of the two fails', async () => {
    const { store, id, transition } = await withSwap()
    await store.payments.claim(id, [aPayment(1, { amount: 1_000_000n, isFinal: true })])
    for (const step of ['success', 'processing', 'success'] as const) {
      const before = [(await store.swaps.byId(id))?.status.state, (await store.ledger.ofSwap(id)).length]
      const isBack = step === 'processing'
      // Every call in turn, until none is left that could fail.
      for (let failing = 0; ; failing += 1) {
        let calls = 0
        store.fails = () => calls++ === failing
        const isDone = await transition(id, statusOf(step), null, { takesBackEnd: isBack }).then(
          () => true,
          () => false,
        )
        store.fails = () => false
        if (isDone && calls <= failing) break
        expect(isDone).toBe(false)
        expect([(await store.swaps.byId(id))?.status.state, (await store.ledger.ofSwap(id)).length]).toEqual(before)
      }
      expect((await store.swaps.byId(id))?.status.state).toBe(step)
      expect(await store.ledger.ofSwap(id)).toHaveLength((before[1] as number) + 1)
    }
  })
})

type Step =
  | { readonly do: 'pay'; readonly order: string | null; readonly log: number; readonly isFinal: boolean }
  | { readonly do: 'end'; readonly state: SwapState }
  | { readonly do: 'takeBack'; readonly log: number | null }
  | { readonly do: 'setFinal'; readonly log: number }
  | { readonly do: 'dropExtra'; readonly log: number }
  | { readonly do: 'settleExtras' }

const LOGS = 4
const log = fc.integer({ min: 0, max: LOGS - 1 })
const STATES = ['pending', 'processing', 'success', 'expired', 'refunded', 'failed'] as const
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('pay' as const), order: fc.constantFrom(null, null, 'order-9'), log, isFinal: fc.boolean() }),
    fc.record({ do: fc.constant('end' as const), state: fc.constantFrom('success' as const, ...STATES) }),
    fc.record({ do: fc.constant('takeBack' as const), log: fc.option(log) }),
    fc.record({ do: fc.constant('setFinal' as const), log }),
    fc.record({ do: fc.constant('dropExtra' as const), log }),
    fc.constant({ do: 'settleExtras' } as const),
  ),
  { maxLength: 24 },
)

/** Each log in a transaction of its own. */
const payment = (at: number, rest: Parameters<typeof aPayment>[1] = {}) => {
  const txHash = `0x${String(at).padStart(64, '0')}` as ReturnType<typeof aPayment>['txHash']
  return aPayment(at, { txHash, place: `${txHash}/log:${at}`, ...rest })
}

const take = async (step: Step, { store, id, ...lifecycle }: Awaited<ReturnType<typeof withSwap>>): Promise<void> => {
  switch (step.do) {
    case 'pay':
      await store.payments.claim(id, [payment(step.log, { isFinal: step.isFinal, orderId: step.order })])
      return
    case 'end':
      await lifecycle.transition(id, statusOf(step.state), null)
      return
    case 'takeBack': {
      const drops = step.log === null ? {} : { drops: payment(step.log) }
      await lifecycle.transition(id, statusOf('processing'), null, { takesBackEnd: true, ...drops })
      return
    }
    case 'setFinal':
      return lifecycle.setFinal(id, payment(step.log))
    case 'dropExtra': {
      const own = (await store.payments.ofSwap(id)).find((one) => one.txHash === payment(step.log).txHash)
      return own && own.orderId !== null ? lifecycle.dropExtra(id, own) : undefined
    }
    case 'settleExtras':
      return lifecycle.settleExtras(id)
  }
}

describe('whatever becomes of a swap', () => {
  it('the ledger balances, and holds one fee of what stands for good and none of what does not', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const swap = await withSwap()
        const { store, id, earned } = swap
        for (const step of all) {
          await take(step, swap)
          expect((await proveBalance(store as Store)).problems).toEqual([])
          const entries = await store.ledger.ofSwap(id)
          for (const orderId of [null, 'order-9']) {
            const of = entries.filter(({ document }) => document['orderId'] === orderId)
            const stands = of.filter(({ kind }) => kind === 'fee').length - of.filter(({ kind }) => kind === 'reversal').length
            expect([0, 1]).toContain(stands)
            const outputs = (await store.payments.ofSwap(id)).filter((one) => one.orderId === orderId)
            const isSuccess = orderId !== null || (await store.swaps.byId(id))?.status.state === 'success'
            if (stands === 1) expect([isSuccess, outputs.length > 0]).toEqual([true, true])
          }
          const standing =
            entries.filter(({ kind }) => kind === 'fee').length - entries.filter(({ kind }) => kind === 'reversal').length
          expect(await earned()).toBe(BigInt(standing) * QUOTED)
        }
        await store.close()
      }),
      { numRuns: 150, seed: 12 },
    )
  }, 60_000)
})

it('a swap that settled is not booked by what comes after', async () => {
  const bench = await startFeeBench()
  const { swap } = await settled(bench)
  bench.pay(swap, LEAST, { standing: 'final' })
  bench.pass(600_000)
  for (let i = 0; i < 3; i += 1) expect(await bench.stateOf(swap)).toBe('success')
  expect(await toldOf(bench, swap)).toHaveLength(1)
})
