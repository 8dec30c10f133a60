import { ChainError, type Chains, type TransactionReceipt } from '../../chains/chains.ts'
import { isNative } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap, SealedOffer } from '../../core/swap.ts'
import { placedUids } from './ethFlow.ts'
import { isOwnedBy, ORDER_UID, type OrderUid } from './gpv2Order.ts'
import { type CowNetwork, ETH_FLOW } from './network.ts'

export type Tracked = SealedOffer & { readonly executed: ExecutedSwap | null }

type Sources = { readonly network: CowNetwork; readonly chains: Pick<Chains, 'transactionReceipt'>; readonly signal: AbortSignal }

/** The order to ask for; or that the ref is none of this swap's, or a transaction that placed nothing. */
export type Sought = OrderUid | 'stranger' | 'reverted'

const TX_HASH = /^0x[0-9a-fA-F]{64}$/

/** Reads a UID with or without its network in front. */
const uidIn = (ref: string | null | undefined, { path }: CowNetwork): OrderUid | null => {
  const text = ref?.toLowerCase() ?? ''
  const uid = text.startsWith(`${path}:`) ? text.slice(path.length + 1) : text
  return ORDER_UID.test(uid) ? (uid as OrderUid) : null
}

/** Null while the transaction is not mined, or the chain cannot be asked: then the book's word is all there is. */
const receiptOf = async (hash: string, { network, chains, signal }: Sources): Promise<TransactionReceipt | null> => {
  try {
    return await chains.transactionReceipt({ chainId: network.chainId, hash: hash.toLowerCase() as Hex }, signal)
  } catch (error) {
    if (error instanceof ChainError) return null
    throw error
  }
}

/** What a transaction placed, by the contract's own events; a chain that keeps none still tells who called it. */
const byTransaction = async (hash: string, { order, offer, executed }: Tracked, sources: Sources): Promise<Sought> => {
  if (offer.executionType !== 'TRANSACTION') return 'stranger'
  const own = uidIn(executed?.execution.venueRef, sources.network)
  const receipt = await receiptOf(hash, sources)
  if (!receipt) return own ?? 'stranger'
  const isOwnCall = receipt.from === order.sender.toLowerCase() && receipt.to === ETH_FLOW.toLowerCase()
  if (!receipt.isSuccess) return isOwnCall ? 'reverted' : 'stranger'
  const placed = await placedUids(sources.network.chainId, receipt)
  if (placed.length === 0) return (isOwnCall && own) || 'stranger'
  return (own ? placed.find((uid) => uid === own) : placed[0]) ?? 'stranger'
}

/**
 * The order a ref stands for, if it can be this swap's: the UID itself, or the hash of the transaction that placed it. A
 * UID names its owner, so a stranger's is known without asking.
 */
export const findUid = async (ref: string, tracked: Tracked, sources: Sources): Promise<Sought> => {
  if (TX_HASH.test(ref)) return byTransaction(ref, tracked, sources)
  const { order, executed } = tracked
  const own = uidIn(executed?.execution.venueRef, sources.network)
  const uid = uidIn(ref, sources.network)
  if (!uid || (own && uid !== own)) return 'stranger'
  return isOwnedBy(uid, isNative(order.input) ? ETH_FLOW : order.sender) ? uid : 'stranger'
}
