import { unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { Book } from './book.ts'
import { NATIVE_MARKER } from './networks.ts'

export type Pair = { readonly sell: SimToken; readonly buy: SimToken }

export type Quoted = {
  /** Of a sale, after the network cost; of a purchase, before it. */
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  /** Network cost in the sell token. */
  readonly feeAmount: bigint
  readonly protocolFeeBps: string
}

export type Price = Quoted & {
  /** What the whole input is worth here before any fee, which partner fees are a share of. */
  readonly gross: bigint
}

/** The largest order that anyone will fill, in millionths of a US dollar. */
const DEPTH_USD_MICROS = 2_000_000n * 1_000_000n

/** Tokens that follow one another trade closer, and the protocol asks less of them. Tenths of a basis point. */
const TERMS = {
  correlated: { spread: 5n, protocolFee: 3n, protocolFeeBps: '0.3' },
  ordinary: { spread: 60n, protocolFee: 20n, protocolFeeBps: '2' },
} as const

const TENTHS = 100_000n

const less = (amount: bigint, tenthsOfBps: bigint): bigint => (amount * (TENTHS - tenthsOfBps)) / TENTHS

/** The tokens of an order by address, or the API's error for a pair it takes no orders for. */
export const pairOf = ({ world, network }: Book, sellToken: string, buyToken: string): Pair => {
  const isNativeSold = sellToken === NATIVE_MARKER
  refuseIf(isNativeSold, 'InvalidNativeSellToken', 'the chain native token cannot be sold; use its wrapped form')
  const isUnwrap = sellToken === network.wrappedNative && buyToken === NATIVE_MARKER
  refuseIf(sellToken === buyToken || isUnwrap, 'SameBuyAndSellToken', 'buy token is the same as the sell token')
  const sell = world.tokens.find(network.chainId, sellToken)
  const buy = world.tokens.find(network.chainId, buyToken)
  if (!sell || !buy) throw new Refusal('UnsupportedToken', `token ${sell ? buyToken : sellToken} is unsupported: no price`)
  return { sell, buy }
}

const networkCost = ({ world, network }: Book, { sell }: Pair): bigint =>
  unitsFor(world.market, sell, network.settlementUsdMicros)

const termsOf = ({ sell, buy }: Pair) => (sell.currency === buy.currency ? TERMS.correlated : TERMS.ordinary)

/** There is no route for it. */
const refuseRoute = (isWrong: boolean): void => refuseIf(isWrong, 'NoLiquidity', 'no route found', { status: 404 })

const requireDepth = ({ world }: Book, { sell }: Pair, amount: bigint): void =>
  refuseRoute(usdMicrosOf(world.market, sell, amount) > DEPTH_USD_MICROS)

/** What has `tenthsOfBps` more than `amount`, rounded up. */
const beforeLess = (amount: bigint, tenthsOfBps: bigint): bigint => {
  const left = TENTHS - tenthsOfBps
  return (amount * TENTHS + left - 1n) / left
}

/** What buying `amount` would cost now; the network cost comes on top. */
export const priceBuy = (book: Book, pair: Pair, amount: bigint): Quoted => {
  const { spread, protocolFee, protocolFeeBps } = termsOf(pair)
  const worth = book.world.market.convert(pair.buy, amount, pair.sell) + 1n
  const sellAmount = beforeLess(beforeLess(worth, spread), protocolFee)
  const feeAmount = networkCost(book, pair)
  requireDepth(book, pair, sellAmount + feeAmount)
  return { sellAmount, buyAmount: amount, feeAmount, protocolFeeBps }
}

/** What selling `amount` in all would give now. */
export const priceSell = (book: Book, pair: Pair, amount: bigint): Price => {
  requireDepth(book, pair, amount)
  const feeAmount = networkCost(book, pair)
  const data = { fee_amount: feeAmount.toString() }
  refuseIf(feeAmount >= amount, 'SellAmountDoesNotCoverFee', 'the sell amount for the sell order is lower than the fee', { data })
  const { spread, protocolFee, protocolFeeBps } = termsOf(pair)
  const worth = (sold: bigint) => less(book.world.market.convert(pair.sell, sold, pair.buy), spread)
  const sellAmount = amount - feeAmount
  const buyAmount = less(worth(sellAmount), protocolFee)
  refuseRoute(buyAmount === 0n)
  return { sellAmount, buyAmount, feeAmount, protocolFeeBps, gross: worth(amount) }
}
