import { toAmount } from '../../../engine/core/amount.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import { addressFor } from '../../support/fakeVenue.ts'
import type { MemoryStore } from '../../support/memoryStore.ts'
import { aNewSwap, anExecutedSwap } from '../../support/storedSwap.ts'
import { PARTNER } from './settlementBench.ts'

export const depositOf = (number: number) => addressFor('evm', `deposit ${number}`)

/** Open swaps of a venue, each with a deposit address of its own, told by its number; `isPaid`: known to be. Their ids. */
export const storeSwaps = async (
  store: MemoryStore,
  count: number,
  { venue = 'toy', isPaid = () => false, from = 0 }: { venue?: string; isPaid?: (number: number) => boolean; from?: number } = {},
): Promise<readonly number[]> => {
  const like = await anExecutedSwap()
  const fresh = await aNewSwap({ partnerId: PARTNER, executedBy: PARTNER })
  const swapOf = (number: number): ExecutedSwap => ({
    ...like,
    offer: { ...like.offer, venue },
    execution: {
      ...like.execution,
      payload: {
        executionType: 'DEPOSIT',
        deposit: { chainId: 1, address: depositOf(number), amount: toAmount(1_000_000n) },
      },
    },
  })
  return store.transaction(async (parts) => {
    const ids: number[] = []
    for (let number = from; number < from + count; number += 1) {
      const { id, createdAt } = await parts.swaps.add({
        ...fresh,
        quoteId: `${venue} ${number}`,
        ref: depositOf(number),
        swap: swapOf(number),
      })
      await parts.settlement.add({ swapId: id, isPaid: isPaid(number), dueAt: createdAt })
      ids.push(id)
    }
    return ids
  })
}
