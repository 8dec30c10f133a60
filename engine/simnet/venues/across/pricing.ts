import { unitsOf, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { bridgeClassOf, bridgedTokenOn, type Network } from './networks.ts'
import { ONE, type SwapQuery } from './swapQuery.ts'

/** One exchange on the way. */
export type Leg = {
  readonly from: SimToken
  readonly to: SimToken
  readonly amountIn: bigint
  readonly expected: bigint
  readonly minimum: bigint
  readonly slippage: bigint
}

/** Which tokens the bridge itself carries; they differ from those asked for when an exchange comes before or after. */
const planRoute = ({ origin, destination, input, output }: SwapQuery, tokens: SimTokens) => {
  const from = bridgeClassOf(input)
  const to = bridgeClassOf(output)
  if (from !== null && from === to) return { type: 'bridgeableToBridgeable', bridgeIn: input, bridgeOut: output }
  const alike = to && bridgedTokenOn(tokens, origin, to)
  if (alike) return { type: 'anyToBridgeable', bridgeIn: alike, bridgeOut: output }
  const bridgeIn = from === null ? bridgedTokenOn(tokens, origin, 'USDC') : input
  const bridgeOut = bridgedTokenOn(tokens, destination, from ?? 'USDC')
  const message = `Route from ${input.symbol} on ${origin.wireId} to ${output.symbol} on ${destination.wireId} is not enabled`
  if (!bridgeIn || !bridgeOut) throw new Refusal('ROUTE_NOT_ENABLED', message)
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
  const isTight = leg.slippage < LEAST_SLIPPAGE
  refuseIf(isTight, 'SWAP_SLIPPAGE_INSUFFICIENT', 'Slippage is too low for this route', { param: 'slippage' })
  const expected = (market.convert(leg.from, leg.amountIn, leg.to) * (10_000n - EXCHANGE_SPREAD_BPS)) / 10_000n
  return { ...leg, expected, minimum: (expected * (ONE - leg.slippage)) / ONE }
}

const MOST_USD_MICROS = 4_000_000_000_000n
const INSTANT_USD_MICROS = 500_000_000_000n

/** Relayer fees of one bridge leg, in the token that is deposited. */
export const bridgeFees = (market: Market, token: SimToken, amount: bigint, destination: Network) => {
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

/** Prices a checked question. A venue that misquotes multiplies what it bridges. */
export const priceSwap = (query: SwapQuery, { market, tokens }: World, misquoted: bigint) => {
  const route = planRoute(query, tokens)
  const { bridgeIn, bridgeOut } = route
  const { origin, destination, input, output, amount, appFee: wished } = query
  const share = bridgeIn !== input && bridgeOut !== output ? 2n : 1n
  const slippageOf = (token: SimToken, isDestination: boolean): bigint =>
    query.slippage === null ? autoSlippage(token, isDestination) : query.slippage / share
  const originSwap =
    bridgeIn === input
      ? null
      : takeLeg(market, { from: input, to: bridgeIn, amountIn: amount, slippage: slippageOf(input, false) })
  const bridgeInput = originSwap?.minimum ?? amount
  const fees = bridgeFees(market, bridgeIn, bridgeInput, destination)
  refuseIf(fees.total * 4n > bridgeInput, 'AMOUNT_TOO_LOW', 'Sent amount is too low relative to fees')
  const isTooMuch = usdMicrosOf(market, bridgeIn, bridgeInput) > MOST_USD_MICROS
  refuseIf(isTooMuch, 'AMOUNT_TOO_HIGH', 'Amount exceeds max. deposit limit: there is not enough liquidity')
  const bridgeOutput = market.convert(bridgeIn, bridgeInput - fees.total, bridgeOut) * misquoted
  const leg = { from: bridgeOut, to: output, amountIn: bridgeOutput }
  const destinationSwap = bridgeOut === output ? null : takeLeg(market, { ...leg, slippage: slippageOf(output, true) })
  const least = destinationSwap?.minimum ?? bridgeOutput
  const likely = destinationSwap?.expected ?? bridgeOutput
  const appFee = (least * (wished?.fraction ?? 0n)) / ONE
  return {
    ...route,
    ...{ originSwap, bridgeInput, bridgeOutput, destinationSwap, fees, appFee },
    minOutput: least - appFee,
    expectedOutput: (likely * (ONE + (originSwap?.slippage ?? 0n))) / ONE - appFee,
    fillSeconds: isSlow(market, bridgeIn, bridgeInput) ? 5_400 : origin.chainId === 1 ? 12 : 3,
  }
}

export type Price = Readonly<ReturnType<typeof priceSwap>>
