import { parseAddress } from '../../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import type { FaultName } from '../../faults.ts'
import type { SimDeposit } from '../../simVenue.ts'
import type { SimToken } from '../../tokens.ts'

type Fields = { readonly [field: string]: unknown }

/** A quote that opened a deposit address. */
export type OrderTerms = {
  /** The whole answer to the quote request, which the status repeats. */
  readonly response: { readonly quoteRequest: Fields; readonly quote: Fields } & Fields
  readonly depositAddress: string
  readonly input: SimToken
  readonly amountIn: bigint
  readonly minAmountOut: bigint
  readonly refundFee: bigint
  readonly timeEstimateMs: number
  /** When the refund of what has not been swapped begins. */
  readonly deadlineAt: number
  readonly destinationTxHash: string
  /** What the deposit would fetch now, destination units; zero when nothing. */
  reprice(): bigint
}

type Paid = { readonly amount: bigint; readonly at: number; readonly txHash: string }

/** How the swap ends once the deposit is complete. */
type Outcome =
  | { readonly ends: 'SUCCESS'; readonly amountOut: bigint; readonly isLie?: boolean }
  | { readonly ends: 'REFUNDED'; readonly reason: string; readonly at: number }
  | { readonly ends: 'FAILED' }

export type Order = OrderTerms & {
  readonly paid: Paid[]
  hint: string | null
  /** Set when the deposit is complete. */
  outcome: Outcome | null
}

const KNOWN_MS = 10_000
const REFUND_MS = 60_000
const NEVER_FILLS_REFUND_MS = 60 * 60_000

const sum = (paid: readonly Paid[]): bigint => paid.reduce((total, { amount }) => total + amount, 0n)

/** When the deposit had all arrived; null while it has not. */
const completedAt = ({ paid, amountIn }: Order): number | null => {
  let total = 0n
  for (const { amount, at } of paid) {
    total += amount
    if (total >= amountIn) return at
  }
  return null
}

/** Decides the end of an order whose deposit is complete, at the price of that moment. */
export const decideOutcome = (order: Order, now: number, fault: FaultName | null): Outcome => {
  const quoted = BigInt(String(order.response.quote['amountOut']))
  if (fault === 'fails') return { ends: 'FAILED' }
  if (fault === 'lying-success') return { ends: 'SUCCESS', amountOut: 0n, isLie: true }
  if (fault === 'short-fill') return { ends: 'SUCCESS', amountOut: (order.minAmountOut * 9n) / 10n }
  if (fault === 'never-fills') return { ends: 'REFUNDED', reason: 'NO_LIQUIDITY', at: order.deadlineAt + NEVER_FILLS_REFUND_MS }
  if (now > order.deadlineAt) return { ends: 'REFUNDED', reason: 'UNKNOWN', at: now + REFUND_MS }
  const freshAmountOut = order.reprice()
  if (freshAmountOut < order.minAmountOut)
    return { ends: 'REFUNDED', reason: 'AMOUNT_LESS_THAN_MIN_AMOUNT_OUT', at: now + order.timeEstimateMs + REFUND_MS }
  // A better price than quoted is shared with the venue, half and half.
  return { ends: 'SUCCESS', amountOut: freshAmountOut > quoted ? quoted + (freshAmountOut - quoted) / 2n : freshAmountOut }
}

/** The raw status at a moment. */
export const statusAt = (order: Order, now: number): string => {
  const complete = completedAt(order)
  if (complete === null) {
    if (order.paid.length > 0) return now > order.deadlineAt + REFUND_MS ? 'REFUNDED' : 'INCOMPLETE_DEPOSIT'
    return order.hint !== null && now <= order.deadlineAt ? 'KNOWN_DEPOSIT_TX' : 'PENDING_DEPOSIT'
  }
  if (now < complete + KNOWN_MS) return 'KNOWN_DEPOSIT_TX'
  const { outcome } = order
  if (outcome?.ends === 'REFUNDED') return now >= outcome.at ? 'REFUNDED' : 'PROCESSING'
  return now < complete + order.timeEstimateMs ? 'PROCESSING' : (outcome?.ends ?? 'PROCESSING')
}

/** What has gone back to the sender, less the fee of sending it. */
const refundedBy = (order: Order, status: string): bigint => {
  const isLie = order.outcome?.ends === 'SUCCESS' && order.outcome.isLie === true
  const returned = status === 'REFUNDED' || isLie ? sum(order.paid) : status === 'SUCCESS' ? sum(order.paid) - order.amountIn : 0n
  return returned > order.refundFee ? returned - order.refundFee : 0n
}

const detailsAt = (order: Order, status: string): Fields => {
  const delivered = status === 'SUCCESS' && order.outcome?.ends === 'SUCCESS' ? order.outcome : null
  const hasTransaction = delivered !== null && !delivered.isLie
  const reason = order.outcome?.ends === 'REFUNDED' ? order.outcome.reason : 'PARTIAL_DEPOSIT'
  return {
    intentHashes: [],
    nearTxHashes: [],
    amountIn: delivered ? order.amountIn.toString() : null,
    amountOut: delivered ? delivered.amountOut.toString() : null,
    slippage: null,
    depositedAmount: order.paid.length > 0 ? sum(order.paid).toString() : null,
    refundedAmount: refundedBy(order, status).toString(),
    refundReason: status === 'REFUNDED' ? reason : null,
    refundFee: order.refundFee.toString(),
    withdrawFee: String(order.response.quote['withdrawFee']),
    originChainTxHashes: order.paid.map(({ txHash }) => ({ hash: txHash, explorerUrl: '' })),
    destinationChainTxHashes: hasTransaction ? [{ hash: order.destinationTxHash, explorerUrl: '' }] : [],
  }
}

/** The body of a status answer, but for its `correlationId`. */
export const statusBody = (order: Order, now: number, override: string | null): Fields => {
  const status = statusAt(order, now)
  const { correlationId: _quoteId, ...quoteResponse } = order.response
  return {
    status: override ?? status,
    updatedAt: new Date(now).toISOString(),
    quoteResponse: {
      ...quoteResponse,
      // Defaults come back as null here, as the real status has them.
      quoteRequest: {
        referral: null,
        virtualChainRecipient: null,
        virtualChainRefundRecipient: null,
        ...order.response.quoteRequest,
      },
    },
    swapDetails: detailsAt(order, status),
  }
}

/** Older orders are forgotten, so that a long run cannot fill the memory. */
const ORDERS_MAX = 10_000

export interface OrderBook {
  open(terms: OrderTerms): void
  /** By deposit address, EVM addresses in any case. */
  find(depositAddress: string): Order | null
  /** The order a deposit is for, with the deposit booked; null when the address is none of ours. */
  book(deposit: SimDeposit, now: number): { readonly order: Order; readonly isNowComplete: boolean } | null
}

export const createOrderBook = (): OrderBook => {
  const orders = new Map<string, Order>()
  const keyOf = (address: string) => (address.startsWith('0x') ? address.toLowerCase() : address)
  const find = (address: string) => orders.get(keyOf(address)) ?? null

  const open = (terms: OrderTerms): void => {
    orders.set(keyOf(terms.depositAddress), { ...terms, paid: [], hint: null, outcome: null })
    const [oldest] = orders.keys()
    if (orders.size > ORDERS_MAX && oldest !== undefined) orders.delete(oldest)
  }

  const isRightToken = ({ input }: Order, { chainId, token }: SimDeposit): boolean =>
    chainId === input.chainId &&
    (token.toLowerCase() === input.address.toLowerCase() ||
      (parseAddress(ecosystemOf(input.chainId as ChainId), token) ?? '') === input.address)

  const book: OrderBook['book'] = (deposit, now) => {
    const order = find(deposit.address)
    if (!order) return null
    // Another token than the one quoted is not seen by the venue at all.
    if (!isRightToken(order, deposit)) return { order, isNowComplete: false }
    const wasComplete = completedAt(order) !== null
    order.paid.push({ amount: deposit.amount, at: now, txHash: deposit.txHash })
    return { order, isNowComplete: !wasComplete && completedAt(order) !== null }
  }
  return { open, find, book }
}
