import { MICROS } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import type { Pool } from './networks.ts'
import { ONE } from './units.ts'

/** What a swap of no size costs, and how much more for every two hundred dollars, in millionths. */
const LEAST_PPM = 1_900n
const DOLLARS_PER_PPM = 200n
const MOST_PPM = 900_000n
/** The least is four times what it costs to send. */
const MARGIN = 4n

export type Question = {
  readonly from: Pool
  readonly to: Pool
  /** Eight decimals. */
  readonly amount: bigint
  readonly affiliateBps: number
}

/** In eight decimals of the output. */
export type Price = {
  readonly emitted: bigint
  readonly affiliate: bigint
  readonly liquidity: bigint
  readonly outbound: bigint
  /** What arrives; nothing where that is less than what sending it costs. */
  readonly expected: bigint
  readonly slippageBps: number
  /** In eight decimals of the input. */
  readonly least: bigint
}

const coinOf = ({ network, token }: Pool, native: (chainId: number) => Pool['token']) =>
  token.isNative ? token : native(network.chainId)

/** What it costs to send this, in its own eight decimals. */
export const outboundFeeOf = (pool: Pool, market: Market, native: (chainId: number) => Pool['token']): bigint =>
  (pool.network.outboundFee * market.usdMicros(coinOf(pool, native))) / market.usdMicros(pool.token)

export const priceOf = (
  { from, to, amount, affiliateBps }: Question,
  { market, native, misquoted = 1n }: { market: Market; native: (chainId: number) => Pool['token']; misquoted?: bigint },
): Price => {
  const [paid, bought] = [market.usdMicros(from.token), market.usdMicros(to.token)]
  const swapped = amount - (amount * BigInt(affiliateBps)) / 10_000n
  const dollars = (swapped * paid) / ONE / MICROS
  const ppm = LEAST_PPM + dollars / DOLLARS_PER_PPM
  const kept = ppm > MOST_PPM ? MOST_PPM : ppm
  const whole = (swapped * paid * misquoted) / bought
  const emitted = (whole * (MICROS - kept)) / MICROS
  const outbound = outboundFeeOf(to, market, native)
  const least = MARGIN * ((outbound * bought) / paid)
  return {
    ...{ emitted, outbound, least, liquidity: whole - emitted },
    affiliate: ((amount - swapped) * paid * misquoted) / bought,
    expected: emitted > outbound ? emitted - outbound : 0n,
    slippageBps: Number(kept / 100n),
  }
}
