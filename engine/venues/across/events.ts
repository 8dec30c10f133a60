import type { SeenTransaction } from '../../chains/seen.ts'
import { SOLANA } from '../../core/chain.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { SwapEvents } from '../venue.ts'
import { evmDeposits } from './evmDeposits.ts'
import { evmFills } from './evmFills.ts'
import { named } from './named.ts'
import { readOwnDeposit } from './ownDeposit.ts'
import type { Pinned } from './published.ts'
import { refundsIn } from './refunds.ts'
import { solanaDeposits, solanaFills } from './solanaEvents.ts'

/**
 * Payments, refunds and deliveries by the events of Across's own contracts: `FundsDeposited` and `FilledRelay` of the SpokePools,
 * and on Solana the calls of their program. An order id is `<number of its chain at Across>:<deposit id>`.
 */
export const createEvents = (pinned: Pinned): SwapEvents => {
  /** The deposit of a swap whose transaction is of this chain; null otherwise. */
  const ownIn = async ({ isSuccess, chainId }: SeenTransaction, swap: ExecutedSwap, end: 'input' | 'output') =>
    isSuccess && chainId === swap.order[end].chainId ? readOwnDeposit(swap) : null
  return {
    inputs: async (seen, swap) => {
      const own = await ownIn(seen, swap, 'input')
      if (own === null) return []
      return seen.chainId === SOLANA ? solanaDeposits(seen, own) : evmDeposits(seen, own, pinned)
    },
    outputs: async (seen, swap, orderIds) => {
      const own = await ownIn(seen, swap, 'output')
      return own === null ? [] : (seen.chainId === SOLANA ? solanaFills : evmFills)(seen, own, { swap, orderIds, pinned })
    },
    refunds: async (seen, swap) => {
      const own = await ownIn(seen, swap, 'input')
      return own === null ? [] : refundsIn(seen, own, { refundTo: swap.binding.refundTo, pinned })
    },
    named: (seen) => named(seen, pinned),
  }
}
