import { unitsOf, usdMicrosOf } from '../../kit/dollars.ts'
import { amount, each, type FieldProblem, matching, oneOf, queryFields, readFields, type } from '../../kit/fields.ts'
import type { Market } from '../../kit/market.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { addressOn, bridgeClassOf, bridgedTokenOn, findToken, isSvm, type Network, networkByWireId } from './networks.ts'

/** Fractions are scaled by 10^18. */
export const ONE = 10n ** 18n

/** A fraction of at most so many hundredths, scaled. */
const upTo = (percent: bigint) =>
  type('a fraction', (value) => {
    const [, whole = '', digits = ''] = /^(\d)(?:\.(\d{1,18}))?$/.exec(String(value)) ?? []
    const scaled = whole === '' ? null : BigInt(whole) * ONE + BigInt(digits.padEnd(18, '0'))
    return scaled !== null && scaled * 100n <= percent * ONE ? scaled : undefined
  })
const ADDRESS = matching('an address', /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/)

const QUERY = {
  required: {
    ...each(amount, 'amount', 'originChainId', 'destinationChainId'),
    ...each(ADDRESS, 'inputToken', 'outputToken', 'depositor'),
  },
  optional: {
    ...each(ADDRESS, 'recipient', 'refundAddress', 'appFeeRecipient'),
    ...each(oneOf('true', 'false'), 'skipOriginTxEstimation', 'skipChecks'),
    integratorId: matching('two bytes', /^0x[0-9a-fA-F]{4}$/),
    tradeType: oneOf('exactInput'),
    routingPreference: oneOf('across'),
    refundOnOrigin: oneOf('true'),
    slippage: upTo(50n),
    appFee: upTo(100n),
  },
}

export const misfit = ({ name: param, expects }: FieldProblem): Refusal =>
  new Refusal('INVALID_PARAM', `Invalid parameter at path '${param}'. Expected ${expects}`, { param })

export const readNetwork = (wireId: bigint, param: string): Network =>
  found(networkByWireId(wireId), 'INVALID_PARAM', `Unsupported chain id: ${wireId}`, { param })

const readToken = (tokens: SimTokens, network: Network, address: string): SimToken =>
  found(findToken(tokens, network, address), null, `Unable to find tokenDetails for address: ${address}`, { status: 404 })

/** The query of GET /swap/approval. */
export const readQuery = (params: URLSearchParams, tokens: SimTokens) => {
  const query = readFields(queryFields(params), QUERY, misfit)
  const [origin, destination] = (['originChainId', 'destinationChainId'] as const).map((name) =>
    readNetwork(query[name], name),
  ) as [Network, Network]
  const on = (network: Network, param: 'depositor' | 'recipient' | 'refundAddress' | 'appFeeRecipient', text = query.depositor) =>
    found(addressOn(network, query[param] ?? text), 'INVALID_PARAM', `'${param}' must be an address of its chain`, { param })
  const { appFee: fraction, appFeeRecipient, slippage = ONE / 100n, integratorId = null } = query
  const isForSolana = isSvm(origin) || isSvm(destination)
  refuseIf(origin === destination || (isForSolana && fraction !== undefined), 'INVALID_PARAM', 'The route is not supported')
  const output = readToken(tokens, destination, query.outputToken)
  refuseIf(isForSolana && bridgeClassOf(output) === null, 'INVALID_PARAM', 'Destination swaps are not supported', {
    param: 'outputToken',
  })
  return {
    ...{ origin, destination, input: readToken(tokens, origin, query.inputToken), output, amount: query.amount },
    ...{ slippage, integratorId, depositor: on(origin, 'depositor'), recipient: on(destination, 'recipient') },
    refundAddress: on(origin, 'refundAddress'),
    appFee: fraction === undefined || !appFeeRecipient ? null : { fraction, recipient: on(destination, 'appFeeRecipient') },
    isChecked: query.skipChecks !== 'true',
  }
}
export type Query = Readonly<ReturnType<typeof readQuery>>

/** The tokens that the bridge itself carries; they differ from the requested ones when an exchange comes before or after. */
const planRoute = ({ origin, destination, input, output }: Query, tokens: SimTokens) => {
  const [from, to] = [input, output].map(bridgeClassOf)
  if (from && from === to) return { type: 'bridgeableToBridgeable', bridgeIn: input, bridgeOut: output }
  const alike = to && bridgedTokenOn(tokens, origin, to)
  if (alike) return { type: 'anyToBridgeable', bridgeIn: alike, bridgeOut: output }
  const bridgeIn = from ? input : bridgedTokenOn(tokens, origin, 'USDC')
  const bridgeOut = bridgedTokenOn(tokens, destination, from ?? 'USDC')
  if (!bridgeIn || !bridgeOut)
    throw new Refusal('ROUTE_NOT_ENABLED', `Route from ${input.symbol} to ${output.symbol} is not enabled`)
  return { type: from ? 'bridgeableToAny' : 'anyToAny', bridgeIn, bridgeOut }
}

const SPREAD_BPS = 10n
/** Exchanges move more than this before a transaction lands. */
const LEAST_SLIPPAGE = ONE / 2_000n

type Exchange = { readonly from: SimToken; readonly to: SimToken; readonly amountIn: bigint }

const takeLeg = (market: Market, leg: Exchange, slippage: bigint) => {
  refuseIf(slippage < LEAST_SLIPPAGE, 'SWAP_SLIPPAGE_INSUFFICIENT', 'Slippage is too low', { param: 'slippage' })
  const expected = (market.convert(leg.from, leg.amountIn, leg.to) * (10_000n - SPREAD_BPS)) / 10_000n
  return { ...leg, expected, minimum: (expected * (ONE - slippage)) / ONE }
}
/** One exchange on the way. */
export type Leg = Readonly<ReturnType<typeof takeLeg>>

export const MOST_USD_MICROS = 4_000_000_000_000n
export const INSTANT_USD_MICROS = 500_000_000_000n

/** Relayer fees of one bridge leg, in the token that is deposited. */
export const bridgeFees = (market: Market, token: SimToken, sum: bigint, destination: Network) => {
  const [lp, relayerCapital] = [sum / 100_000n, sum / 10_000n]
  const destinationGas = unitsOf(market, token, destination.chainId === 1 ? 1_400_000n : 30_000n)
  return { lp, relayerCapital, destinationGas, total: lp + relayerCapital + destinationGas }
}

/** True where relayers cannot advance the whole amount at once: filled slowly, by the protocol itself. */
export const isSlow = (market: Market, token: SimToken, sum: bigint): boolean =>
  usdMicrosOf(market, token, sum) > INSTANT_USD_MICROS

/** A venue that misquotes multiplies what it bridges. */
export const priceSwap = (query: Query, { market, tokens }: World, misquoted: bigint) => {
  const route = planRoute(query, tokens)
  const { bridgeIn, bridgeOut } = route
  const { origin, destination, input, output } = query
  const share = bridgeIn !== input && bridgeOut !== output ? 2n : 1n
  const slippage = query.slippage / share
  const originSwap = bridgeIn === input ? null : takeLeg(market, { from: input, to: bridgeIn, amountIn: query.amount }, slippage)
  const bridgeInput = originSwap?.minimum ?? query.amount
  const fees = bridgeFees(market, bridgeIn, bridgeInput, destination)
  refuseIf(fees.total * 4n > bridgeInput, 'AMOUNT_TOO_LOW', 'Sent amount is too low relative to fees')
  const isTooMuch = usdMicrosOf(market, bridgeIn, bridgeInput) > MOST_USD_MICROS
  refuseIf(isTooMuch, 'AMOUNT_TOO_HIGH', 'Amount exceeds max. deposit limit: there is not enough liquidity')
  const bridgeOutput = market.convert(bridgeIn, bridgeInput - fees.total, bridgeOut) * misquoted
  const leg = { from: bridgeOut, to: output, amountIn: bridgeOutput }
  const destinationSwap = bridgeOut === output ? null : takeLeg(market, leg, slippage)
  const least = destinationSwap?.minimum ?? bridgeOutput
  const appFee = (least * (query.appFee?.fraction ?? 0n)) / ONE
  return {
    ...{ ...route, originSwap, bridgeInput, bridgeOutput, destinationSwap, fees, appFee, minOutput: least - appFee },
    expectedOutput: ((destinationSwap?.expected ?? bridgeOutput) * (originSwap ? ONE + slippage : ONE)) / ONE - appFee,
    fillSeconds: isSlow(market, bridgeIn, bridgeInput) ? 5_400 : origin.chainId === 1 ? 12 : 3,
  }
}
export type Price = Readonly<ReturnType<typeof priceSwap>>
