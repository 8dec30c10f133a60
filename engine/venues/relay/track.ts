import type { Chains } from '../../chains/chains.ts'
import { parseAddress } from '../../core/address.ts'
import { type Amount, parseAmount } from '../../core/amount.ts'
import type { Asset } from '../../core/asset.ts'
import { BITCOIN, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Order } from '../../core/order.ts'
import type { SealedOffer } from '../../core/swap.ts'
import type { SwapState, SwapStatus } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { hasReverted, isOneOf, NOT_FOUND, swapStatus, type Tracked } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { RelayClient } from './client.ts'
import { graceMs } from './map.ts'
import { isNamed, toWireChain } from './published.ts'
import { type IntentStatus, type RequestRecord, type TrackingCarry, trackingCarry, type WireAmount } from './wire.ts'

export type TrackerPorts = {
  readonly clock: Clock
  readonly chains: Pick<Chains, 'transactionReceipt'>
  readonly client: Pick<RelayClient, 'status' | 'requests'>
}

/** The venue tells a swap by its deposit to holders of a key only. */
const UNTOLD: SwapStatus = swapStatus('unknown', null)

/** https://docs.relay.link/references/api/get-intents-status-v3, and those the vendor's SDK and changelog name besides. */
export const RAW_STATUSES = [
  'waiting',
  'depositing',
  'pending',
  'submitted',
  'delayed',
  'fallback',
  'success',
  'refund',
  'failure',
  'unknown',
] as const

type RawStatus = (typeof RAW_STATUSES)[number]

const isRawStatus = isOneOf(RAW_STATUSES)

/** No reason is told in three ways. */
const hasReason = (reason: string | null | undefined): boolean => reason !== undefined && reason !== null && reason !== 'N/A'

/** The fill was sent, and may be in a block yet. https://docs.relay.link/references/api/api_core_concepts/execution-errors */
const NOT_FINAL = 'TRANSACTION_NOT_INCLUDED'

const stateOf = (raw: RawStatus, status: IntentStatus, hasLapsed: boolean): SwapState => {
  const { txHashes = [], inTxHashes = [], failReason, refundFailReason } = status
  switch (raw) {
    case 'waiting':
      return hasLapsed && inTxHashes.length === 0 ? 'expired' : 'pending'
    case 'depositing':
    case 'pending':
    case 'submitted':
    case 'delayed':
    case 'fallback':
      return 'processing'
    case 'success':
      // Without a transaction it is a claim.
      return txHashes.length > 0 ? 'success' : 'processing'
    case 'refund':
      // Without a transaction, or with a reason why there is none, it is owed.
      return txHashes.length > 0 && !hasReason(refundFailReason) ? 'refunded' : 'expired'
    case 'failure':
      return failReason === NOT_FINAL ? 'processing' : 'failed'
    case 'unknown':
      return 'not_found'
  }
}

/** What a ref says of a swap: the request itself, its deposit address, or the transaction that paid it. */
type Ref = { readonly kind: 'request' | 'address' | 'transaction'; readonly text: string }

/** Null for a text that says nothing of this swap. */
const readRef = (text: string, { order: { input }, executed }: Tracked, own: TrackingCarry | null): Ref | null => {
  if (own?.requestId === text.toLowerCase()) return { kind: 'request', text: own.requestId }
  const isAddress = input.chainId === BITCOIN
  const read = isAddress ? parseAddress('bitcoin', text) : parseTransactionId(input.chainId, text)
  const isOther = isAddress && executed !== null && executed.execution.venueRef !== read
  return read === null || isOther ? null : { kind: isAddress ? 'address' : 'transaction', text: read }
}

/** The transaction is one of the request's, or the request has none yet. */
const isOfRequest = ({ kind, text }: Ref, { inTxHashes = [] }: IntentStatus, { input }: Order): boolean =>
  kind !== 'transaction' || inTxHashes.length === 0 || inTxHashes.some((hash) => parseTransactionId(input.chainId, hash) === text)

const isRoute = ({ originChainId, destinationChainId }: IntentStatus, { input, output }: Order): boolean =>
  (originChainId ?? toWireChain(input.chainId)) === toWireChain(input.chainId) &&
  (destinationChainId ?? toWireChain(output.chainId)) === toWireChain(output.chainId)

const isAmountOf = ({ currency }: WireAmount, asset: Asset): boolean => isNamed(currency ?? {}, asset)

/** What a request swaps by the books: `bought` as it was quoted, as far as that is told. */
const sumsOf = ({ data }: RequestRecord) => {
  const { quoted, actual } = data?.route ?? {}
  const delivered: WireAmount = actual?.destination?.outputCurrency ?? {}
  const paid: WireAmount = actual?.origin?.inputCurrency ?? quoted?.origin?.inputCurrency ?? {}
  const bought: WireAmount = quoted?.destination?.outputCurrency ?? delivered
  return { paid, bought, delivered }
}

/** What the venue's books say was delivered; null where they say nothing. */
const deliveredInBooks = (record: RequestRecord | null, { output }: Order): Amount | null => {
  const delivered = record ? sumsOf(record).delivered : {}
  return isAmountOf(delivered, output) ? parseAmount(delivered.amount) : null
}

/** Whether a request found by its deposit is the swap that was sealed, as far as its books tell. */
const isSealedSwap = (record: RequestRecord, { order }: SealedOffer, ref: Ref): boolean => {
  const { paid, bought } = sumsOf(record)
  const isPaidTo = ref.kind !== 'address' || record.depositAddress?.address === ref.text
  const recipient = parseAddress(ecosystemOf(order.output.chainId), record.recipient ?? '')
  const isRecipient = order.unnamed.includes('recipient') || recipient === order.recipient
  const isPaid = isAmountOf(paid, order.input) && parseAmount(paid.amount) === order.inputAmount
  return isPaidTo && isRecipient && isPaid && isAmountOf(bought, order.output)
}

/** Times a deposit is followed from request to request. */
const HOPS_MAX = 3

/** Whether a request that took another's place is for the same swap: same address, recipient and token, whatever its amounts. */
const isSuccessor = (next: RequestRecord, first: RequestRecord, { output }: Order): boolean => {
  const isAddress = first.depositAddress != null && next.depositAddress?.address === first.depositAddress.address
  const isRecipient = first.recipient != null && next.recipient === first.recipient
  return isAddress && isRecipient && isAmountOf(sumsOf(next).bought, output)
}

/** Follows a request of Relay by the id our record keeps, or with a key by what paid it. */
export const createTracker = ({ client, clock, chains }: TrackerPorts): StatusTracker => {
  /** The books are a help, not a need: null without them. */
  const readRecord = async (requestId: string, signal: AbortSignal): Promise<RequestRecord | null> => {
    try {
      const [record, ...others] = (await client.requests?.({ id: requestId }, signal)) ?? []
      return record && others.length === 0 && record.id.toLowerCase() === requestId.toLowerCase() ? record : null
    } catch (error) {
      if (error instanceof VenueError) return null
      throw error
    }
  }

  /** The request a deposit is filled under: its own, or the one it was quoted again as. Only the books of a key tell. */
  const endOf = async (first: RequestRecord, order: Order, signal: AbortSignal): Promise<string> => {
    let last = first
    for (let hops = 0; hops < HOPS_MAX && last.supersededByRequestId; hops += 1) {
      const next = await readRecord(last.supersededByRequestId, signal)
      if (!next || !isSuccessor(next, first, order)) return first.id
      last = next
    }
    return last.supersededByRequestId ? first.id : last.id
  }

  /** Null: another swap's, or nobody's. */
  const findRequest = async (ref: Ref, swap: Tracked, own: TrackingCarry | null, signal: AbortSignal): Promise<string | null> => {
    const { order } = swap
    if (own) {
      const record = order.input.chainId === BITCOIN ? await readRecord(own.requestId, signal) : null
      return record ? endOf(record, order, signal) : own.requestId
    }
    const filter = ref.kind === 'address' ? { depositAddress: ref.text } : { depositTxHash: ref.text }
    const records = (await client.requests?.(filter, signal)) ?? []
    const [record, ...others] = records.filter((candidate) => isSealedSwap(candidate, swap, ref))
    return record && others.length === 0 ? endOf(record, order, signal) : null
  }

  return {
    track: async (text, swap, signal) => {
      const { order, offer, executed } = swap
      const own = executed && trackingCarry.read(executed.execution.carry)
      const ref = readRef(text, swap, own)
      if (ref === null) return NOT_FOUND
      if (!executed && !client.requests) return UNTOLD
      const requestId = await findRequest(ref, swap, own, signal)
      const raw = requestId === null ? null : await client.status(requestId, signal)
      if (requestId === null || !raw || !isRoute(raw, order) || !isOfRequest(ref, raw, order)) return NOT_FOUND
      const { status, txHashes = [] } = raw
      const isUnseen = status === 'waiting' && ref.kind === 'transaction' && executed !== null
      if (isUnseen && (await hasReverted(ref.text, executed, { chains, signal }))) return swapStatus('failed', status)
      const expiresAt = own?.expiresAt ?? offer.expiresAt
      const hasLapsed = expiresAt !== null && clock.now() > expiresAt + graceMs(order.input.chainId)
      const state = isRawStatus(status) ? stateOf(status, raw, hasLapsed) : 'unknown'
      if (state !== 'success' && state !== 'refunded') return swapStatus(state, status)
      const deliveredAmount = state === 'success' ? deliveredInBooks(await readRecord(requestId, signal), order) : null
      return swapStatus(state, status, { txHash: txHashes.at(-1) ?? null, deliveredAmount })
    },
  }
}
