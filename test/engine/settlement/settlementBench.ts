import { onTestFinished } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { ExecutionType } from '../../../engine/core/offer.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import { addressFor, type FakeVenueOptions } from '../../support/fakeVenue.ts'
import { anEvent } from '../../support/hookStage.ts'
import type { MemoryStore } from '../../support/memoryStore.ts'
import { done, type Executed, startMoneyBench } from '../../support/moneyBench.ts'
import { aNewSwap, anExecutedSwap } from '../../support/storedSwap.ts'

/** A toy venue's swaps, executed with a partner's key, that no client polls. */

export const PARTNER = 'partner-1'
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const INTERVAL = 5 * MINUTE

type Change = Parameters<typeof startMoneyBench>[2]

export const startBench = async (kind: ExecutionType = 'DEPOSIT', options: FakeVenueOptions = {}, change?: Change) => {
  const bench = await startMoneyBench(kind, options, { caller: { tier: 'selfServe', partnerId: PARTNER }, ...change })
  const { store, engine } = bench
  onTestFinished(async () => {
    await engine.settlement.stop()
    await bench.close()
  })
  if ((await store.partners.byId(PARTNER)) === null)
    await store.partners.add({ id: PARTNER, kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, null)
  const feed = () => store.partnerEvents.ofPartner(PARTNER, { afterPlace: 0, limit: 100 })
  return {
    ...bench,
    /** Runs the next pass at its time. */
    pass: (afterMs = INTERVAL) => {
      bench.pass(afterMs)
      return engine.settlement.runOnce()
    },
    addEvent: (change?: Parameters<typeof anEvent>[1]) => store.partnerEvents.add(anEvent(PARTNER, change)),
    queued: ({ id }: Executed) => store.settlement.find(id),
    feed,
    /** The events of the partner, in order. */
    told: async () => (await feed()).map(({ event }) => event),
    stored: async (swap: Executed) => (await bench.kept(swap)).status.state,
    /** The chain shows a delivery, and the venue reports it. */
    succeeds: (swap: Executed) => {
      const hash = bench.deliver(swap)
      bench.says('success', done(hash))
      return hash
    },
  }
}
export type SettlementBench = Awaited<ReturnType<typeof startBench>>

/** A paid swap that the venue reports as processing, and that no pass has read. */
export const paid = async (...given: Parameters<typeof startBench>) => {
  const on = await startBench(...given)
  const swap = await on.execute()
  on.pay(swap)
  on.says('processing')
  return { on, swap }
}

/** The same, delivered. */
export const delivered = async (...given: Parameters<typeof startBench>) => {
  const { on, swap } = await paid(...given)
  return { on, swap, hash: on.succeeds(swap) }
}

/** Another instance over the same records and chains. */
export const beside = (on: SettlementBench) => startBench('DEPOSIT', {}, { from: on, chain: on.chain })

export const depositOf = (number: number) => addressFor('evm', `deposit ${number}`)

type Many = { readonly venue?: string; readonly isPaid?: (number: number) => boolean }

/** Stores and queues open swaps of a venue by number, each with its own deposit address. Returns their ids. */
export const storeSwaps = async (
  store: MemoryStore,
  count: number,
  { venue = 'toy', isPaid = () => false }: Many = {},
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
    for (let number = 0; number < count; number += 1) {
      const own = { quoteId: `${venue} ${number}`, ref: depositOf(number), swap: swapOf(number) }
      const { id, createdAt } = await parts.swaps.add({ ...fresh, ...own })
      await parts.settlement.add({ swapId: id, isPaid: isPaid(number), dueAt: createdAt })
      ids.push(id)
    }
    return ids
  })
}
