import type { Chains } from '../../chains/chains.ts'
import { parseAddress } from '../../core/address.ts'
import { type Amount, parseAmount } from '../../core/amount.ts'
import type { Asset } from '../../core/asset.ts'
import { BITCOIN, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Execution } from '../../core/execution.ts'
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
import { type IntentStatus, type RequestRecord, trackingCarry, type WireAmount } from './wire.ts'

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

const HASH = /^0x[0-9a-fA-F]{64}$/

/** What a ref says of a swap: the request itself, its deposit address, or the transaction that paid it. */
type RefKind = 'request' | 'address' | 'transaction' | 'nothing'

const kindOf = (ref: string, { input }: Order, execution: Execution | null): RefKind => {
  if (execution && ref.toLowerCase() === trackingCarry.read(execution.carry).requestId) return 'request'
  if (input.chainId === BITCOIN) {
    const { payload } = execution ?? { payload: null }
    const own = payload?.executionType === 'DEPOSIT' ? payload.deposit.address : null
    const address = parseAddress('bitcoin', ref)
    return address !== null && (own === null || own === address) ? 'address' : 'nothing'
  }
  return parseTransactionId(input.chainId, ref) === null ? 'nothing' : 'transaction'
}

const isSameHash = (a: string, b: string): boolean => a === b || (HASH.test(a) && a.toLowerCase() === b.toLowerCase())

/** The transaction is one of the request's, or the request has none yet. */
const isOfRequest = (ref: string, kind: RefKind, { inTxHashes = [] }: IntentStatus): boolean =>
  kind !== 'transaction' || inTxHashes.length === 0 || inTxHashes.some((hash) => isSameHash(hash, ref))

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
const isSealedSwap = (record: RequestRecord, { order }: SealedOffer, ref: string): boolean => {
  const { paid, bought } = sumsOf(record)
  const isPaidTo = order.input.chainId !== BITCOIN || record.depositAddress?.address === parseAddress('bitcoin', ref)
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
    if (!client.requests) return null
    try {
      const [record, ...others] = await client.requests({ id: requestId }, signal)
      return record && others.length === 0 && isSameHash(record.id, requestId) ? record : null
    } catch (error) {
      if (error instanceof VenueError) return null
      throw error
    }
  }

  /** The request a deposit is filled under: its own, or the one it was quoted again as. Only the books of a key tell. */
  const endOf = async (first: RequestRecord, order: Order, signal: AbortSignal): Promise<string> => {
    let last = first
    for (let hops = 0; hops < HOPS_MAX && last.supersededByRequestId; hops += 1) {
      const id = last.supersededByRequestId
      const next = HASH.test(id) ? await readRecord(id, signal) : null
      if (!next || !isSuccessor(next, first, order)) return first.id
      last = next
    }
    return last.supersededByRequestId ? first.id : last.id
  }

  /** Null: another swap's, or nobody's. */
  const findRequest = async (ref: string, kind: RefKind, swap: Tracked, signal: AbortSignal): Promise<string | null> => {
    const { order, executed } = swap
    if (executed) {
      const { requestId } = trackingCarry.read(executed.execution.carry)
      const record = order.input.chainId === BITCOIN ? await readRecord(requestId, signal) : null
      return record ? endOf(record, order, signal) : requestId
    }
    const filter = kind === 'address' ? { depositAddress: ref } : { depositTxHash: ref }
    const records = (await client.requests?.(filter, signal)) ?? []
    const [record, ...others] = records.filter((candidate) => isSealedSwap(candidate, swap, ref))
    return record && others.length === 0 ? endOf(record, order, signal) : null
  }

  const toStatus = async (raw: IntentStatus, requestId: string, swap: Tracked, signal: AbortSignal): Promise<SwapStatus> => {
    const { order, offer, executed } = swap
    const { status, txHashes = [] } = raw
    const txHash = txHashes.at(-1) ?? null
    const expiresAt = executed ? trackingCarry.read(executed.execution.carry).expiresAt : offer.expiresAt
    const hasLapsed = expiresAt !== null && clock.now() > expiresAt + graceMs(order.input.chainId)
    const state = isRawStatus(status) ? stateOf(status, raw, hasLapsed) : 'unknown'
    if (state === 'refunded') return swapStatus(state, status, { txHash })
    if (state !== 'success') return swapStatus(state, status)
    return swapStatus(state, status, { txHash, deliveredAmount: deliveredInBooks(await readRecord(requestId, signal), order) })
  }

  return {
    track: async (ref, swap, signal) => {
      const { order, executed } = swap
      const kind = kindOf(ref, order, executed?.execution ?? null)
      if (kind === 'nothing') return NOT_FOUND
      if (!executed && !client.requests) return UNTOLD
      const requestId = await findRequest(ref, kind, swap, signal)
      const raw = requestId === null ? null : await client.status(requestId, signal)
      if (requestId === null || !raw || !isRoute(raw, order) || !isOfRequest(ref, kind, raw)) return NOT_FOUND
      const isUnseen = raw.status === 'waiting' && kind === 'transaction' && executed !== null
      if (isUnseen && (await hasReverted(ref, executed, { chains, signal }))) return swapStatus('failed', raw.status)
      return toStatus(raw, requestId, swap, signal)
    },
  }
}
