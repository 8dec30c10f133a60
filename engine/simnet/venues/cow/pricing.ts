import { unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { type BookNetwork, NATIVE_MARKER } from './networks.ts'
import { refused } from './refusal.ts'

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
export const pairOf = (world: World, network: BookNetwork, sellToken: string, buyToken: string): Pair => {
  if (sellToken === NATIVE_MARKER)
    throw refused(400, 'InvalidNativeSellToken', 'the chain native token cannot be sold; use its wrapped form')
  const isUnwrap = sellToken === network.wrappedNative && buyToken === NATIVE_MARKER
  if (sellToken === buyToken || isUnwrap) throw refused(400, 'SameBuyAndSellToken', 'buy token is the same as the sell token')
  const sell = world.tokens.find(network.chainId, sellToken)
  const buy = world.tokens.find(network.chainId, buyToken)
  if (!sell || !buy) throw refused(400, 'UnsupportedToken', `token ${sell ? buyToken : sellToken} is unsupported: no price`)
  return { sell, buy }
}

const networkCost = ({ market }: World, { settlementUsdMicros }: BookNetwork, { sell }: Pair): bigint =>
  unitsFor(market, sell, settlementUsdMicros)

const termsOf = ({ sell, buy }: Pair) => (sell.currency === buy.currency ? TERMS.correlated : TERMS.ordinary)

const requireDepth = ({ market }: World, { sell }: Pair, amount: bigint): void => {
  if (usdMicrosOf(market, sell, amount) > DEPTH_USD_MICROS) throw refused(404, 'NoLiquidity', 'no route found')
}

/** What has `tenthsOfBps` more than `amount`, rounded up. */
const beforeLess = (amount: bigint, tenthsOfBps: bigint): bigint => {
  const left = TENTHS - tenthsOfBps
  return (amount * TENTHS + left - 1n) / left
}

/** What buying `amount` would cost now; the network cost comes on top. */
export const priceBuy = (world: World, network: BookNetwork, pair: Pair, amount: bigint): Quoted => {
  const { spread, protocolFee, protocolFeeBps } = termsOf(pair)
  const worth = world.market.convert(pair.buy, amount, pair.sell) + 1n
  const sellAmount = beforeLess(beforeLess(worth, spread), protocolFee)
  const feeAmount = networkCost(world, network, pair)
  requireDepth(world, pair, sellAmount + feeAmount)
  return { sellAmount, buyAmount: amount, feeAmount, protocolFeeBps }
}

/** What selling `amount` in all would give now. */
export const priceSell = (world: World, network: BookNetwork, pair: Pair, amount: bigint): Price => {
  const { sell, buy } = pair
  requireDepth(world, pair, amount)
  const feeAmount = networkCost(world, network, pair)
  if (feeAmount >= amount)
    throw refused(400, 'SellAmountDoesNotCoverFee', 'the sell amount for the sell order is lower than the fee', {
      data: { fee_amount: feeAmount.toString() },
    })
  const { spread, protocolFee, protocolFeeBps } = termsOf(pair)
  const sellAmount = amount - feeAmount
  const buyAmount = less(less(world.market.convert(sell, sellAmount, buy), spread), protocolFee)
  if (buyAmount === 0n) throw refused(404, 'NoLiquidity', 'no route found')
  return { sellAmount, buyAmount, feeAmount, protocolFeeBps, gross: less(world.market.convert(sell, amount, buy), spread) }
}
