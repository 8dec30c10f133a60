import { NATIVE } from '../../../core/asset.ts'
import type { ChainId } from '../../../core/chain.ts'
import { GASLESS_CHAINS, SWAP_CHAINS } from '../../../venues/zerox/protocol.ts'
import { MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import * as fields from '../../kit/fields.ts'
import type { Market } from '../../kit/market.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest } from '../../kit/simVenue.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** The refusal of a request by one of its fields. */
export const invalid = (field: string): Refusal =>
  new Refusal('INPUT_INVALID', 'The input is invalid', { details: [{ field, reason: 'Invalid' }] })
export const refuseField = ({ name }: fields.FieldProblem): Refusal => invalid(name)

const ADDRESS = fields.lowerCase(fields.matching('an address', /^0x[0-9a-fA-F]{40}$/))
const bpsFrom = (least: number, most: number) =>
  fields.type('basis points', (value) => {
    const isInRange = typeof value === 'string' && /^[0-9]{1,5}$/.test(value) && Number(value) >= least && Number(value) <= most
    return isInRange ? BigInt(value) : undefined
  })

const queryOn = (chains: readonly ChainId[], leastSlippage: number) => ({
  required: {
    ...fields.each(ADDRESS, 'sellToken', 'buyToken', 'taker', 'recipient'),
    chainId: fields.type('a chain id', (value) => chains.find((chainId) => String(chainId) === value)),
    sellAmount: fields.amount,
    slippageBps: bpsFrom(leastSlippage, 10_000),
  },
  optional: { ...fields.each(ADDRESS, 'swapFeeRecipient', 'swapFeeToken'), swapFeeBps: bpsFrom(1, 1_000) },
})
const SWAP = queryOn(SWAP_CHAINS, 0)
const GASLESS = queryOn(GASLESS_CHAINS, 30)

/** The query of a price or a quote. Throws Refusal. */
const readQuestion = ({ path, query }: SimRequest, tokens: SimTokens) => {
  const isGasless = path.startsWith('/gasless/')
  const read = fields.readFields(fields.queryFields(query), isGasless ? GASLESS : SWAP, refuseField)
  const { chainId, sellToken, buyToken, swapFeeRecipient: receiver, swapFeeBps: bps, swapFeeToken, ...rest } = read
  const tokenOf = (token: string): SimToken =>
    found(tokens.find(chainId, token), 'TOKEN_NOT_SUPPORTED', `Token ${token} is not supported`, { token })
  const [sell, buy] = [tokenOf(sellToken), tokenOf(buyToken)]
  if (sell === buy) throw invalid('buyToken')
  if (isGasless && sell.isNative) throw invalid('sellToken')
  const fee = receiver === undefined || bps === undefined || swapFeeToken !== buyToken ? null : { receiver, bps }
  if (fee === null && [receiver, bps, swapFeeToken].some((part) => part !== undefined)) throw invalid('swapFeeToken')
  return { ...rest, chainId, sell, buy, fee, isGasless }
}

/** The maximum of a swap, in millionths of a US dollar. */
const DEPTH_MICROS = 3_000_000n * MICROS
/** Of pairs whose tokens have one price, and of others. */
const SPREAD_PPM = { same: 100n, other: 700n }
const ZEROX_BPS = 15n
/** The gas and the minimum of a signed trade, in millionths of a dollar. */
const GAS_MICROS = (chainId: number): bigint => (chainId === 1 ? 900_000n : 6_000n)
const LEAST_MICROS = (chainId: number): bigint => (chainId === 1 ? 10n : 1n) * MICROS

/**
 * A request with its price, in smallest units of the bought token: the pool pays `gross`, the recipient receives `net`. `zeroxBps`
 * is 0x's share after the integrator's fee, with the gas of signed trades. A fault multiplies the output by `misquoted`. Throws
 * Refusal; null without liquidity.
 */
export const dealOf = (request: SimRequest, tokens: SimTokens, market: Market, misquoted: bigint) => {
  const question = readQuestion(request, tokens)
  const { sell, buy, sellAmount, isGasless, chainId, fee, slippageBps } = question
  const least = unitsFor(market, sell, LEAST_MICROS(chainId))
  const isTooSmall = isGasless && sellAmount < least
  refuseIf(isTooSmall, 'SELL_AMOUNT_TOO_SMALL', 'The sell amount is too small', { minSellAmount: least.toString() })
  const spread = sell.currency === buy.currency ? SPREAD_PPM.same : SPREAD_PPM.other
  const gross = ((market.convert(sell, sellAmount, buy) * (MICROS - spread)) / MICROS) * misquoted
  const integratorFee = (gross * (fee?.bps ?? 0n)) / 10_000n
  const left = gross - integratorFee
  if (usdMicrosOf(market, sell, sellAmount) > DEPTH_MICROS || left === 0n) return null
  const gas = isGasless ? unitsFor(market, buy, GAS_MICROS(chainId)) : 0n
  const zeroxBps = ZEROX_BPS + (gas * 10_000n + left - 1n) / left
  const taken = (left * zeroxBps) / 10_000n
  const [net, zeroxFee] = [left - taken, (left * ZEROX_BPS) / 10_000n]
  const minimum = (net * (10_000n - slippageBps)) / 10_000n
  if (minimum <= 0n) return null
  return { ...question, gross, integratorFee, zeroxFee, gasFee: taken - zeroxFee, zeroxBps, net, minimum }
}

export type Deal = Exclude<ReturnType<typeof dealOf>, null>

/** A token as the API spells it. */
export const spelled = ({ address, isNative }: SimToken): string => (isNative ? NATIVE : address).toLowerCase()
