import type { Chains } from '../../chains/chains.ts'
import { parseAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import type { SealedOffer } from '../../core/swap.ts'
import type { SwapState, SwapStatus } from '../../core/swapStatus.ts'
import type { StatusTracker } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { CowApi } from './api.ts'
import { findUid, type Tracked } from './findUid.ts'
import type { OrderUid } from './gpv2Order.ts'
import { type CowNetwork, ETH_FLOW } from './network.ts'
import { isOwnOrder } from './ownOrder.ts'
import type { WireOrder, WireTrade } from './wire.ts'

const status = (state: SwapState, venueStatus: string | null, known: Partial<SwapStatus> = {}): SwapStatus => ({
  deliveredAmount: null,
  txHash: null,
  ...known,
  state,
  venueStatus,
})

const NOT_FOUND = status('not_found', null)

/** The least the contract lets a fill deliver: the signed minimum. */
const leastOf = ({ offer, executed }: Tracked): bigint =>
  executed?.execution.slippage?.guaranteedMin ?? offer.slippage?.guaranteedMin ?? 1n

/**
 * A fill is believed once a settlement shows it in full: the contract makes it impossible to deliver less than the signed
 * minimum, so a fill told to be smaller, or shown by no trade, leaves the swap open.
 */
const filled = (found: WireOrder, trades: readonly WireTrade[], uid: OrderUid, tracked: Tracked): SwapStatus => {
  const own = trades.filter((trade) => trade.orderUid.toLowerCase() === uid)
  const traded = own.reduce((sum, trade) => sum + BigInt(trade.buyAmount), 0n)
  const told = found.status === 'fulfilled' ? found.executedBuyAmount : undefined
  const deliveredAmount = parseAmount(told ?? traded.toString())
  const least = leastOf(tracked)
  if (deliveredAmount === null || deliveredAmount < least || traded < least) return status('processing', found.status)
  return status('success', found.status, { deliveredAmount, txHash: own.find((trade) => trade.txHash)?.txHash ?? null })
}

/** What CoW's refunder asks of an order by default: crates/refunder/src/arguments.rs in cowprotocol/services. */
const REFUNDED_FROM_BPS = 190n

const TAKE_IT_BACK = `the minimum is less than ${REFUNDED_FROM_BPS} bps below the quote, so CoW may not return the coins by itself: anyone can, by invalidateOrder of EthFlow ${ETH_FLOW}`

/** The refunder measures from the price before the partner fee. */
const isRefundedByItself = (tracked: Tracked): boolean => {
  const { outputAmount, fee } = tracked.offer
  const quoted = outputAmount + fee.amount
  return (quoted - leastOf(tracked)) * 10_000n >= quoted * REFUNDED_FROM_BPS
}

/** An order that can no longer be filled. Only a native coin had left the wallet, so only there a refund is owed. */
const ended = (found: WireOrder, tracked: Tracked): SwapStatus => {
  const txHash = found.ethflowData?.refundTxHash ?? null
  if (!isNative(tracked.order.input)) return status('failed', found.status)
  if (txHash) return status('refunded', found.status, { txHash })
  if (found.status === 'cancelled') return status('failed', found.status)
  return status('expired', isRefundedByItself(tracked) ? found.status : `${found.status} (${TAKE_IT_BACK})`)
}

/** GET /orders/{uid}/status, which only refines `open`: when it cannot be had, `open` still stands. */
const phaseOf = async (api: CowApi, uid: OrderUid, signal: AbortSignal): Promise<string> => {
  try {
    return (await api.orderPhase(uid, signal)).type
  } catch (error) {
    if (error instanceof VenueError) return 'open'
    throw error
  }
}

const open = async (found: WireOrder, api: CowApi, uid: OrderUid, tracked: Tracked, signal: AbortSignal): Promise<SwapStatus> => {
  const phase = await phaseOf(api, uid, signal)
  switch (phase) {
    case 'open':
    case 'scheduled':
    case 'active':
    case 'solved':
      return status('pending', phase)
    case 'executing':
      return status('processing', phase)
    case 'traded':
      return filled({ ...found, status: phase }, await api.trades(uid, signal), uid, tracked)
    case 'cancelled':
      // The order itself is still open by the venue's books: the next look decides.
      return status('processing', phase)
    default:
      return status('unknown', phase)
  }
}

const toStatus = async (
  found: WireOrder,
  api: CowApi,
  uid: OrderUid,
  tracked: Tracked,
  signal: AbortSignal,
): Promise<SwapStatus> => {
  const placementError = found.onchainOrderData?.placementError ?? null
  // An order the book would not take from the chain is never filled; its coins wait in the contract.
  if (isNative(tracked.order.input) && placementError !== null) return ended({ ...found, status: placementError }, tracked)
  switch (found.status) {
    case 'presignaturePending':
      return status('pending', found.status)
    case 'open':
      return open(found, api, uid, tracked, signal)
    case 'fulfilled':
      return filled(found, await api.trades(uid, signal), uid, tracked)
    case 'cancelled':
    case 'expired':
      return ended(found, tracked)
    default:
      return status('unknown', found.status)
  }
}

export type TrackerPorts = {
  readonly chains: Pick<Chains, 'transactionReceipt'>
  bookOf(swap: SealedOffer): { readonly network: CowNetwork; readonly api: CowApi }
}

export const createTracker = ({ chains, bookOf }: TrackerPorts): StatusTracker => ({
  track: async (ref, tracked, signal) => {
    const { network, api } = bookOf(tracked)
    const sought = await findUid(ref, tracked, { network, chains, signal })
    if (sought === 'stranger') return NOT_FOUND
    // Nothing was placed and nothing was taken but the gas.
    if (sought === 'reverted') return status('failed', null)
    const found = await api.order(sought, signal)
    // An order placed on chain is in the book only once its transaction is mined and indexed.
    if (!found) return isNative(tracked.order.input) ? status('pending', null) : NOT_FOUND
    return (await isOwnOrder(found, sought, tracked, network)) ? toStatus(found, api, sought, tracked, signal) : NOT_FOUND
  },
})
