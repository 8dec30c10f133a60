import type { SeenTransaction } from '../../chains/seen.ts'
import { SOLANA } from '../../core/chain.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { evmDeposits } from './evmDeposits.ts'
import { evmFills } from './evmFills.ts'
import { named } from './named.ts'
import { readOwnDeposit } from './ownDeposit.ts'
import { refundsIn } from './refunds.ts'
import { solanaDeposits, solanaFills } from './solanaEvents.ts'

const inputs = async (seen: SeenTransaction, swap: ExecutedSwap): Promise<readonly InputEvent[]> => {
  if (!seen.isSuccess || seen.chainId !== swap.order.input.chainId) return []
  const own = await readOwnDeposit(swap)
  if (own === null) return []
  return seen.chainId === SOLANA ? solanaDeposits(seen, own) : evmDeposits(seen, own)
}

const outputs = async (
  seen: SeenTransaction,
  swap: ExecutedSwap,
  orderIds: readonly string[],
): Promise<readonly PayoutEvent[]> => {
  if (!seen.isSuccess || seen.chainId !== swap.order.output.chainId) return []
  const own = await readOwnDeposit(swap)
  if (own === null) return []
  return (seen.chainId === SOLANA ? solanaFills : evmFills)(seen, own, { swap, orderIds })
}

const refunds = async (seen: SeenTransaction, swap: ExecutedSwap): Promise<readonly PayoutEvent[]> => {
  if (!seen.isSuccess || seen.chainId !== swap.order.input.chainId) return []
  const own = await readOwnDeposit(swap)
  return own === null ? [] : refundsIn(seen, own, swap.binding.refundTo)
}

/**
 * Payments, refunds and deliveries by what Across's own contracts tell: `FundsDeposited` and `FilledRelay` of the SpokePools, and on
 * Solana the calls of their program. An order is known as `<number of its chain at Across>:<deposit id>`.
 */
export const events: SwapEvents = {
  inputs,
  outputs,
  refunds,
  named,
}
