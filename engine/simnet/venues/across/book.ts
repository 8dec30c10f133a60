import { base58 } from '@scure/base'
import { parseEvmAddress } from '../../../core/address.ts'
import type { FaultName, Faults } from '../../kit/faults.ts'
import { isSvm, type Network } from './networks.ts'
import type { SeenDeposit } from './readDeposit.ts'

/** How a deposit will end: as it should, or by a fault that was on when it was made. */
export type Fate = 'fills' | 'fillsSlowly' | 'neverFills' | 'fails' | 'liesAboutFill' | 'fillsShort' | 'unknown'

/** A fill that is on the destination chain. */
export type Fill = {
  readonly txHash: string
  /** In smallest units of the output token, before what the message does with it. */
  readonly amount: bigint
  /** Whether the calls of the message were done; null without a message. */
  readonly actionsSucceeded: boolean | null
}

type Outcome = {
  readonly fill: Fill | null
  /** The transaction on the origin chain that gave the input back. */
  readonly refundTx: string | null
}

export type Deposit = SeenDeposit &
  Outcome & {
    readonly id: number
    readonly txHash: string
    readonly origin: Network
    readonly destination: Network
    /** Epoch ms. */
    readonly madeAt: number
    readonly fillsAt: number
    readonly fate: Fate
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

/** When an unfilled deposit is given back. Epoch ms. */
export const refundsAt = ({ fillDeadline }: Deposit): number => fillDeadline * 1_000 + REFUND_AFTER_MS

export interface Book {
  add(deposit: Deposit): void
  /** Notes what became of a deposit. */
  settle(deposit: Deposit, outcome: Partial<Outcome>): void
  /** Strikes out a deposit that is on no chain any more. */
  strike(deposit: Deposit): void
  /** Deposits of one transaction that the indexer knows by now, in their order. */
  find(txHash: string, now: number): readonly Deposit[]
  /** The deposit of that number on a chain, likewise. */
  findById(originWireId: string, depositId: string, now: number): readonly Deposit[]
}

const isIndexed =
  (now: number) =>
  ({ madeAt }: Deposit): boolean =>
    now >= madeAt + INDEXER_LAG_MS

export const createBook = (): Book => {
  const byHash = new Map<string, readonly Deposit[]>()
  /** As the indexer keeps it; what is asked for is compared with that as text. */
  const keyOf = (txHash: string) => (txHash.startsWith('0x') ? txHash.toLowerCase() : txHash)
  const recorded = (txHash: string) => byHash.get(txHash) ?? []
  const of = (txHash: string) => byHash.get(keyOf(txHash)) ?? []
  return {
    add: (deposit) => {
      byHash.set(keyOf(deposit.txHash), [...of(deposit.txHash), deposit])
      if (byHash.size > KEPT) byHash.delete(byHash.keys().next().value ?? '')
    },
    settle: ({ id, txHash }, outcome) => {
      if (of(txHash).length === 0) return
      const settled = of(txHash).map((deposit) => (deposit.id === id ? { ...deposit, ...outcome } : deposit))
      byHash.set(keyOf(txHash), settled)
    },
    strike: ({ id, txHash }) => {
      byHash.set(
        keyOf(txHash),
        of(txHash).filter((deposit) => deposit.id !== id),
      )
    },
    find: (txHash, now) => recorded(txHash).filter(isIndexed(now)),
    findById: (originWireId, depositId, now) =>
      [...byHash.values()]
        .flat()
        .filter(({ origin, depositId: id }) => String(origin.wireId) === originWireId && String(id) === depositId)
        .filter(isIndexed(now)),
  }
}

/** Raw status over time. */
const statusOf = ({ fate, fill, refundTx, fillsAt, fillDeadline }: Deposit, now: number): string => {
  if (fill) return fate === 'fillsSlowly' ? 'slowFilled' : 'filled'
  const isLate = now >= fillsAt
  if (fate === 'liesAboutFill' && isLate) return 'filled'
  if (fate === 'fails' && isLate) return 'deposit-failed'
  if (fate === 'unknown' && isLate) return 'reorged'
  if (refundTx) return 'refunded'
  if (now >= fillDeadline * 1_000) return 'expired'
  return fate === 'fillsSlowly' ? 'slowFillRequested' : 'pending'
}

type Page = { readonly index: number; readonly count: number }

const pageOf = ({ index, count }: Page) => ({ pagination: { currentIndex: index, maxIndex: count - 1 } })

/** GET /deposit/status: packages/indexer-api/src/services/deposits.ts of across-protocol/indexer. */
export const statusBody = (deposit: Deposit, now: number, page: Page) => {
  const fill = deposit.fill?.txHash ?? null
  return {
    status: statusOf(deposit, now),
    originChainId: deposit.origin.wireId,
    depositId: String(deposit.depositId),
    depositTxHash: deposit.txHash,
    depositTxnRef: deposit.txHash,
    fillTx: fill,
    fillTxnRef: fill,
    destinationChainId: deposit.destination.wireId,
    depositRefundTxHash: deposit.refundTx,
    depositRefundTxnRef: deposit.refundTx,
    actionsSucceeded: deposit.fill?.actionsSucceeded ?? null,
    ...pageOf(page),
  }
}

/** The address in a word of Across. */
export const addressOf = (network: Network, word: string): string =>
  isSvm(network) ? base58.encode(Buffer.from(word, 'hex')) : (parseEvmAddress(`0x${word.slice(24)}`) ?? `0x${word.slice(24)}`)

const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** GET /deposit. */
export const detailsBody = (deposit: Deposit, now: number, page: Page) => {
  const { origin, destination, swap, fill, refundTx } = deposit
  const status = statusOf(deposit, now)
  return {
    deposit: {
      id: deposit.id,
      depositId: String(deposit.depositId),
      originChainId: String(origin.wireId),
      destinationChainId: String(destination.wireId),
      depositor: addressOf(origin, deposit.depositor),
      recipient: addressOf(destination, deposit.recipient),
      inputToken: addressOf(origin, deposit.inputToken),
      inputAmount: deposit.inputAmount.toString(),
      outputToken: addressOf(destination, deposit.outputToken),
      outputAmount: (fill?.amount ?? deposit.outputAmount).toString(),
      message: `0x${deposit.message}`,
      fillDeadline: iso(deposit.fillDeadline),
      quoteTimestamp: iso(deposit.quoteTimestamp),
      swapToken: swap ? addressOf(origin, swap.token) : null,
      swapTokenAmount: swap ? swap.amount.toString() : null,
      status: status === 'pending' ? 'unfilled' : status,
      fillTx: fill?.txHash ?? null,
      depositTxHash: deposit.txHash,
      depositTxnRef: deposit.txHash,
      depositRefundTxHash: refundTx,
      depositRefundTxnRef: refundTx,
    },
    ...pageOf(page),
  }
}
