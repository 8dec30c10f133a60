import { parseAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import type { SealedOffer } from '../../core/swap.ts'
import type { SwapStatus, VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { NOT_FOUND, swapStatus, type Tracked } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { BookAccess, CowClient } from './client.ts'
import { isOwnOrder } from './ownOrder.ts'
import { isOwnedBy, ORDER_UID, type OrderUid } from './protocol.ts'
import { type CowNetwork, familyOf } from './published.ts'
import { tradeShape, type WireOrder, type WireTrade } from './wire.ts'

/** Reads a UID with or without its network prefix. */
const uidIn = (ref: string | null | undefined, { path }: CowNetwork): OrderUid | null => {
  const text = ref?.toLowerCase() ?? ''
  const uid = text.startsWith(`${path}:`) ? text.slice(path.length + 1) : text
  return ORDER_UID.test(uid) ? (uid as OrderUid) : null
}

/**
 * The order of a ref, if it can be this swap's: the UID itself, or the hash of a transaction that placed our order. A UID names
 * its owner, so that of an unrelated owner is rejected without a call.
 */
const findUid = (ref: string, { order, offer, executed }: Tracked, network: CowNetwork): OrderUid | null => {
  const own = uidIn(executed?.execution.venueRef, network)
  if (offer.executionType === 'TRANSACTION')
    return own !== null && (parseTransactionId(network.chainId, ref) !== null || uidIn(ref, network) === own) ? own : null
  const uid = uidIn(ref, network)
  return uid !== null && (own === null || uid === own) && isOwnedBy(uid, order.sender) ? uid : null
}

/** The least delivery that the contract allows: the signed minimum. */
const leastOf = ({ offer, executed }: Tracked): bigint =>
  executed?.execution.slippage?.guaranteedMin ?? offer.slippage?.guaranteedMin ?? 1n

/** The book's report of an order. `phase`: null where the order is not open; `trades`: its own, once it is filled. */
type Told = { readonly found: WireOrder; readonly phase: string | null; readonly trades: readonly WireTrade[] }

/**
 * A fill counts once a settlement shows it in full: the contract cannot deliver less than the signed minimum. A fill that is
 * reported smaller, or that no trade shows, leaves the swap open.
 */
const filled = ({ found, phase, trades }: Told, tracked: Tracked): SwapStatus => {
  const venueStatus = phase ?? found.status
  const traded = trades.reduce((sum, trade) => sum + BigInt(trade.buyAmount), 0n)
  const told = phase === null ? found.executedBuyAmount : null
  const deliveredAmount = parseAmount(told ?? traded.toString())
  const least = leastOf(tracked)
  if (deliveredAmount === null || deliveredAmount < least || traded < least) return swapStatus('processing', venueStatus)
  return swapStatus('success', venueStatus, { deliveredAmount, txHash: trades.find((trade) => trade.txHash)?.txHash ?? null })
}

/** The refunder's default condition for an order: crates/refunder/src/arguments.rs in cowprotocol/services. */
const REFUNDED_FROM_BPS = 190n

const takeItBack = ({ executed }: Tracked): string => {
  const payload = executed?.execution.payload
  return `the minimum is less than ${REFUNDED_FROM_BPS} bps below the quote, so CoW may not return the coins by itself: anyone can, by invalidateOrder of EthFlow ${payload?.executionType === 'TRANSACTION' ? payload.transaction.to : ''}`
}

/** The refunder measures from the price before the partner fee. */
const isRefundedByItself = (tracked: Tracked): boolean => {
  const { outputAmount, fee } = tracked.offer
  const quoted = outputAmount + fee.amount
  return (quoted - leastOf(tracked)) * 10_000n >= quoted * REFUNDED_FROM_BPS
}

/** An order that can no longer be filled. Only native coins had left the wallet, so only they are owed. */
const ended = ({ status, ethflowData }: WireOrder, tracked: Tracked): SwapStatus => {
  const txHash = ethflowData?.refundTxHash ?? null
  if (!isNative(tracked.order.input)) return swapStatus('failed', status)
  if (txHash) return swapStatus('refunded', status, { txHash })
  if (status === 'cancelled') return swapStatus('failed', status)
  return swapStatus('expired', isRefundedByItself(tracked) ? status : `${status} (${takeItBack(tracked)})`)
}

/** By its phase, a separate status that only refines `open`. */
const judgeOpen = (told: Told & { readonly phase: string }, tracked: Tracked): SwapStatus => {
  const { phase } = told
  switch (phase) {
    case 'open':
    case 'scheduled':
    case 'active':
    case 'solved':
      return swapStatus('pending', phase)
    case 'executing':
      return swapStatus('processing', phase)
    case 'traded':
      return filled(told, tracked)
    case 'cancelled':
      // The order is still open by the venue's books: the next check decides.
      return swapStatus('processing', phase)
    default:
      return swapStatus('unknown', phase)
  }
}

const judge = (told: Told, tracked: Tracked): SwapStatus => {
  const { found, phase } = told
  if (phase !== null) return judgeOpen({ ...told, phase }, tracked)
  switch (found.status) {
    case 'presignaturePending':
      return swapStatus('pending', found.status)
    case 'fulfilled':
      return filled(told, tracked)
    case 'cancelled':
    case 'expired':
      return ended(found, tracked)
    default:
      return swapStatus('unknown', found.status)
  }
}

/** GET /orders/{uid}/status: without an answer, the status remains `open`. */
const phaseOf = async (client: CowClient, uid: OrderUid, signal: AbortSignal): Promise<string> => {
  try {
    return (await client.orderPhase(uid, signal)).type
  } catch (error) {
    if (error instanceof VenueError) return 'open'
    throw error
  }
}

const gather = async (found: WireOrder, uid: OrderUid, client: CowClient, signal: AbortSignal): Promise<Told> => {
  const phase = found.status === 'open' ? await phaseOf(client, uid, signal) : null
  const isFilled = found.status === 'fulfilled' || phase === 'traded'
  const rows = isFilled ? await client.trades(uid, signal) : []
  const trades = rows.flatMap((row) => tradeShape.readOrNull(row) ?? [])
  return { found, phase, trades: trades.filter(({ orderUid }) => orderUid.toLowerCase() === uid) }
}

/** The transaction that refunded an order's coins, where the book names it beside another. */
const refundOf = ({ ethflowData }: WireOrder): Pick<VenueWord, 'refundTx'> => ({ refundTx: ethflowData?.refundTxHash ?? null })

/** The status of an order whose contracts are unknown. */
const UNKNOWN_CONTRACTS = swapStatus('unknown', 'the order is for contracts that no VENUE_COW_ setting names any more')

export const createTracker = (bookOf: (swap: SealedOffer) => BookAccess): StatusTracker => ({
  track: async (ref, tracked, signal) => {
    const { network, client, families } = bookOf(tracked)
    const uid = findUid(ref, tracked, network)
    if (uid === null) return NOT_FOUND
    const { executed } = tracked
    const own = executed && familyOf(families, executed.execution.payload)
    if (executed && !own) return UNKNOWN_CONTRACTS
    const books = (own ? [own] : families).map((family) => ({ ...network, ...family }))
    const found = await client.order(uid, signal)
    // An order placed on chain is in the book only once its transaction is mined and indexed.
    if (!found) return isNative(tracked.order.input) ? swapStatus('pending', null) : NOT_FOUND
    if (!(await isOwnOrder(found, uid, tracked, books))) return NOT_FOUND
    const placementError = found.onchainOrderData?.placementError ?? null
    // An on-chain order that the book rejected is never filled; its coins wait in the contract.
    if (isNative(tracked.order.input) && placementError !== null) return ended({ ...found, status: placementError }, tracked)
    const word = judge(await gather(found, uid, client, signal), tracked)
    return word.state === 'refunded' ? word : { ...word, ...refundOf(found) }
  },
})
