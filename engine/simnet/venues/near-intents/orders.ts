import { parseAddress } from '../../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import type { SimDeposit } from '../../kit/simVenue.ts'
import type { SimToken } from '../../kit/tokens.ts'

type Fields = { readonly [field: string]: unknown }

/** A quote that opened a deposit address. */
export type OrderTerms = {
  /** The whole answer to the quote request, which the status repeats. */
  readonly response: { readonly quoteRequest: Fields; readonly quote: Fields } & Fields
  readonly depositAddress: string
  readonly input: SimToken
  readonly output: SimToken
  readonly recipient: string
  readonly refundTo: string
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly minAmountOut: bigint
  readonly refundFee: bigint
  readonly timeEstimateMs: number
  /** When the refund of what has not been swapped begins. */
  readonly deadlineAt: number
  /** Of no transaction: what the venue names when it lies. */
  readonly inventedTxHash: string
  /** What the deposit would fetch now, destination units; zero when nothing. */
  reprice(): bigint
}

/** A payment to the deposit address. */
export type Paid = { readonly amount: bigint; readonly at: number; readonly txHash: string }

/** How the swap is going to end, now that the deposit is complete. `at` is the epoch ms of the refund. */
export type Outcome =
  | { readonly ends: 'SUCCESS'; readonly amountOut: bigint; readonly isLie?: boolean }
  | { readonly ends: 'REFUNDED'; readonly reason: string; readonly at: number }
  | { readonly ends: 'FAILED' }

/** How the swap ended. `kept` is what the venue has of the deposit; the rest, and whatever comes later, goes back. */
type End =
  | { readonly status: 'SUCCESS'; readonly amountOut: bigint; readonly txHash: string; readonly kept: bigint }
  | { readonly status: 'REFUNDED'; readonly reason: string }
  | { readonly status: 'FAILED' }

export type Order = OrderTerms & {
  readonly paid: Paid[]
  hint: string | null
  /** What will be done about a deposit that was complete at this time. */
  decision: { readonly completedAt: number; readonly outcome: Outcome } | null
  end: End | null
  /** Of the deposit, what was sent back or was too little to be: fees included. */
  returned: bigint
  /** What was sent back, each with its transaction. */
  readonly refunds: { readonly amount: bigint; readonly txHash: string }[]
  /** When the order is looked after next. */
  visitAt: number | null
}

/** Older orders are forgotten, so that a long run cannot fill the memory. */
const ORDERS_MAX = 10_000

export interface OrderBook {
  open(terms: OrderTerms): void
  /** By deposit address, EVM addresses in any case. */
  find(depositAddress: string): Order | null
}

export const createOrderBook = (): OrderBook => {
  const orders = new Map<string, Order>()
  const keyOf = (address: string) => (address.startsWith('0x') ? address.toLowerCase() : address)
  return {
    open: (terms) => {
      const order = { ...terms, paid: [], hint: null, decision: null, end: null, returned: 0n, refunds: [], visitAt: null }
      orders.set(keyOf(terms.depositAddress), order)
      const [oldest] = orders.keys()
      if (orders.size > ORDERS_MAX && oldest !== undefined) orders.delete(oldest)
    },
    find: (address) => orders.get(keyOf(address)) ?? null,
  }
}

/** Another token than the one quoted is not seen by the venue at all. */
export const isOfToken = ({ input }: OrderTerms, { chainId, token }: SimDeposit): boolean =>
  chainId === input.chainId &&
  (token.toLowerCase() === input.address.toLowerCase() ||
    (parseAddress(ecosystemOf(input.chainId as ChainId), token) ?? '') === input.address)
