import { onTestFinished } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { ExecutionType } from '../../../engine/core/offer.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { PassReport } from '../../../engine/settlement/pass.ts'
import type { QueuedSwap } from '../../../engine/store/settlementQueue.ts'
import { createFakeEvidence } from '../../support/fakeEvidence.ts'
import { addressFor, createFakeVenue, type FakeVenueOptions } from '../../support/fakeVenue.ts'
import type { MemoryStore } from '../../support/memoryStore.ts'
import { done, type Executed, type MoneyBench, startMoneyBench } from '../../support/moneyBench.ts'
import { aNewSwap, anExecutedSwap } from '../../support/storedSwap.ts'
import { createTestClock, createTestEngine, type TestEngine, type TestEngineOptions } from '../../support/testEngine.ts'

/** A toy venue's swaps, executed with a partner's key, that no client polls. */

export const PARTNER = 'partner-1'
const KEYED = { tier: 'selfServe', partnerId: PARTNER } as const
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const INTERVAL = 5 * MINUTE

export type SettlementBench = MoneyBench & {
  /** Runs the next pass at its time. */
  pass(afterMs?: number): Promise<PassReport | null>
  queued(swap: Executed): Promise<QueuedSwap | null>
  /** The events of the partner, in order. */
  told(): Promise<readonly string[]>
  /** The stored state. */
  stored(swap: Executed): Promise<string>
  /** Lets the chains show the payment of a swap, and the venue report its delivery. */
  settle(swap: Executed): void
}

export const startSettlementBench = async (
  kind: ExecutionType = 'DEPOSIT',
  options: FakeVenueOptions = {},
  change: Parameters<typeof startMoneyBench>[2] = {},
): Promise<SettlementBench> => {
  const bench = await startMoneyBench(kind, options, { caller: KEYED, ...change })
  const { store, engine } = bench
  onTestFinished(async () => {
    await engine.settlement.stop()
    await bench.close()
  })
  if ((await store.partners.byId(PARTNER)) === null)
    await store.partners.add({ id: PARTNER, kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, null)
  return {
    ...bench,
    pass: (afterMs = INTERVAL) => {
      bench.pass(afterMs)
      return engine.settlement.runOnce()
    },
    queued: ({ id }) => store.settlement.find(id),
    told: async () => (await store.partnerEvents.ofPartner(PARTNER, { afterPlace: 0, limit: 100 })).map(({ event }) => event),
    stored: async (swap) => (await bench.kept(swap)).status.state,
    settle: (swap) => {
      bench.pay(swap)
      bench.says('success', done(bench.deliver(swap)))
    },
  }
}

/** A paid and delivered swap that no pass has read. */
export const delivered = async (change: Parameters<typeof startMoneyBench>[2] = {}) => {
  const on = await startSettlementBench('DEPOSIT', {}, change)
  const swap = await on.execute()
  on.settle(swap)
  return { on, swap }
}

/** Another instance over the same records and chains. */
export const beside = (on: SettlementBench) => startSettlementBench('DEPOSIT', {}, { from: on, chain: on.chain })

/** The same without the money, for chains and venues of the test. */
export const startJob = async (options: TestEngineOptions): Promise<TestEngine> => {
  const clock = options.clock ?? createTestClock()
  const engine = await createTestEngine({
    evidence: createFakeEvidence(),
    caller: KEYED,
    venues: [createFakeVenue('toy', { kind: 'DEPOSIT', now: clock.now })],
    ...options,
    clock,
  })
  onTestFinished(() => engine.engine.settlement.stop())
  return engine
}

export const depositOf = (number: number) => addressFor('evm', `deposit ${number}`)

type Many = { readonly venue?: string; readonly isPaid?: (number: number) => boolean; readonly from?: number }

/** Stores and queues open swaps of a venue by number, each with its own deposit address. Returns their ids. */
export const storeSwaps = async (
  store: MemoryStore,
  count: number,
  { venue = 'toy', isPaid = () => false, from = 0 }: Many = {},
): Promise<readonly number[]> => {
  const like = await anExecutedSwap()
  const fresh = await aNewSwap({ partnerId: PARTNER, executedBy: PARTNER })
  const swapOf = (number: number): ExecutedSwap => {
    const deposit = { chainId: 1, address: depositOf(number), amount: toAmount(1_000_000n) } as const
    const execution = { ...like.execution, payload: { executionType: 'DEPOSIT', deposit } as const }
    return { ...like, offer: { ...like.offer, venue }, execution }
  }
  return store.transaction(async (parts) => {
    const ids: number[] = []
    for (let number = from; number < from + count; number += 1) {
      const own = { quoteId: `${venue} ${number}`, ref: depositOf(number), swap: swapOf(number) }
      const { id, createdAt } = await parts.swaps.add({ ...fresh, ...own })
      await parts.settlement.add({ swapId: id, isPaid: isPaid(number), dueAt: createdAt })
      ids.push(id)
    }
    return ids
  })
}
