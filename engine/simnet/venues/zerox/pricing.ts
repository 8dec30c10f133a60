import { MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { refuseIf } from '../../kit/refusal.ts'
import type { Question } from './question.ts'

/** The largest swap that anybody takes, in millionths of a US dollar. */
const DEPTH_MICROS = 3_000_000n * MICROS
/** Of pairs whose tokens follow one another, and of others. */
const SPREAD_PPM = { same: 100n, other: 700n }
const ZEROX_BPS = 15n
/** Of a relayed trade, in millionths of a dollar, and the least that is worth it. */
const GAS_MICROS = (chainId: number): bigint => (chainId === 1 ? 900_000n : 6_000n)
const LEAST_MICROS = (chainId: number): bigint => (chainId === 1 ? 10n : 1n) * MICROS
const SLIPPAGE_WHOLE = 1_000_000n

/** Of the bought token, in smallest units: what the pool gives, who takes what of it in turn, and what is left. */
export type Deal = Question & {
  readonly gross: bigint
  readonly integratorFee: bigint
  readonly zeroxFee: bigint
  readonly gasFee: bigint
  /** Of what the integrator left, what 0x takes, the gas of relayed trades within. */
  readonly zeroxBps: bigint
  readonly net: bigint
  readonly minimum: bigint
}

/** Throws Refusal below the least that is relayed. Null: nobody sells. */
export const dealOf = (question: Question, market: Market, misquoted = 1n): Deal | null => {
  const { sell, buy, amount, isGasless, chainId, fee, slippagePpm } = question
  const worth = usdMicrosOf(market, sell, amount)
  const least = unitsFor(market, sell, LEAST_MICROS(chainId))
  const minSellAmount = least.toString()
  refuseIf(isGasless && amount < least, 'SELL_AMOUNT_TOO_SMALL', 'The sell amount is too small', { minSellAmount })
  const spread = sell.currency === buy.currency ? SPREAD_PPM.same : SPREAD_PPM.other
  const gross = ((market.convert(sell, amount, buy) * (MICROS - spread)) / MICROS) * misquoted
  const integratorFee = fee ? (gross * fee.bps) / 10_000n : 0n
  const left = gross - integratorFee
  if (worth > DEPTH_MICROS || left === 0n) return null
  const gas = isGasless ? unitsFor(market, buy, GAS_MICROS(chainId)) : 0n
  const zeroxBps = ZEROX_BPS + (gas * 10_000n + left - 1n) / left
  if (zeroxBps >= 10_000n) return null
  const taken = (left * zeroxBps) / 10_000n
  const zeroxFee = (left * ZEROX_BPS) / 10_000n
  const net = left - taken
  const minimum = (net * (SLIPPAGE_WHOLE - slippagePpm)) / SLIPPAGE_WHOLE
  if (minimum === 0n) return null
  return { ...question, gross, integratorFee, zeroxFee, gasFee: taken - zeroxFee, zeroxBps, net, minimum }
}
