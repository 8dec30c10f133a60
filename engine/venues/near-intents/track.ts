import { type Address, parseAddress } from '../../core/address.ts'
import { parseAmount } from '../../core/amount.ts'
import { ecosystemOf } from '../../core/chain.ts'
import type { Json } from '../../core/json.ts'
import type { ExecutedSwap, SealedOffer } from '../../core/swap.ts'
import type { SwapState, SwapStatus } from '../../core/swapStatus.ts'
import { jsonShape, ShapeError } from '../kit/jsonShape.ts'
import { VenueError } from '../venueError.ts'
import { isNameOf } from './assetId.ts'
import type { StatusResponse, SwapDetails } from './wire.ts'

/** What the tracker needs to see again. */
export type TrackingCarry = {
  readonly v: 1
  /** Epoch ms: the deadline that was asked for. The venue answers and signs a later one, the end of the address. */
  readonly depositBy: number
  /** In the venue's own spelling. */
  readonly depositAddress: string
}

const trackingCarry = jsonShape<TrackingCarry>('carry', {
  type: 'object',
  required: ['v', 'depositBy', 'depositAddress'],
  additionalProperties: false,
  properties: { v: { const: 1 }, depositBy: { type: 'integer', minimum: 0 }, depositAddress: { type: 'string', maxLength: 128 } },
})

export const readTrackingCarry = (carry: Json): TrackingCarry => {
  try {
    return trackingCarry.read(carry)
  } catch (error) {
    if (error instanceof ShapeError) throw new VenueError('badResponse', error.message, { cause: error })
    throw error
  }
}

/** GetExecutionStatusResponse.status of @defuse-protocol/one-click-sdk-typescript 0.1.25. */
export const RAW_STATUSES = [
  'PENDING_DEPOSIT',
  'KNOWN_DEPOSIT_TX',
  'INCOMPLETE_DEPOSIT',
  'PROCESSING',
  'SUCCESS',
  'REFUNDED',
  'FAILED',
] as const
type RawStatus = (typeof RAW_STATUSES)[number]

const isRawStatus = (status: string): status is RawStatus => (RAW_STATUSES as readonly string[]).includes(status)

const amountOf = (text: string | null | undefined): bigint => parseAmount(text) ?? 0n

const deliveryHash = ({ destinationChainTxHashes }: SwapDetails): string | null => destinationChainTxHashes?.at(-1)?.hash || null

/**
 * The venue has reported SUCCESS for swaps whose whole input it had sent back
 * (github.com/defuse-protocol/one-click-sdk-typescript/issues/20), so its word alone is not believed: there must be an
 * amount, some of the deposit that was not refunded, and where any of it was, a transaction on the destination chain.
 */
const isDelivered = (details: SwapDetails, inputAmount: bigint): boolean => {
  const deposited = amountOf(details.depositedAmount) || inputAmount
  const returned = amountOf(details.refundedAmount)
  const isAllReturned = returned > 0n && returned + amountOf(details.refundFee) >= deposited
  const isNamed = deliveryHash(details) !== null || returned === 0n
  return amountOf(details.amountOut) > 0n && isNamed && !isAllReturned
}

export type Moment = { readonly inputAmount: bigint; readonly isPastDeadline: boolean }

/** Our word for a raw status. One nobody has documented is `unknown`: it is polled on and never taken for an end. */
const stateOf = (status: string, details: SwapDetails, { inputAmount, isPastDeadline }: Moment): SwapState => {
  if (!isRawStatus(status)) return 'unknown'
  switch (status) {
    case 'PENDING_DEPOSIT':
      // An address that was never paid stays in this status for good.
      return isPastDeadline && amountOf(details.depositedAmount) === 0n ? 'expired' : 'pending'
    case 'INCOMPLETE_DEPOSIT':
      return isPastDeadline ? 'processing' : 'pending'
    case 'KNOWN_DEPOSIT_TX':
    case 'PROCESSING':
      return 'processing'
    case 'SUCCESS':
      return isDelivered(details, inputAmount) ? 'success' : 'processing'
    case 'REFUNDED':
      return 'refunded'
    case 'FAILED':
      return 'failed'
  }
}

export const toSwapStatus = (answer: StatusResponse, moment: Moment): SwapStatus => {
  const details = answer.swapDetails ?? {}
  const state = stateOf(answer.status, details, moment)
  const isSuccess = state === 'success'
  return {
    state,
    venueStatus: answer.status,
    deliveredAmount: isSuccess ? parseAmount(details.amountOut) : null,
    txHash: isSuccess ? deliveryHash(details) : null,
  }
}

export const NOT_FOUND: SwapStatus = { state: 'not_found', venueStatus: null, deliveredAmount: null, txHash: null }

/**
 * Whether the answer is about the swap that was sealed. The venue knows a swap by its deposit address alone, and
 * anybody can ask for any address. Without our record of the execution the addresses bound to it are not known, and
 * amount and assets must do; an answer without its quote then proves nothing.
 */
export const isSameSwap = (
  { quoteResponse }: StatusResponse,
  ref: Address,
  { order, executed }: SealedOffer & { readonly executed: ExecutedSwap | null },
): boolean => {
  if (!quoteResponse) return executed !== null
  const { quoteRequest, quote } = quoteResponse
  const origin = ecosystemOf(order.input.chainId)
  const isSamePair = isNameOf(quoteRequest.originAsset, order.input) && isNameOf(quoteRequest.destinationAsset, order.output)
  const isSameParties =
    executed === null ||
    (parseAddress(ecosystemOf(order.output.chainId), quoteRequest.recipient) === executed.binding.recipient &&
      parseAddress(origin, quoteRequest.refundTo) === executed.binding.refundTo)
  const isSameDeposit = parseAddress(origin, quote.depositAddress ?? '') === ref
  return isSamePair && isSameParties && isSameDeposit && parseAmount(quoteRequest.amount) === order.inputAmount
}
