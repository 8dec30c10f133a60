import { ChainError, type Chains, type TransactionReceipt } from '../../chains/chains.ts'
import { type EvmChainId, isEvmChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap, SealedOffer } from '../../core/swap.ts'
import type { SwapState, SwapStatus } from '../../core/swapStatus.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'

/** A swap as a tracker sees it; `executed` null: our record of it is gone. */
export type Tracked = SealedOffer & { readonly executed: ExecutedSwap | null }

export const swapStatus = (
  state: SwapState,
  venueStatus: string | null,
  known: Partial<Pick<SwapStatus, 'deliveredAmount' | 'txHash'>> = {},
): SwapStatus => ({ deliveredAmount: null, txHash: null, ...known, state, venueStatus })

/** The ref is none of this swap's, or nobody at the venue knows it. */
export const NOT_FOUND: SwapStatus = swapStatus('not_found', null)

/** Tells a raw status that the venue documents from one it does not. */
export const isOneOf =
  <const T extends string>(documented: readonly T[]) =>
  (status: string): status is T =>
    documented.some((each) => each === status)

export type ReceiptPorts = { readonly chains: Pick<Chains, 'transactionReceipt'>; readonly signal: AbortSignal }

/** Null while the transaction is not mined, or when the chain cannot be asked: the venue's word is then all there is. */
export const receiptOrNull = async (
  chainId: EvmChainId,
  hash: TransactionId,
  { chains, signal }: ReceiptPorts,
): Promise<TransactionReceipt | null> => {
  try {
    return await chains.transactionReceipt({ chainId, hash: hash as string as Hex }, signal)
  } catch (error) {
    if (error instanceof ChainError) return null
    throw error
  }
}

/** Whether the swap's own transaction failed on its EVM chain: the venue then never hears of it. */
export const hasReverted = async (
  ref: string,
  { order, execution: { payload } }: ExecutedSwap,
  ports: ReceiptPorts,
): Promise<boolean> => {
  const { chainId } = order.input
  const hash = parseTransactionId(chainId, ref)
  if (payload.executionType !== 'TRANSACTION' || !isEvmChainId(chainId) || hash === null) return false
  const receipt = await receiptOrNull(chainId, hash, ports)
  const isOwn = receipt?.from === order.sender.toLowerCase() && receipt.to === payload.transaction.to.toLowerCase()
  return isOwn && !receipt.isSuccess
}
