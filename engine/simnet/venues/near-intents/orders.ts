import { parseAddress } from '../../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { type Fate, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { createFulfilment, type Fulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { payOut } from '../../kit/payOut.ts'
import type { SimDeposit } from '../../kit/simVenue.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'

type Fields = { readonly [field: string]: unknown }

/** A quote that opened a deposit address. The refund of what has not been swapped begins when it closes. */
export type OrderTerms = Terms & {
  readonly amountOut: bigint
  readonly withdrawFee: bigint
  readonly timeEstimate: number
  /** The whole answer to the quote request, which the status repeats. */
  readonly response: { readonly quoteRequest: Fields; readonly quote: Fields } & Fields
  readonly depositAddress: string
  readonly input: SimToken
  readonly output: SimToken
  readonly recipient: string
  readonly refundTo: string
  readonly minAmountOut: bigint
  /** Of no transaction: what the venue names when it lies. */
  readonly inventedTxHash: string
  /** What the deposit would fetch now, destination units; zero when nothing. */
  reprice(): bigint
}

export type Order = OrderTerms & Progress & { hint: string | null }

export interface Orders extends Pick<Fulfilment<Order>, 'seen' | 'completedAt'> {
  open(terms: OrderTerms): void
  /** By deposit address, EVM addresses in any case. */
  find(depositAddress: string): Order | null
  /** True when the payment was to an address of an order. */
  deposit(payment: SimDeposit): boolean
}

/** How long a refund takes. */
const REFUND_MS = 60_000
const NEVER_FILLS_REFUND_MS = 60 * 60_000

/** At the price of this moment. */
const decideFate = ({ clock, faults }: World, venue: string, order: OrderTerms, completedAt: number | null): Fate => {
  const { amountNeeded, amountOut, minAmountOut: minimum, openUntil } = order
  const timeEstimateMs = order.timeEstimate * 1_000
  if (completedAt === null) return refunds(openUntil + REFUND_MS, 'PARTIAL_DEPOSIT')
  const now = clock.now()
  const fill = fills(completedAt + timeEstimateMs, amountOut, amountNeeded)
  const fault = takeSettlementFault(faults, venue)
  const refundAt = openUntil + NEVER_FILLS_REFUND_MS
  // What it says it has delivered, it sends back: https://github.com/defuse-protocol/one-click-sdk-typescript/issues/20
  if (fault === 'lying-success') return { ...fill, isClaim: true, keeps: 0n }
  if (fault) return fateByFault(fault, { fill, minimum, refundAt, reason: 'NO_LIQUIDITY' })
  if (now > openUntil) return refunds(now + REFUND_MS, 'UNKNOWN')
  const fresh = order.reprice()
  if (fresh < minimum) return refunds(now + timeEstimateMs + REFUND_MS, 'AMOUNT_LESS_THAN_MIN_AMOUNT_OUT')
  // A better price than quoted is shared with the venue, half and half.
  return { ...fill, amount: fresh > amountOut ? amountOut + (fresh - amountOut) / 2n : fresh }
}

/** Another token than the one quoted is not seen by the venue at all. */
const isOfToken = ({ input }: OrderTerms, { chainId, token }: SimDeposit): boolean =>
  chainId === input.chainId &&
  (token.toLowerCase() === input.address.toLowerCase() ||
    (parseAddress(ecosystemOf(input.chainId as ChainId), token) ?? '') === input.address)

/** What it pays out and gives back are transactions on the chains. */
export const createOrders = (world: World, venue: string): Orders => {
  const orders = new BoundedMap<string, Order>()
  const keyOf = (address: string) => (address.startsWith('0x') ? address.toLowerCase() : address)
  const fulfilment = createFulfilment<Order>(world, {
    decide: (order, completedAt) => decideFate(world, venue, order, completedAt),
    instead: () => refunds(world.clock.now() + REFUND_MS, 'UNKNOWN'),
    deliver: ({ output: token, recipient: to }, amount) => payOut(world, { token, to, amount }),
    giveBack: ({ input: token, refundTo: to }, amount) => payOut(world, { token, to, amount }),
    vanished: () => undefined,
  })
  const find: Orders['find'] = (address) => orders.get(keyOf(address)) ?? null
  return {
    seen: fulfilment.seen,
    completedAt: fulfilment.completedAt,
    open: (terms) => orders.set(keyOf(terms.depositAddress), { ...terms, ...untouched(), hint: null }),
    find,
    deposit: (payment) => {
      const order = find(payment.address)
      if (order && isOfToken(order, payment)) fulfilment.pay(order, payment)
      return order !== null
    },
  }
}
