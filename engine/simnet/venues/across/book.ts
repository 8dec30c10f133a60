import { base58 } from '@scure/base'
import { parseEvmAddress } from '../../../core/address.ts'
import type { FaultName, Faults } from '../../faults.ts'
import { isSvm, type Network } from './networks.ts'
import type { SeenDeposit } from './readDeposit.ts'

/** How a deposit will end: as it should, or by a fault that was on when it was made. */
export type Fate = 'fills' | 'fillsSlowly' | 'neverFills' | 'fails' | 'liesAboutFill' | 'fillsShort' | 'unknown'

export type Deposit = SeenDeposit & {
  readonly id: number
  readonly txHash: string
  readonly origin: Network
  readonly destination: Network
  /** Epoch ms. */
  readonly madeAt: number
  readonly fillsAt: number
  readonly fate: Fate
  readonly fillTx: string
  readonly refundTx: string
}

/** The indexer sees a deposit a few seconds after it was made. */
const INDEXER_LAG_MS = 5_000
/** Refunds go out in batches, after a challenge window. */
const REFUND_AFTER_MS = 90 * 60_000
const KEPT = 5_000

const FATES: readonly (readonly [FaultName, Fate])[] = [
  ['never-fills', 'neverFills'],
  ['fails', 'fails'],
  ['lying-success', 'liesAboutFill'],
  ['short-fill', 'fillsShort'],
  ['unknown-status', 'unknown'],
]

export const takeFate = (faults: Faults, venue: string): Fate | null =>
  FATES.find(([fault]) => faults.take(venue, fault))?.[1] ?? null

export interface Book {
  add(deposit: Deposit): void
  /** Deposits of one transaction that the indexer knows by now. */
  find(txHash: string, now: number): Deposit | null
}

export const createBook = (): Book => {
  const byHash = new Map<string, Deposit>()
  const keyOf = (txHash: string) => (txHash.startsWith('0x') ? txHash.toLowerCase() : txHash)
  return {
    add: (deposit) => {
      byHash.set(keyOf(deposit.txHash), deposit)
      if (byHash.size > KEPT) byHash.delete(byHash.keys().next().value ?? '')
    },
    find: (txHash, now) => {
      const deposit = byHash.get(keyOf(txHash)) ?? null
      return deposit && now >= deposit.madeAt + INDEXER_LAG_MS ? deposit : null
    },
  }
}

type Stage = { readonly status: string; readonly isFilled: boolean; readonly isRefunded: boolean }

const stage = (status: string, { isFilled = false, isRefunded = false } = {}): Stage => ({ status, isFilled, isRefunded })

/** Raw status over time. */
const stageOf = ({ fate, fillsAt, fillDeadline }: Deposit, now: number): Stage => {
  const expiresAt = fillDeadline * 1_000
  if (fate === 'neverFills') {
    if (now < expiresAt) return stage('pending')
    return now < expiresAt + REFUND_AFTER_MS ? stage('expired') : stage('refunded', { isRefunded: true })
  }
  if (fate === 'fillsSlowly') return now < fillsAt ? stage('slowFillRequested') : stage('slowFilled', { isFilled: true })
  if (now < fillsAt) return stage('pending')
  if (fate === 'fails') return stage('deposit-failed')
  if (fate === 'unknown') return stage('reorged')
  return stage('filled', { isFilled: fate !== 'liesAboutFill' })
}

/** GET /deposit/status: packages/indexer-api/src/services/deposits.ts of across-protocol/indexer. */
export const statusBody = (deposit: Deposit, now: number) => {
  const { status, isFilled, isRefunded } = stageOf(deposit, now)
  const fill = isFilled ? deposit.fillTx : null
  const refund = isRefunded ? deposit.refundTx : null
  return {
    status,
    originChainId: deposit.origin.wireId,
    depositId: String(deposit.id),
    depositTxHash: deposit.txHash,
    depositTxnRef: deposit.txHash,
    fillTx: fill,
    fillTxnRef: fill,
    destinationChainId: deposit.destination.wireId,
    depositRefundTxHash: refund,
    depositRefundTxnRef: refund,
    actionsSucceeded: deposit.message !== '' && status === 'filled' ? true : null,
    pagination: { currentIndex: 0, maxIndex: 0 },
  }
}

const addressOf = (network: Network, word: string): string =>
  isSvm(network) ? base58.encode(Buffer.from(word, 'hex')) : (parseEvmAddress(`0x${word.slice(24)}`) ?? `0x${word.slice(24)}`)

const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** GET /deposit. */
export const detailsBody = (deposit: Deposit, now: number) => {
  const { origin, destination, fate, outputAmount, swap } = deposit
  const { status, isFilled, isRefunded } = stageOf(deposit, now)
  return {
    deposit: {
      id: deposit.id,
      depositId: String(deposit.id),
      originChainId: String(origin.wireId),
      destinationChainId: String(destination.wireId),
      depositor: addressOf(origin, deposit.depositor),
      recipient: addressOf(destination, deposit.recipient),
      inputToken: addressOf(origin, deposit.inputToken),
      inputAmount: deposit.inputAmount.toString(),
      outputToken: addressOf(destination, deposit.outputToken),
      outputAmount: (fate === 'fillsShort' && isFilled ? (outputAmount * 9n) / 10n : outputAmount).toString(),
      message: `0x${deposit.message}`,
      fillDeadline: iso(deposit.fillDeadline),
      quoteTimestamp: iso(deposit.quoteTimestamp),
      swapToken: swap ? addressOf(origin, swap.token) : null,
      swapTokenAmount: swap ? swap.amount.toString() : null,
      status: status === 'pending' ? 'unfilled' : status,
      fillTx: isFilled ? deposit.fillTx : null,
      depositTxHash: deposit.txHash,
      depositTxnRef: deposit.txHash,
      depositRefundTxHash: isRefunded ? deposit.refundTx : null,
      depositRefundTxnRef: isRefunded ? deposit.refundTx : null,
    },
    pagination: { currentIndex: 0, maxIndex: 0 },
  }
}
