import { parseEvmAddress } from '../../core/address.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { SwapState, VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { isOneOf, NOT_FOUND, swapStatus, type Tracked } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import type { DebridgeClient } from './client.ts'
import { readHandedOut } from './decode.ts'
import { orderIdOf } from './dlnOrder.ts'
import { bytesOf } from './protocol.ts'
import type { Pinned } from './published.ts'
import type { TrackedOrder } from './wire.ts'

/** dln-details/integration-guidelines/order-states of docs.debridge.com; its diagram and the vendor's skills have two more. */
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
      // Without a transaction it is unproved.
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

/** Until the transaction is mined and indexed. */
const UNSEEN_MS_MAX = 120_000

const unseen = ({ offer: { expiresAt } }: Tracked, now: number): VenueWord =>
  swapStatus(expiresAt !== null && now < expiresAt + UNSEEN_MS_MAX ? 'pending' : 'not_found', null)

/** Bound of checked orders per transaction: a bundle may hold orders of other users. */
const ORDERS_MAX = 8

/** Follows an order by its id, or by the transaction that made it. */
export const createTracker = (
  client: Pick<DebridgeClient, 'order' | 'ordersOf'>,
  clock: Clock,
  pinned: Pinned,
): StatusTracker => {
  const read = async (orderId: string, signal: AbortSignal): Promise<TrackedOrder | null> => {
    const order = await client.order(orderId, signal)
    return order?.orderId.stringValue?.toLowerCase() === orderId ? order : null
  }

  /**
   * A contract wallet lets another account send its transaction, which gives the order another id. The order's fields and that
   * maker identify it among the transaction's orders.
   */
  const readMadeFor = async (hash: string, { executed }: Tracked, signal: AbortSignal): Promise<TrackedOrder | null> => {
    if (executed?.execution.payload.executionType !== 'TRANSACTION') return null
    const { made } = await readHandedOut(executed.execution, pinned)
    for (const orderId of (await client.ordersOf(hash, signal)).slice(0, ORDERS_MAX)) {
      const order = await read(orderId, signal)
      const maker = parseEvmAddress((order?.makerSrc?.stringValue ?? '').toLowerCase())
      if (order !== null && maker !== null && orderIdOf(made, bytesOf(made.giveChain, maker)) === orderId) return order
    }
    return null
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
      const other = hash === null || !isEvmChainId(chainId) ? null : await readMadeFor(hash, swap, signal)
      if (other !== null) return toWord(other)
      return order === null ? unseen(swap, clock.now()) : NOT_FOUND
    },
  }
}
