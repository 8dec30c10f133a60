import type { SeenTransaction } from '../../chains/seen.ts'
import { isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { evmDeposits } from './evmDeposits.ts'
import { evmFills } from './evmFills.ts'
import { named } from './named.ts'
import { type OwnDeposit, readOwnDeposit } from './ownDeposit.ts'
import { type OwnSolanaDeposit, readOwnSolanaDeposit } from './ownSolanaDeposit.ts'
import { refundsIn } from './refunds.ts'
import { solanaDeposits, solanaFills } from './solanaEvents.ts'

const ownOnSolana = async ({ execution: { payload } }: ExecutedSwap): Promise<OwnSolanaDeposit | null> =>
  payload.executionType === 'TRANSACTION' && payload.transaction.chainId === SOLANA
    ? readOwnSolanaDeposit(payload.transaction.data)
    : null

const ownOnEvm = async ({ execution: { payload }, order }: ExecutedSwap): Promise<OwnDeposit | null> =>
  payload.executionType === 'TRANSACTION' && isEvmChainId(payload.transaction.chainId)
    ? readOwnDeposit(payload.transaction, order.sender)
    : null

const inputs = async (seen: SeenTransaction, swap: ExecutedSwap): Promise<readonly InputEvent[]> => {
  if (!seen.isSuccess || seen.chainId !== swap.order.input.chainId) return []
  if (seen.chainId === SOLANA) {
    const own = await ownOnSolana(swap)
    return own === null ? [] : solanaDeposits(seen, own)
  }
  const own = await ownOnEvm(swap)
  return own === null ? [] : evmDeposits(seen, own)
}

const outputs = async (
  seen: SeenTransaction,
  swap: ExecutedSwap,
  orderIds: readonly string[],
): Promise<readonly PayoutEvent[]> => {
  if (!seen.isSuccess || seen.chainId !== swap.order.output.chainId) return []
  const own = (await ownOnSolana(swap))?.terms ?? (await ownOnEvm(swap))
  if (own === null) return []
  const isOrder = (originChainId: bigint, depositId: bigint): boolean => orderIds.includes(`${originChainId}:${depositId}`)
  return seen.chainId === SOLANA ? solanaFills(seen, own, { swap, isOrder }) : evmFills(seen, own, { swap, isOrder })
}

const refunds = async (seen: SeenTransaction, swap: ExecutedSwap): Promise<readonly PayoutEvent[]> => {
  if (!seen.isSuccess || seen.chainId !== swap.order.input.chainId) return []
  const own = (await ownOnSolana(swap))?.terms ?? (await ownOnEvm(swap))
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
