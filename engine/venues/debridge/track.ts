import type { SwapState, VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { isOneOf, NOT_FOUND, swapStatus, type Tracked } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import type { DebridgeClient } from './client.ts'
import type { TrackedOrder } from './wire.ts'

/** dln-details/integration-guidelines/order-states of docs.debridge.com; the diagram there and the vendor's skills have two more. */
export const RAW_STATUSES = [
  'None',
  'Created',
  'Fulfilled',
  'SentUnlock',
  'ClaimedUnlock',
  'OrderCancelled',
  'SentOrderCancel',
  'SentOrderCancelled',
  'Cancelled',
  'ClaimedOrderCancel',
] as const

type RawStatus = (typeof RAW_STATUSES)[number]

const isRawStatus = isOneOf(RAW_STATUSES)

type Hashes = { readonly made: string | null; readonly filled: string | null; readonly back: string | null }

const hashesOf = (order: TrackedOrder): Hashes => {
  const { createdSrcEventMetadata: made, fulfilledDstEventMetadata: filled, claimedOrderCancelSrcEventInfo: back } = order
  return {
    made: made?.transactionHash?.stringValue ?? null,
    filled: filled?.transactionHash?.stringValue ?? null,
    back: back?.transactionMetadata?.transactionHash?.stringValue ?? null,
  }
}

const stateOf = (raw: RawStatus, { filled }: Hashes): SwapState => {
  switch (raw) {
    case 'None':
      return 'not_found'
    case 'Created':
      return 'processing'
    case 'Fulfilled':
    case 'SentUnlock':
    case 'ClaimedUnlock':
      // Without a transaction it is a claim.
      return filled === null ? 'processing' : 'success'
    case 'OrderCancelled':
    case 'SentOrderCancel':
    case 'SentOrderCancelled':
    case 'Cancelled':
      return 'expired'
    case 'ClaimedOrderCancel':
      return 'refunded'
  }
}

const toWord = (order: TrackedOrder): VenueWord => {
  const hashes = hashesOf(order)
  const state = isRawStatus(order.state) ? stateOf(order.state, hashes) : 'unknown'
  const paidBy = hashes.made === null ? {} : { paidBy: [hashes.made] }
  const txHash = state === 'success' ? hashes.filled : state === 'refunded' ? hashes.back : null
  return { ...swapStatus(state, order.state, { txHash }), ...paidBy }
}

/** How many orders of one transaction are looked at: a bundle may hold those of others. */
const ORDERS_MAX = 8

/** Follows an order by its id, or by the transaction that made it. */
export const createTracker = (client: Pick<DebridgeClient, 'order' | 'ordersOf'>): StatusTracker => {
  const read = async (orderId: string, signal: AbortSignal): Promise<TrackedOrder | null> => {
    const order = await client.order(orderId, signal)
    return order?.orderId.stringValue?.toLowerCase() === orderId ? order : null
  }

  /** A wallet that is a contract had somebody else send its transaction: the order then has another id than the one handed out. */
  const readAny = async (hash: string, signal: AbortSignal): Promise<TrackedOrder | null> => {
    const ids = await client.ordersOf(hash, signal)
    const [only, ...others] = ids.slice(0, ORDERS_MAX)
    return only !== undefined && others.length === 0 ? read(only, signal) : null
  }

  const ownIdOf = ({ executed }: Tracked): string | null => executed?.execution.venueRef ?? null

  return {
    track: async (text, swap, signal) => {
      const own = ownIdOf(swap)
      const { chainId } = swap.order.input
      const isOwn = text.toLowerCase() === own
      const hash = isOwn ? null : parseTransactionId(chainId, text)
      if (own === null || (!isOwn && hash === null)) return NOT_FOUND
      const order = await read(own, signal)
      const made = order && hashesOf(order).made
      const isPaidBy = hash === null || made === null || parseTransactionId(chainId, made) === hash
      if (order !== null && isPaidBy) return toWord(order)
      const other = hash === null ? null : await readAny(hash, signal)
      return other === null ? NOT_FOUND : toWord(other)
    },
  }
}
