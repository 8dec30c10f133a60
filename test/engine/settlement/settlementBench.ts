import type { ExecutionType } from '../../../engine/core/offer.ts'
import type { PassReport } from '../../../engine/settlement/pass.ts'
import type { QueuedSwap } from '../../../engine/store/settlementQueue.ts'
import { createFakeEvidence } from '../../support/fakeEvidence.ts'
import { createFakeVenue, type FakeVenueOptions } from '../../support/fakeVenue.ts'
import { type Executed, type MoneyBench, startMoneyBench } from '../../support/moneyBench.ts'
import { createTestClock, createTestEngine, type TestEngine, type TestEngineOptions } from '../../support/testEngine.ts'

/** A toy venue's swaps, executed with a partner's key, that nobody asks for. */

export const PARTNER = 'partner-1'
const KEYED = { tier: 'selfServe', partnerId: PARTNER } as const
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const INTERVAL = 5 * MINUTE

export type SettlementBench = MoneyBench & {
  /** Lets the next pass's time come, and runs it. */
  pass(afterMs?: number): Promise<PassReport | null>
  queued(swap: Executed): Promise<QueuedSwap | null>
  /** What the partner was told, in order. */
  told(): Promise<readonly string[]>
}

const closers: (() => Promise<void>)[] = []

/** To be called after each test. */
export const closeBenches = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close()
}

export const startSettlementBench = async (
  kind: ExecutionType = 'DEPOSIT',
  options: FakeVenueOptions = {},
  change: Parameters<typeof startMoneyBench>[2] = {},
): Promise<SettlementBench> => {
  const bench = await startMoneyBench(kind, options, { caller: KEYED, ...change })
  closers.push(async () => {
    await bench.engine.settlement.stop()
    await bench.close()
  })
  const { store, engine } = bench
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
  }
}

/** The same without the money: chains and venues as a test brings them. */
export const startJob = async (options: TestEngineOptions): Promise<TestEngine> => {
  const clock = options.clock ?? createTestClock()
  const engine = await createTestEngine({
    evidence: createFakeEvidence(),
    caller: KEYED,
    venues: [createFakeVenue('toy', { kind: 'DEPOSIT', now: clock.now })],
    ...options,
    clock,
  })
  closers.push(() => engine.engine.settlement.stop())
  return engine
}
