import { type Address, parseAddress } from '../../core/address.ts'
import { parseAmount } from '../../core/amount.ts'
import { ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { SwapState, VenueWord } from '../../core/swapStatus.ts'
import type { ChainNames } from '../kit/settings.ts'
import { NOT_FOUND, stateIn, swapStatus, type Tracked } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import { isNameOf } from './assetId.ts'
import type { OneClickClient } from './client.ts'
import { type StatusResponse, type SwapDetails, trackingCarry } from './wire.ts'

/** GetExecutionStatusResponse.status of @defuse-protocol/one-click-sdk-typescript 0.1.25. */
const STATES: { readonly [status: string]: SwapState } = {
  // An address that was never paid keeps this status for good.
  PENDING_DEPOSIT: 'pending',
  INCOMPLETE_DEPOSIT: 'pending',
  KNOWN_DEPOSIT_TX: 'processing',
  PROCESSING: 'processing',
  SUCCESS: 'success',
  REFUNDED: 'refunded',
  FAILED: 'failed',
}
export const RAW_STATUSES = Object.keys(STATES)

const amountOf = (text: string | null | undefined): bigint => parseAmount(text) ?? 0n

const deliveryHash = ({ destinationChainTxHashes }: SwapDetails): string | null => destinationChainTxHashes?.at(-1)?.hash || null

/**
 * The venue has reported SUCCESS for swaps whose whole input it had returned
 * (github.com/defuse-protocol/one-click-sdk-typescript/issues/20), so SUCCESS alone proves nothing. A delivery needs an amount
 * and an unrefunded part of the deposit. After a partial refund it also needs a transaction on the destination chain.
 */
const isDelivered = (details: SwapDetails, inputAmount: bigint): boolean => {
  const deposited = amountOf(details.depositedAmount) || inputAmount
  const returned = amountOf(details.refundedAmount)
  const isAllReturned = returned > 0n && returned + amountOf(details.refundFee) >= deposited
  const isNamed = deliveryHash(details) !== null || returned === 0n
  return amountOf(details.amountOut) > 0n && isNamed && !isAllReturned
}

type Moment = { readonly inputAmount: bigint; readonly isPastDeadline: boolean }

/** The state of a raw status. An undocumented one is `unknown`: it is polled on and never final. */
const stateOf = (status: string, details: SwapDetails, { inputAmount, isPastDeadline }: Moment): SwapState => {
  // An incomplete deposit is returned after the requested deadline.
  if (status === 'INCOMPLETE_DEPOSIT' && isPastDeadline) return 'expired'
  const state = stateIn(STATES, status)
  return state === 'success' && !isDelivered(details, inputAmount) ? 'processing' : state
}

/**
 * No field has the transaction of a refund: `nearTxHashes` are of NEAR itself, and `originChainTxHashes` mixes deposits and
 * refunds. The report states a partial refund beside a delivery; the chain shows its amount.
 */
const toWord = ({ status, swapDetails }: StatusResponse, moment: Moment): VenueWord => {
  const details = swapDetails ?? {}
  const state = stateOf(status, details, moment)
  const paidBy = (details.originChainTxHashes ?? []).flatMap(({ hash }) => (hash ? [hash] : []))
  const named = paidBy.length > 0 ? { paidBy } : {}
  const refundedAmount = parseAmount(details.refundedAmount)
  const returned = refundedAmount !== null && refundedAmount > 0n ? { refundedAmount } : null
  if (state !== 'success') return { ...swapStatus(state, status), ...named, ...returned }
  const known = { deliveredAmount: parseAmount(details.amountOut), txHash: deliveryHash(details) }
  return { ...swapStatus(state, status, known), ...named, ...(returned && { ...returned, refundTx: null }) }
}

type Sealed = Tracked & { readonly codes: ChainNames }

/**
 * Whether the answer is about the sealed swap. The venue identifies a swap by its deposit address only, which anyone can query.
 * Without our execution record the bound addresses are unknown, so amount and assets must match. An answer without its quote then
 * proves nothing.
 */
const isSameSwap = ({ quoteResponse }: StatusResponse, ref: Address, { order, executed, codes }: Sealed): boolean => {
  if (!quoteResponse) return executed !== null
  const { quoteRequest, quote } = quoteResponse
  const origin = ecosystemOf(order.input.chainId)
  const { originAsset, destinationAsset } = quoteRequest
  const isSamePair = isNameOf(originAsset, order.input, codes) && isNameOf(destinationAsset, order.output, codes)
  const isSameParties =
    executed === null ||
    (parseAddress(ecosystemOf(order.output.chainId), quoteRequest.recipient) === executed.binding.recipient &&
      parseAddress(origin, quoteRequest.refundTo) === executed.binding.refundTo)
  const isSameDeposit = parseAddress(origin, quote.depositAddress ?? '') === ref
  return isSamePair && isSameParties && isSameDeposit && parseAmount(quoteRequest.amount) === order.inputAmount
}

/** Follows a deposit by its address. */
export const createTracker = (client: OneClickClient, clock: Clock, codes: ChainNames): StatusTracker => ({
  track: async (ref, swap, signal) => {
    const { order, executed } = swap
    const address = parseAddress(ecosystemOf(order.input.chainId), ref)
    if (!address) return NOT_FOUND
    const own = executed?.execution.venueRef === address ? executed : null
    const carry = own && trackingCarry.read(own.execution.carry)
    const answer = await client.status(carry?.depositAddress ?? ref, signal)
    if (!answer || !isSameSwap(answer, address, { ...swap, executed: own, codes })) return NOT_FOUND
    const deadline = carry?.depositBy ?? Date.parse(answer.quoteResponse?.quoteRequest.deadline ?? '')
    return toWord(answer, { inputAmount: order.inputAmount, isPastDeadline: clock.now() > deadline })
  },
})
