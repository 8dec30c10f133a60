import { unitsOf, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { bridgeClassOf, bridgedTokenOn, type Network } from './networks.ts'
import { ONE, type SwapQuery } from './swapQuery.ts'

export type CrossSwapType = 'bridgeableToBridgeable' | 'anyToBridgeable' | 'bridgeableToAny' | 'anyToAny'

/** Which tokens the bridge itself carries; they differ from those asked for when an exchange comes before or after. */
export type Route = { readonly type: CrossSwapType; readonly bridgeIn: SimToken; readonly bridgeOut: SimToken }

/** One exchange on the way. */
export type Leg = {
  readonly from: SimToken
  readonly to: SimToken
  readonly amountIn: bigint
  readonly expected: bigint
  readonly minimum: bigint
  readonly slippage: bigint
}

export type Price = Route & {
  readonly originSwap: Leg | null
  readonly destinationSwap: Leg | null
  readonly bridgeInput: bigint
  readonly bridgeOutput: bigint
  readonly fees: { readonly lp: bigint; readonly relayerCapital: bigint; readonly destinationGas: bigint; readonly total: bigint }
  readonly appFee: bigint
  readonly expectedOutput: bigint
  readonly minOutput: bigint
  readonly fillSeconds: number
}

const notEnabled = ({ origin, destination, input, output }: SwapQuery): Refusal =>
  new Refusal(
    'ROUTE_NOT_ENABLED',
    `Route from ${input.symbol} on ${origin.wireId} to ${output.symbol} on ${destination.wireId} is not enabled`,
  )

export const planRoute = (query: SwapQuery, tokens: SimTokens): Route => {
  const { origin, destination, input, output } = query
  const from = bridgeClassOf(input)
  const to = bridgeClassOf(output)
  if (from !== null && from === to) return { type: 'bridgeableToBridgeable', bridgeIn: input, bridgeOut: output }
  if (to !== null) {
    const bridgeIn = bridgedTokenOn(tokens, origin, to)
    if (bridgeIn) return { type: 'anyToBridgeable', bridgeIn, bridgeOut: output }
  }
  const carried = from ?? 'USDC'
  const bridgeIn = from === null ? bridgedTokenOn(tokens, origin, carried) : input
  const bridgeOut = bridgedTokenOn(tokens, destination, carried)
  if (!bridgeIn || !bridgeOut) throw notEnabled(query)
  return { type: from === null ? 'anyToAny' : 'bridgeableToAny', bridgeIn, bridgeOut }
}

const EXCHANGE_SPREAD_BPS = 10n
/** Exchanges move more than this before a transaction lands. */
const LEAST_SLIPPAGE = ONE / 2_000n

const autoSlippage = ({ currency }: SimToken, isDestination: boolean): bigint => {
  const origin = currency === 'USD' || currency === 'EUR' ? 25n : currency === 'ETH' || currency === 'BTC' ? 75n : 250n
  return ((isDestination ? origin * 2n : origin) * ONE) / 10_000n
}

const takeLeg = (market: Market, leg: Pick<Leg, 'from' | 'to' | 'amountIn' | 'slippage'>): Leg => {
  if (leg.slippage < LEAST_SLIPPAGE)
    throw new Refusal('SWAP_SLIPPAGE_INSUFFICIENT', 'Slippage is too low for this route', { param: 'slippage' })
  const expected = (market.convert(leg.from, leg.amountIn, leg.to) * (10_000n - EXCHANGE_SPREAD_BPS)) / 10_000n
  return { ...leg, expected, minimum: (expected * (ONE - leg.slippage)) / ONE }
}

const MOST_USD_MICROS = 4_000_000_000_000n
const INSTANT_USD_MICROS = 500_000_000_000n

/** Relayer fees of one bridge leg, in the token that is deposited. */
export const bridgeFees = (market: Market, token: SimToken, amount: bigint, destination: Network): Price['fees'] => {
  const lp = amount / 100_000n
  const relayerCapital = amount / 10_000n
  const destinationGas = unitsOf(market, token, destination.chainId === 1 ? 1_400_000n : 30_000n)
  return { lp, relayerCapital, destinationGas, total: lp + relayerCapital + destinationGas }
}

export const limitsOf = (market: Market, token: SimToken, destination: Network) => {
  const { destinationGas } = bridgeFees(market, token, 0n, destination)
  const deep = unitsOf(market, token, MOST_USD_MICROS)
  const instant = unitsOf(market, token, INSTANT_USD_MICROS)
  return {
    minDeposit: destinationGas * 4n,
    maxDeposit: deep,
    maxDepositInstant: instant,
    maxDepositShortDelay: deep,
    recommendedDepositInstant: instant,
  }
}

/** True where relayers cannot advance the whole amount at once: filled slowly, by the protocol itself. */
export const isSlow = (market: Market, token: SimToken, amount: bigint): boolean =>
  usdMicrosOf(market, token, amount) > INSTANT_USD_MICROS

const bridge = (query: SwapQuery, route: Route, amount: bigint, market: Market): { output: bigint; fees: Price['fees'] } => {
  const fees = bridgeFees(market, route.bridgeIn, amount, query.destination)
  if (fees.total * 4n > amount) throw new Refusal('AMOUNT_TOO_LOW', 'Sent amount is too low relative to fees')
  if (usdMicrosOf(market, route.bridgeIn, amount) > MOST_USD_MICROS)
    throw new Refusal('AMOUNT_TOO_HIGH', 'Amount exceeds max. deposit limit: there is not enough liquidity')
  return { output: market.convert(route.bridgeIn, amount - fees.total, route.bridgeOut), fees }
}

/** Prices a checked question. `distort` makes the venue misquote on purpose. */
export const priceSwap = (
  query: SwapQuery,
  { market, tokens, distort }: { market: Market; tokens: SimTokens; distort: (output: bigint) => bigint },
): Price => {
  const route = planRoute(query, tokens)
  const { input, output, amount } = query
  const swapsBefore = route.bridgeIn !== input
  const swapsAfter = route.bridgeOut !== output
  const share = swapsBefore && swapsAfter ? 2n : 1n
  const slippageOf = (token: SimToken, isDestination: boolean): bigint =>
    query.slippage === null ? autoSlippage(token, isDestination) : query.slippage / share
  const originSwap = swapsBefore
    ? takeLeg(market, { from: input, to: route.bridgeIn, amountIn: amount, slippage: slippageOf(input, false) })
    : null
  const bridgeInput = originSwap?.minimum ?? amount
  const bridged = bridge(query, route, bridgeInput, market)
  const bridgeOutput = distort(bridged.output)
  const destinationSwap = swapsAfter
    ? takeLeg(market, { from: route.bridgeOut, to: output, amountIn: bridgeOutput, slippage: slippageOf(output, true) })
    : null
  const least = destinationSwap?.minimum ?? bridgeOutput
  const likely = destinationSwap?.expected ?? bridgeOutput
  const appFee = (least * (query.appFee?.fraction ?? 0n)) / ONE
  return {
    ...route,
    originSwap,
    destinationSwap,
    bridgeInput,
    bridgeOutput,
    appFee,
    fees: bridged.fees,
    minOutput: least - appFee,
    expectedOutput: (likely * (ONE + (originSwap?.slippage ?? 0n))) / ONE - appFee,
    fillSeconds: isSlow(market, route.bridgeIn, bridgeInput) ? 5_400 : query.origin.chainId === 1 ? 12 : 3,
  }
}
