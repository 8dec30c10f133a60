import { bytesToHex } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { parseAddress } from '../../core/address.ts'
import { type Amount, toAmount } from '../../core/amount.ts'
import { type Asset, isSameAsset, NATIVE } from '../../core/asset.ts'
import { type ChainId, ecosystemOf, SOLANA } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Hex, PayloadClaims } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { SwapState, VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { type CodeOf, wrappedNative } from '../kit/spokePools.ts'
import { isOneOf, NOT_FOUND, swapStatus } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import type { AcrossClient, DepositRecord } from './client.ts'
import { type Delivery, readDelivery } from './delivery.ts'
import { fromWireChain, type Pinned } from './published.ts'
import type { DepositDetails, DepositStatus } from './wire.ts'

export type TrackerPorts = {
  readonly clock: Clock
  readonly client: Pick<AcrossClient, 'deposit'>
  readonly pinned: Pinned
  readonly decode: (executed: ExecutedSwap['execution']) => Promise<PayloadClaims>
}

/** How long after its price expired a swap may still be missing in the indexer. */
const UNSEEN_MS_MAX = 120_000

const unseen = ({ expiresAt }: Offer, now: number): VenueWord =>
  swapStatus(expiresAt !== null && now < expiresAt + UNSEEN_MS_MAX ? 'pending' : 'not_found', null)

/** An address of the indexer (in its chain's format, or 32 bytes) as 32 bytes; null when invalid. */
const wordOf = (chainId: ChainId, text: string): Hex | null => {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase() as Hex
  const address = parseAddress(ecosystemOf(chainId), text)
  if (address === null) return null
  return chainId === SOLANA ? `0x${bytesToHex(base58.decode(address))}` : `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}

/**
 * Without a message a deposit does not determine whether wrapped native output arrives as such. The tracker assumes the ordered
 * form: ownership does not depend on it, and the chain shows what arrived.
 */
const asOrdered =
  ({ output }: Order): CodeOf =>
  async () =>
    output.address === NATIVE ? '0x' : '0x00'

const deliveryOf = async (details: DepositDetails, order: Order, pinned: Pinned): Promise<Delivery | null> => {
  const chainId = fromWireChain(BigInt(details.destinationChainId))
  const recipient = chainId && wordOf(chainId, details.recipient)
  const outputToken = chainId && wordOf(chainId, details.outputToken)
  if (!chainId || !recipient || !outputToken) return null
  const message = (details.message ? details.message.toLowerCase() : '0x') as Hex
  const output = { chainId, recipient, outputToken, outputAmount: BigInt(details.outputAmount), message }
  const delivery = await readDelivery(output, { codeOf: asOrdered(order), pinned })
  return delivery.unread.length === 0 ? delivery : null
}

const isInput = (details: DepositDetails, input: Asset, amount: bigint): boolean => {
  const token = parseAddress(ecosystemOf(input.chainId), details.swapToken ?? details.inputToken)
  const expected = input.address === NATIVE ? wrappedNative(input.chainId) : input.address
  return (
    fromWireChain(BigInt(details.originChainId)) === input.chainId &&
    token === expected &&
    BigInt(details.swapTokenAmount ?? details.inputAmount) === amount
  )
}

const QUARTER_HOUR_MS = 900_000

/**
 * Two swaps of one user may agree in everything but their fill deadline, which our calldata fixed to the second. The indexer
 * stores it without a time zone, so differences of whole quarters of an hour are accepted.
 */
const isDeadline = (reported: string | null | undefined, deadlineAt: number | null): boolean => {
  const at = Date.parse(reported ?? '')
  return Number.isNaN(at) || deadlineAt === null || (at - deadlineAt) % QUARTER_HOUR_MS === 0
}

/** The transactions that the indexer names. */
type Evidence = { readonly paidBy: readonly string[]; readonly fillTx: string | null; readonly refundTx: string | null }

const evidenceOf = (status: DepositStatus): Evidence => ({
  paidBy: [status.depositTxnRef ?? status.depositTxHash].filter((hash) => hash !== undefined && hash !== null),
  fillTx: status.fillTxnRef ?? status.fillTx ?? null,
  refundTx: status.depositRefundTxnRef ?? status.depositRefundTxHash ?? null,
})

/** A fill without its transaction is unproved, and without its actions the requested token never arrived. */
const filledState = ({ actionsSucceeded }: DepositStatus, { fillTx }: Evidence): SwapState =>
  fillTx !== null && actionsSucceeded !== false ? 'success' : 'processing'

/** https://docs.across.to, deposit status; packages/indexer-api/src/services/deposits.ts of across-protocol/indexer. */
const RAW_STATUSES = [
  'pending',
  'slowFillRequested',
  'filled',
  'slowFilled',
  'expired',
  'refunded',
  'deposit-pending', // gasless only, as is the next
  'deposit-failed',
] as const

type RawStatus = (typeof RAW_STATUSES)[number]

const isRawStatus = isOneOf(RAW_STATUSES)

const stateOf = (raw: RawStatus, status: DepositStatus, evidence: Evidence): SwapState => {
  switch (raw) {
    case 'deposit-pending':
      return 'pending'
    case 'pending':
    case 'slowFillRequested':
      return 'processing'
    case 'filled':
    case 'slowFilled':
      return filledState(status, evidence)
    case 'expired':
      return 'expired'
    case 'refunded':
      return evidence.refundTx === null ? 'expired' : 'refunded'
    case 'deposit-failed':
      return 'failed'
  }
}

/** The report of the indexer on a deposit that is proved to be ours. */
const toWord = ({ status }: DepositRecord, deliveredAmount: Amount): VenueWord => {
  const evidence = evidenceOf(status)
  const { paidBy, fillTx, refundTx } = evidence
  const state = isRawStatus(status.status) ? stateOf(status.status, status, evidence) : 'unknown'
  const isUndelivered = state === 'processing' && status.actionsSucceeded === false
  const venueStatus = isUndelivered ? `${status.status}:actions-failed` : status.status
  const named = { paidBy, refundTx }
  if (state === 'success') return { ...swapStatus(state, venueStatus, { deliveredAmount, txHash: fillTx }), ...named }
  if (state === 'refunded') return { ...swapStatus(state, venueStatus, { txHash: refundTx }), paidBy }
  return { ...swapStatus(state, venueStatus), ...named }
}

/** Bound of checked deposits per transaction: a bundle may hold deposits of other users. */
const DEPOSITS_MAX = 8

/** Follows a deposit by its origin transaction: a hash, or a signature on Solana. */
export const createTracker = ({ clock, client, pinned, decode }: TrackerPorts): StatusTracker => {
  const isOurs = async (details: DepositDetails, delivery: Delivery, { order, binding, execution }: ExecutedSwap) => {
    if (!isSameAsset(delivery.output, order.output) || delivery.recipient !== binding.recipient) return false
    if (!isInput(details, order.input, order.inputAmount)) return false
    return isDeadline(details.fillDeadline, (await decode(execution)).deadlineAt)
  }
  return {
    track: async (text, { order, offer, executed }, signal) => {
      // The indexer compares hashes of EVM chains as text, in lower case.
      const ref = parseTransactionId(order.input.chainId, text)
      if (ref === null || executed === null) return NOT_FOUND
      let last = 0
      for (let nth = 0; nth <= last && nth < DEPOSITS_MAX; nth += 1) {
        const record = await client.deposit(ref, nth, signal)
        if (!record) return nth === 0 ? unseen(offer, clock.now()) : NOT_FOUND
        const delivery = await deliveryOf(record.details, order, pinned)
        if (delivery && (await isOurs(record.details, delivery, executed)))
          return toWord(record, toAmount(delivery.output.amount))
        last = record.status.pagination?.maxIndex ?? 0
      }
      return NOT_FOUND
    },
  }
}
