import { bytesToHex } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { ChainError, type Chains } from '../../chains/chains.ts'
import { parseAddress } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { type Asset, isSameAsset, NATIVE } from '../../core/asset.ts'
import { type ChainId, ecosystemOf, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Hex, PayloadClaims } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import type { ExecutedSwap, SealedOffer } from '../../core/swap.ts'
import type { SwapState, SwapStatus } from '../../core/swapStatus.ts'
import type { StatusTracker } from '../venue.ts'
import { bridgedAs } from './bridgeTokens.ts'
import { fromWireChain, wrappedNative } from './contracts.ts'
import { type CodeOf, type Delivery, readDelivery } from './delivery.ts'
import type { DepositDetails, DepositStatus } from './wire.ts'

/** The indexer's two answers about one origin transaction; null: it does not know the transaction. */
export type DepositRecord = { readonly status: DepositStatus; readonly details: DepositDetails } | null

export type TrackerPorts = {
  readonly clock: Clock
  readonly findDeposit: (ref: string, signal: AbortSignal) => Promise<DepositRecord>
  readonly chains: Pick<Chains, 'transactionReceipt'>
  readonly decode: (executed: ExecutedSwap['execution']) => Promise<PayloadClaims>
}

type Tracked = SealedOffer & { readonly executed: ExecutedSwap | null }

const EVM_HASH = /^0x[0-9a-fA-F]{64}$/
const SOLANA_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

const isRef = (ref: string, chainId: ChainId): boolean => (chainId === SOLANA ? SOLANA_SIGNATURE : EVM_HASH).test(ref)

/** How long after its price lapsed a swap may still be on its way into the indexer. */
const UNSEEN_MS_MAX = 120_000

const unseen = ({ expiresAt }: Offer, now: number): SwapStatus => ({
  state: expiresAt !== null && now < expiresAt + UNSEEN_MS_MAX ? 'pending' : 'not_found',
  venueStatus: null,
  deliveredAmount: null,
  txHash: null,
})

/** An address as the indexer writes it (of its chain, or 32 bytes) as 32 bytes; null when it is none. */
const wordOf = (chainId: ChainId, text: string): Hex | null => {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase() as Hex
  const address = parseAddress(ecosystemOf(chainId), text)
  if (address === null) return null
  return chainId === SOLANA ? `0x${bytesToHex(base58.decode(address))}` : `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}

/**
 * A deposit without a message leaves open whether wrapped native output arrives as such. It is taken as ordered: whose
 * deposit it is does not depend on that, and what arrived is looked up on the chain.
 */
const asOrdered =
  ({ output }: Order): CodeOf =>
  async () =>
    output.address === NATIVE ? '0x' : '0x00'

const deliveryOf = async (details: DepositDetails, order: Order): Promise<Delivery | null> => {
  const chainId = fromWireChain(BigInt(details.destinationChainId))
  const recipient = chainId && wordOf(chainId, details.recipient)
  const outputToken = chainId && wordOf(chainId, details.outputToken)
  if (!chainId || !recipient || !outputToken) return null
  const message = (details.message ? details.message.toLowerCase() : '0x') as Hex
  const output = { chainId, recipient, outputToken, outputAmount: BigInt(details.outputAmount), message }
  const delivery = await readDelivery(output, asOrdered(order))
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
 * Two swaps of one user may agree in everything but their fill deadline, which our calldata fixed to the second. The
 * indexer keeps it in a column without a time zone, so whole quarters of an hour are not held against it.
 */
const isDeadline = (reported: string | null | undefined, deadlineAt: number | null): boolean => {
  const at = Date.parse(reported ?? '')
  return Number.isNaN(at) || deadlineAt === null || (at - deadlineAt) % QUARTER_HOUR_MS === 0
}

type Evidence = { readonly fillTx: string | null; readonly refundTx: string | null }

const evidenceOf = (status: DepositStatus): Evidence => ({
  fillTx: status.fillTxnRef ?? status.fillTx ?? null,
  refundTx: status.depositRefundTxnRef ?? status.depositRefundTxHash ?? null,
})

/** Filled without a fill transaction is a claim, and without its actions the requested token never arrived. */
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

const isRawStatus = (status: string): status is RawStatus => RAW_STATUSES.some((known) => known === status)

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

/** The bridge gives back what it took, which a swap before it may have made of the input. */
const refundOf = ({ inputToken }: DepositDetails, input: Asset): { readonly refundedIn?: Asset } => {
  const address = parseAddress(ecosystemOf(input.chainId), inputToken)
  const asset = address && { chainId: input.chainId, address }
  return asset && bridgedAs(asset) !== null && !isSameAsset(asset, input) ? { refundedIn: asset } : {}
}

/** What the indexer says of a deposit that is known to be ours. */
const toStatus = ({ status, details }: NonNullable<DepositRecord>, input: Asset, deliveredAmount: bigint): SwapStatus => {
  const evidence = evidenceOf(status)
  const state = isRawStatus(status.status) ? stateOf(status.status, status, evidence) : 'unknown'
  const isUndelivered = state === 'processing' && status.actionsSucceeded === false
  return {
    state,
    venueStatus: isUndelivered ? `${status.status}:actions-failed` : status.status,
    deliveredAmount: state === 'success' ? toAmount(deliveredAmount) : null,
    txHash: state === 'success' ? evidence.fillTx : state === 'refunded' ? evidence.refundTx : null,
    ...(state === 'refunded' && refundOf(details, input)),
  }
}

/** Follows a deposit by its origin transaction: a hash, or a signature on Solana. */
export const createTracker = ({ clock, chains, findDeposit, decode }: TrackerPorts): StatusTracker => {
  const isOurs = async (details: DepositDetails, delivery: Delivery, { order, executed }: Tracked): Promise<boolean> => {
    if (!isSameAsset(delivery.output, order.output)) return false
    if (delivery.recipient !== (executed?.binding.recipient ?? order.recipient)) return false
    if (!isInput(details, order.input, order.inputAmount)) return false
    return executed === null || isDeadline(details.fillDeadline, (await decode(executed.execution)).deadlineAt)
  }
  /** A transaction that failed on chain never reaches the indexer; its receipt tells. */
  const hasReverted = async (ref: string, { order, executed }: Tracked, signal: AbortSignal): Promise<boolean> => {
    const { chainId } = order.input
    if (executed?.execution.payload.executionType !== 'TRANSACTION' || !isEvmChainId(chainId)) return false
    const { to } = executed.execution.payload.transaction
    try {
      const receipt = await chains.transactionReceipt({ chainId, hash: ref as Hex }, signal)
      const isOwn = receipt?.from === order.sender.toLowerCase() && receipt.to === to.toLowerCase()
      return isOwn && !receipt.isSuccess
    } catch (error) {
      // Without the chain's word the indexer's silence is all there is.
      if (error instanceof ChainError) return false
      throw error
    }
  }
  return {
    track: async (ref, swap, signal) => {
      const stranger: SwapStatus = { state: 'not_found', venueStatus: null, deliveredAmount: null, txHash: null }
      if (!isRef(ref, swap.order.input.chainId)) return stranger
      // The indexer compares hashes of EVM chains as text, in lower case.
      const record = await findDeposit(isEvmChainId(swap.order.input.chainId) ? ref.toLowerCase() : ref, signal)
      if (!record)
        return (await hasReverted(ref, swap, signal)) ? { ...stranger, state: 'failed' } : unseen(swap.offer, clock.now())
      const delivery = await deliveryOf(record.details, swap.order)
      if (!delivery || !(await isOurs(record.details, delivery, swap))) return stranger
      return toStatus(record, swap.order.input, delivery.output.amount)
    },
  }
}
