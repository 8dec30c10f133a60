import { base58 } from '@scure/base'
import { addressOf as spelledAddress } from '../../../core/address.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import type { Progress, Terms } from '../../kit/fulfilment.ts'
import { isSvm, type Network } from './networks.ts'
import type { SeenDeposit } from './readDeposit.ts'

export type Deposit = SeenDeposit &
  Terms &
  Progress & {
    readonly id: number
    readonly txHash: string
    readonly origin: Network
    readonly destination: Network
    /** Epoch ms. */
    readonly madeAt: number
    readonly fillsAt: number
    /** Filled by the protocol itself, for want of a relayer. */
    readonly isSlow: boolean
    /** Whether the calls of the message were done; null without a message, or a fill. */
    actionsSucceeded: boolean | null
  }

/** The indexer sees a deposit a few seconds after it was made. */
const INDEXER_LAG_MS = 5_000
const KEPT = 5_000

const isIndexed =
  (now: number) =>
  ({ madeAt }: Deposit): boolean =>
    now >= madeAt + INDEXER_LAG_MS

/** The deposits the indexer tells of. */
export const createBook = () => {
  const byHash = new BoundedMap<string, readonly Deposit[]>(KEPT)
  /** As the indexer keeps it; what is asked for is compared with that as text. */
  const keyOf = ({ txHash }: Deposit) => (txHash.startsWith('0x') ? txHash.toLowerCase() : txHash)
  const of = (deposit: Deposit) => byHash.get(keyOf(deposit)) ?? []
  return {
    add: (deposit: Deposit) => void byHash.set(keyOf(deposit), [...of(deposit), deposit]),
    /** Strikes out a deposit that is on no chain any more. */
    strike: (struck: Deposit) =>
      void byHash.set(
        keyOf(struck),
        of(struck).filter((deposit) => deposit !== struck),
      ),
    /** Deposits of one transaction that the indexer knows by now, in their order. */
    find: (txHash: string, now: number) => (byHash.get(txHash) ?? []).filter(isIndexed(now)),
    /** The deposit of that number on a chain, likewise. */
    findById: (originWireId: string, depositId: string, now: number) =>
      [...byHash.values()]
        .flat()
        .filter(({ origin, depositId: id }) => String(origin.wireId) === originWireId && String(id) === depositId)
        .filter(isIndexed(now)),
  }
}

export type Book = Readonly<ReturnType<typeof createBook>>

/** Raw status over time. A deposit that goes back for a reason of the venue's own has that for a status. */
const statusOf = ({ end, fate, refunds, isSlow, fillsAt, fillDeadline }: Deposit, now: number): string => {
  if (end?.ends === 'filled') return isSlow ? 'slowFilled' : 'filled'
  if (fate?.ends === 'refunded' && fate.reason !== null && now >= fillsAt) return fate.reason
  if (refunds.length > 0) return 'refunded'
  if (now >= fillDeadline * 1_000) return 'expired'
  return isSlow ? 'slowFillRequested' : 'pending'
}

export type Page = { readonly index: number; readonly count: number }

/** What both answers tell. */
const factsOf = ({ txHash, depositId, end, refunds }: Deposit) => {
  const refund = refunds.at(-1)?.txHash ?? null
  return {
    depositId: String(depositId),
    fillTx: end?.ends === 'filled' ? end.txHash : null,
    depositTxHash: txHash,
    depositTxnRef: txHash,
    depositRefundTxHash: refund,
    depositRefundTxnRef: refund,
  }
}

const pageOf = ({ index, count }: Page) => ({ pagination: { currentIndex: index, maxIndex: count - 1 } })

/** GET /deposit/status: packages/indexer-api/src/services/deposits.ts of across-protocol/indexer. */
export const statusBody = (deposit: Deposit, now: number, page: Page) => {
  const facts = factsOf(deposit)
  return {
    ...facts,
    status: statusOf(deposit, now),
    originChainId: deposit.origin.wireId,
    fillTxnRef: facts.fillTx,
    destinationChainId: deposit.destination.wireId,
    actionsSucceeded: deposit.actionsSucceeded,
    ...pageOf(page),
  }
}

/** The address in a word of Across. */
export const addressOf = (network: Network, word: string): string =>
  isSvm(network) ? base58.encode(Buffer.from(word.slice(2), 'hex')) : spelledAddress('evm', `0x${word.slice(26)}`)

const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** GET /deposit. */
export const detailsBody = (deposit: Deposit, now: number, page: Page) => {
  const { origin, destination, swap, end } = deposit
  const facts = factsOf(deposit)
  const status = statusOf(deposit, now)
  return {
    deposit: {
      ...facts,
      id: deposit.id,
      originChainId: String(origin.wireId),
      destinationChainId: String(destination.wireId),
      depositor: addressOf(origin, deposit.depositor),
      recipient: addressOf(destination, deposit.recipient),
      inputToken: addressOf(origin, deposit.inputToken),
      inputAmount: deposit.inputAmount.toString(),
      outputToken: addressOf(destination, deposit.outputToken),
      outputAmount: (facts.fillTx === null ? deposit.outputAmount : (end?.amount ?? 0n)).toString(),
      message: deposit.message,
      fillDeadline: iso(deposit.fillDeadline),
      quoteTimestamp: iso(deposit.quoteTimestamp),
      swapToken: swap ? addressOf(origin, swap.token) : null,
      swapTokenAmount: swap ? swap.amount.toString() : null,
      status: status === 'pending' ? 'unfilled' : status,
    },
    ...pageOf(page),
  }
}
