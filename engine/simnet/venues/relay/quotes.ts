import { parseAddress } from '../../../core/address.ts'
import type { Asset } from '../../../core/asset.ts'
import { BITCOIN, CHAIN_IDS, type ChainId, ecosystemOf } from '../../../core/chain.ts'
import { PINNED, spelled, toCurrency, toWireChain } from '../../../venues/relay/protocol.ts'
import { MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import {
  amount,
  each,
  type FieldProblem,
  flag,
  listOf,
  matching,
  oneOf,
  readFields,
  record,
  text,
  type,
} from '../../kit/fields.ts'
import type { Market } from '../../kit/market.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** Requests to `/price` and `/quote/v2`, and the price of a swap. */

const TEXT = text(1, 256)
const CHAIN = type('a chain of Relay', (value) => CHAIN_IDS.find((chainId) => toWireChain(chainId) === value))
const BPS = matching('basis points', /^([0-9]{1,4}|10000)$/)

const PRICE = {
  required: {
    ...each(TEXT, 'user', 'originCurrency', 'destinationCurrency'),
    ...each(CHAIN, 'originChainId', 'destinationChainId'),
    ...{ amount, tradeType: oneOf('EXACT_INPUT') },
  },
  optional: {
    ...each(TEXT, 'recipient', 'refundTo', 'referrer'),
    ...{ slippageTolerance: BPS, useDepositAddress: flag },
    appFees: listOf(record({ required: { recipient: TEXT, fee: BPS }, optional: {} }), 8),
  },
}
const QUOTE = { ...PRICE, optional: { ...PRICE.optional, ...each(flag, 'strict', 'disableOriginSwaps') } }

/** Refused before the request is read further: without a code. */
export const refuseField = ({ kind, name, expects }: FieldProblem): Refusal =>
  new Refusal(null, kind === 'unknown' ? `body must NOT have additional properties: ${name}` : `body/${name} must be ${expects}`)

/** An address in Relay's spelling, as answers and orders have it. */
export const spelledOn = ({ chainId }: { readonly chainId: number }, address: string): string =>
  spelled(chainId as ChainId, address)

/** Tokens of the offline network have valid addresses. */
export const assetOf = (token: SimToken): Asset => token as unknown as Asset

export const currencyOf = (token: SimToken): string => spelledOn(token, toCurrency(assetOf(token)))

const tokenOf = (tokens: SimTokens, chainId: ChainId, currency: string): SimToken | null =>
  tokens.all.find((token) => token.chainId === chainId && currencyOf(token) === spelled(chainId, currency)) ?? null

const SOLVER_SYMBOLS = new Set(['USDC', 'USDT', 'USDG'])

/** Whether the solver holds it, and takes it without a swap. */
export const isSolverCurrency = ({ isNative, symbol }: SimToken): boolean => isNative || SOLVER_SYMBOLS.has(symbol)

type Asked = { readonly isPrice: boolean; readonly isKeyed: boolean }

/** Throws Refusal. */
export const readQuoteRequest = (raw: unknown, tokens: SimTokens, { isPrice, isKeyed }: Asked) => {
  const body: ReturnType<typeof readFields<typeof PRICE.required, typeof PRICE.optional>> = isPrice
    ? readFields(raw, PRICE, refuseField)
    : readFields(raw, QUOTE, refuseField)
  const { originChainId, destinationChainId, slippageTolerance = '200', appFees = [] } = body
  refuseIf(body.referrer !== undefined && !isKeyed, 'UNAUTHORIZED_QUOTE', 'Please provide an api key', { status: 401 })
  const token = (chainId: ChainId, currency: string): SimToken =>
    found(tokenOf(tokens, chainId, currency), 'UNSUPPORTED_CURRENCY', `Unknown currency ${currency}`)
  const [input, output] = [token(originChainId, body.originCurrency), token(destinationChainId, body.destinationCurrency)]
  const isPlayed = originChainId !== destinationChainId && isSolverCurrency(input)
  refuseIf(!isPlayed, 'NO_SWAP_ROUTES_FOUND', 'no exchange on one chain is played offline')
  const isAddressed = body.useDepositAddress === true
  refuseIf(isAddressed !== (originChainId === BITCOIN), null, 'offline, bitcoin is paid to an address, and nothing else is')
  const address = (chainId: ChainId, text: string): string =>
    found(parseAddress(ecosystemOf(chainId), text), 'INVALID_ADDRESS', `Invalid address ${text}`)
  const user = address(originChainId, body.user)
  const recipient = address(destinationChainId, body.recipient ?? user)
  refuseIf(tokens.find(destinationChainId, recipient) !== null, 'INVALID_RECIPIENT', 'recipient is a token contract')
  return {
    ...{ user, recipient, input, output, amount: body.amount, origin: originChainId, destination: destinationChainId },
    refundTo: body.refundTo === undefined ? null : address(originChainId, body.refundTo),
    slippageBps: Number(slippageTolerance),
    feeBps: appFees.map(({ fee }) => BigInt(fee)),
  }
}

type QuoteRequest = Readonly<ReturnType<typeof readQuoteRequest>>

const FLAT_MICROS = 20_000n
const GAS_MICROS: { readonly [chainId: number]: bigint } = { 1: 1_200_000n, '-1': 1_500_000n, '-2': 10_000n }
const OTHER_GAS_MICROS = 4_000n
const DEPTH_MICROS = 1_500_000n * MICROS
/** A swap moves the price by one more millionth for every this many dollars. */
const DOLLARS_PER_PPM = 100n
/** The solver waits for blocks, and holds bitcoin meanwhile. */
const BITCOIN_BPS = 25n
/** The cost of collecting a deposit from its own address. */
const SWEEP_SATOSHI = 1_300n

const platformBps = ({ input, output }: QuoteRequest): bigint =>
  input.currency === output.currency ? (input.currency === 'USD' ? 1n : 0n) : 6n

/**
 * A request with its price. The fee is in smallest units of the input, the others of the output. A fault multiplies the output by
 * `misquoted`. Throws Refusal below the minimum and beyond the depth.
 */
export const priced = <R extends QuoteRequest>(request: R, market: Market, misquoted = 1n) => {
  const { origin, destination, input, output, amount: paid, feeBps, slippageBps } = request
  const worth = usdMicrosOf(market, input, paid)
  refuseIf(worth > DEPTH_MICROS, 'INSUFFICIENT_LIQUIDITY', 'The solver has not enough of that')
  const bitcoin = origin === BITCOIN || destination === BITCOIN ? BITCOIN_BPS : 0n
  const sharePpm = (platformBps(request) + bitcoin) * 100n + worth / MICROS / DOLLARS_PER_PPM
  const flat = FLAT_MICROS + (GAS_MICROS[destination] ?? OTHER_GAS_MICROS)
  const relayerFee = unitsFor(market, input, flat) + (paid * sharePpm) / MICROS + (origin === BITCOIN ? SWEEP_SATOSHI : 0n)
  const appFee = feeBps.reduce((sum, bps) => sum + (paid * bps) / 10_000n, 0n)
  const swapped = paid - relayerFee - appFee
  const expected = market.convert(input, swapped, output) * misquoted
  const isTooLow = swapped * 2n < paid || expected === 0n
  refuseIf(isTooLow, 'AMOUNT_TOO_LOW', 'Swap output amount is too small to cover fees required to execute swap')
  const minimum = (expected * BigInt(10_000 - slippageBps)) / 10_000n
  return { ...request, expected, minimum, appFee }
}

export type Deal = ReturnType<typeof priced<QuoteRequest>>

export const currencyBody = (token: SimToken) => {
  const { chainId, symbol, name, decimals } = token
  return { chainId: toWireChain(chainId as ChainId), address: currencyOf(token), symbol, name, decimals }
}

export const amountBody = (token: SimToken, units: bigint, minimum = units) => ({
  ...{ currency: currencyBody(token), amount: units.toString(), minimumAmount: minimum.toString() },
})

/** `details` and `fees`: the answer of `/price`, and a part of that of `/quote/v2`. */
export const priceBody = ({ user, recipient, input, output, amount: paid, origin, expected, minimum, appFee }: Deal) => ({
  fees: { app: amountBody(input, appFee) },
  details: {
    ...{ sender: user, recipient },
    currencyIn: amountBody(input, paid),
    currencyOut: amountBody(output, expected, minimum),
    timeEstimate: origin === BITCOIN ? 900 : origin === 1 ? 12 : 2,
  },
})

/** The newest router of a chain, which deliveries and refunds in coins go through; null where there is none. */
export const routerOf = (chainId: ChainId): string | null => PINNED[chainId].routers[0]?.toLowerCase() ?? null
