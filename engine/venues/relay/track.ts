import { parseAddress } from '../../core/address.ts'
import { type Amount, parseAmount } from '../../core/amount.ts'
import type { Asset } from '../../core/asset.ts'
import { BITCOIN, ecosystemOf } from '../../core/chain.ts'
import type { Order } from '../../core/order.ts'
import type { SealedOffer } from '../../core/swap.ts'
import type { SwapState, SwapStatus, VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { isOneOf, NOT_FOUND, swapStatus, type Tracked } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { RelayClient, RequestFilter } from './client.ts'
import { isNamed, toWireChain } from './protocol.ts'
import { type IntentStatus, type RequestRecord, type TrackingCarry, trackingCarry, type WireAmount } from './wire.ts'

/** The venue reports a swap by its deposit address to holders of a key only. */
const UNTOLD: SwapStatus = swapStatus('unknown', null)

/** https://docs.relay.link/references/api/get-intents-status-v3, and those of the vendor's SDK and changelog. */
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

/** The venue reports a missing reason in three ways. */
const hasReason = (reason: string | null | undefined): boolean => reason !== undefined && reason !== null && reason !== 'N/A'

/** The fill was sent, and may still land. https://docs.relay.link/references/api/api_core_concepts/execution-errors */
const NOT_FINAL = 'TRANSACTION_NOT_INCLUDED'

const stateOf = (raw: RawStatus, status: IntentStatus): SwapState => {
  const { failReason, refundFailReason } = status
  const txHashes = status.txHashes ?? []
  switch (raw) {
    case 'waiting':
      return 'pending'
    case 'depositing':
    case 'pending':
    case 'submitted':
    case 'delayed':
    case 'fallback':
      return 'processing'
    case 'success':
      // Without a transaction it is unproved.
      return txHashes.length > 0 ? 'success' : 'processing'
    case 'refund':
      // A refund without a transaction, or with a reason for its failure, is owed.
      return txHashes.length > 0 && !hasReason(refundFailReason) ? 'refunded' : 'expired'
    case 'failure':
      return failReason === NOT_FINAL ? 'processing' : 'failed'
    case 'unknown':
      return 'not_found'
  }
}

/** A ref of a swap: the request itself, its deposit address, or the transaction that paid it. */
type Ref = { readonly kind: 'request' | 'address' | 'transaction'; readonly text: string }

/** Null for a text that is no ref of this swap. */
const readRef = (text: string, { order: { input }, executed }: Tracked, own: TrackingCarry | null): Ref | null => {
  if (own?.requestId === text.toLowerCase()) return { kind: 'request', text: own.requestId }
  const isAddress = input.chainId === BITCOIN
  if (executed === null && !isAddress) return null
  const read = isAddress ? parseAddress('bitcoin', text) : parseTransactionId(input.chainId, text)
  const isOther = isAddress && executed !== null && executed.execution.venueRef !== read
  return read === null || isOther ? null : { kind: isAddress ? 'address' : 'transaction', text: read }
}

/** True when the transaction is one of the request's, or the request has no transaction yet. */
const isOfRequest = ({ kind, text }: Ref, { inTxHashes }: IntentStatus, { input }: Order): boolean =>
  kind !== 'transaction' || !inTxHashes?.length || inTxHashes.some((hash) => parseTransactionId(input.chainId, hash) === text)

const isRoute = ({ originChainId, destinationChainId }: IntentStatus, { input, output }: Order): boolean =>
  (originChainId ?? toWireChain(input.chainId)) === toWireChain(input.chainId) &&
  (destinationChainId ?? toWireChain(output.chainId)) === toWireChain(output.chainId)

const isAmountOf = ({ currency }: WireAmount, asset: Asset): boolean => isNamed(currency ?? {}, asset)

/** The amounts of a request by the venue's books: `bought` as quoted, where the books have it. */
const sumsOf = ({ data }: RequestRecord) => {
  const { quoted, actual } = data?.route ?? {}
  const delivered: WireAmount = actual?.destination?.outputCurrency ?? {}
  const paid: WireAmount = actual?.origin?.inputCurrency ?? quoted?.origin?.inputCurrency ?? {}
  const bought: WireAmount = quoted?.destination?.outputCurrency ?? delivered
  return { paid, bought, delivered }
}

/** The delivery by the venue's books; null where they lack it. */
const deliveredInBooks = (record: RequestRecord | null, { output }: Order): Amount | null => {
  const delivered = record ? sumsOf(record).delivered : {}
  return isAmountOf(delivered, output) ? parseAmount(delivered.amount) : null
}

/** Whether a request found by its deposit address is the sealed swap, as far as the books show. */
const isSealedSwap = (record: RequestRecord, { order }: SealedOffer, ref: Ref): boolean => {
  const { paid, bought } = sumsOf(record)
  const isPaidTo = record.depositAddress?.address === ref.text
  const recipient = parseAddress(ecosystemOf(order.output.chainId), record.recipient ?? '')
  const isRecipient = order.unnamed.includes('recipient') || recipient === order.recipient
  const isPaid = isAmountOf(paid, order.input) && parseAmount(paid.amount) === order.inputAmount
  return isPaidTo && isRecipient && isPaid && isAmountOf(bought, order.output)
}

/** How many replacements of a request are followed. */
const HOPS_MAX = 3

/** Whether a replacing request is for the same swap: same address, recipient and token, whatever its amounts. */
const isSuccessor = (next: RequestRecord, first: RequestRecord, { output }: Order): boolean => {
  const isAddress = first.depositAddress != null && next.depositAddress?.address === first.depositAddress.address
  const isRecipient = first.recipient != null && next.recipient === first.recipient
  return isAddress && isRecipient && isAmountOf(sumsOf(next).bought, output)
}

/** Whether a request at the swap's address is for the swap, whatever its amounts. */
const isForSwap = (record: RequestRecord, { order, executed }: Tracked, { text }: Ref): boolean =>
  record.depositAddress?.address === text &&
  executed !== null &&
  parseAddress(ecosystemOf(order.output.chainId), record.recipient ?? '') === executed.binding.recipient &&
  isAmountOf(sumsOf(record).bought, order.output)

const paymentsOf = (records: readonly RequestRecord[]): readonly string[] => [
  ...new Set(records.flatMap(({ depositAddress }) => depositAddress?.depositTxHash ?? [])),
]

/** Whether a request ended without the promised delivery. */
const isNoDelivery = ({ state, deliveredAmount }: VenueWord, { offer }: Tracked): boolean =>
  state === 'success'
    ? deliveredAmount !== null && deliveredAmount < (offer.slippage?.guaranteedMin ?? 0n)
    : state === 'refunded' || state === 'expired' || state === 'failed'

/** The request to read the status of. `paidBy`: null where its status has it. */
type Found = { readonly requestId: string; readonly paidBy: readonly string[] | null }

/**
 * For a deposit address `inTxHashes` is the venue's own sweep, and only its books show the payments: changelog of relay-docs,
 * `depositTxHash`. For a refund by two transactions the first one pays the wallet, and the other may be the venue's own:
 * features/deposit-addresses of the same, `refundTo`.
 */
const toWord = (state: SwapState, raw: IntentStatus, { paidBy }: Found, deliveredAmount: Amount | null): VenueWord => {
  const { status } = raw
  const txHashes = raw.txHashes ?? []
  const [first = null] = txHashes
  const last = txHashes.at(-1) ?? null
  const payments = paidBy ?? raw.inTxHashes ?? []
  const named = payments.length > 0 ? { paidBy: payments } : {}
  if (state === 'success') return { ...swapStatus(state, status, { txHash: last, deliveredAmount }), ...named }
  if (state !== 'refunded') return { ...swapStatus(state, status), ...named }
  return { ...swapStatus(state, status, { txHash: first }), ...named, ...(first !== last && { refundTx: last }) }
}

/** Follows a request of Relay by the id of our record, or with a key by its deposit address. */
export const createTracker = (client: Pick<RelayClient, 'status' | 'requests'>): StatusTracker => {
  /** The books are optional: their failure counts as no record. */
  const readBooks = async (filter: RequestFilter, signal: AbortSignal): Promise<readonly RequestRecord[]> => {
    try {
      return (await client.requests?.(filter, signal)) ?? []
    } catch (error) {
      if (error instanceof VenueError) return []
      throw error
    }
  }

  const readRecord = async (requestId: string, signal: AbortSignal): Promise<RequestRecord | null> => {
    const [record, ...others] = await readBooks({ id: requestId }, signal)
    return record && others.length === 0 && record.id.toLowerCase() === requestId.toLowerCase() ? record : null
  }

  /** The request that a deposit is filled under: its own, or its successor. Only the books show it, which need a key. */
  const endOf = async (first: RequestRecord, order: Order, signal: AbortSignal): Promise<RequestRecord> => {
    let last = first
    for (let hops = 0; hops < HOPS_MAX && last.supersededByRequestId; hops += 1) {
      const next = await readRecord(last.supersededByRequestId, signal)
      if (!next || !isSuccessor(next, first, order)) return first
      last = next
    }
    return last.supersededByRequestId ? first : last
  }

  const follow = async (first: RequestRecord, order: Order, signal: AbortSignal): Promise<Found> => {
    const last = await endOf(first, order, signal)
    return { requestId: last.id, paidBy: paymentsOf([first, last]) }
  }

  /** Null: an unknown request, or another swap's. */
  const findRequest = async (ref: Ref, swap: Tracked, own: TrackingCarry | null, signal: AbortSignal): Promise<Found | null> => {
    const { order } = swap
    if (own && order.input.chainId !== BITCOIN) return { requestId: own.requestId, paidBy: null }
    if (own) {
      const record = await readRecord(own.requestId, signal)
      return record ? follow(record, order, signal) : { requestId: own.requestId, paidBy: [] }
    }
    const records = (await client.requests?.({ depositAddress: ref.text }, signal)) ?? []
    const [record, ...others] = records.filter((candidate) => isSealedSwap(candidate, swap, ref))
    return record && others.length === 0 ? follow(record, order, signal) : null
  }

  /** The result of a request. Null: an unknown request, or another swap's. */
  const readWord = async (found: Found, ref: Ref, order: Order, signal: AbortSignal): Promise<VenueWord | null> => {
    const raw = await client.status(found.requestId, signal)
    if (!raw || !isRoute(raw, order) || !isOfRequest(ref, raw, order)) return null
    const state = isRawStatus(raw.status) ? stateOf(raw.status, raw) : 'unknown'
    const deliveredAmount = state === 'success' ? deliveredInBooks(await readRecord(found.requestId, signal), order) : null
    return toWord(state, raw, found, deliveredAmount)
  }

  /**
   * Further payments to a deposit address are swapped under requests that only the books list. Others can send dust to an address
   * before its payment, so the largest delivery is the swap's.
   */
  const readMore = async (word: VenueWord, ref: Ref, swap: Tracked, signal: AbortSignal): Promise<Found | null> => {
    const records = await readBooks({ depositAddress: ref.text }, signal)
    const own = records.filter((record) => isForSwap(record, swap, ref))
    const delivered = (record: RequestRecord): bigint => deliveredInBooks(record, swap.order) ?? 0n
    const [most] = own.toSorted((a, b) => (delivered(a) > delivered(b) ? -1 : 1))
    const isMore = most !== undefined && delivered(most) > (word.deliveredAmount ?? 0n)
    return isMore ? { requestId: most.id, paidBy: paymentsOf([most]) } : null
  }

  return {
    track: async (text, swap, signal) => {
      const { order, executed } = swap
      const own = executed && trackingCarry.read(executed.execution.carry)
      const ref = readRef(text, swap, own)
      if (ref === null) return NOT_FOUND
      if (!executed && !client.requests) return UNTOLD
      const found = await findRequest(ref, swap, own, signal)
      const word = found && (await readWord(found, ref, order, signal))
      if (!word) return NOT_FOUND
      const more = ref.kind === 'address' && isNoDelivery(word, swap) ? await readMore(word, ref, swap, signal) : null
      if (more === null) return word
      const paidBy = [...new Set([...(found.paidBy ?? []), ...(more.paidBy ?? [])])]
      return (await readWord({ ...more, paidBy }, ref, order, signal)) ?? word
    },
  }
}
