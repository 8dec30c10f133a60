import { MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { type AppFee, type CheckedRequest, refused } from './quoteRequest.ts'

/** The account the real venue pays its own share of fees to. */
const VENUE_FEE_ACCOUNT = '5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd'

/** 20 bps without an API key; with one, the venue keeps half of the integrator's fees, and at least this. */
const KEYLESS_BPS = 20
const LEAST_SHARE_BPS = 20
const LEAST_STABLE_SHARE_BPS = 1

/** 0.0001 %, on everything. */
const PROTOCOL_FEE_PPM = 1n
const SPREAD_PPM = 650n
/** One more millionth of price impact for every this many dollars. */
const DOLLARS_PER_PPM = 1_000n
const DEPTH_DOLLARS = 2_000_000n

const WITHDRAW_FEE_MICROS: { readonly [chainId: number]: bigint } = { 1: 1_200_000n, '-1': 1_500_000n, '-2': 50_000n }
const OTHER_WITHDRAW_FEE_MICROS = 30_000n
const LEAST_INPUT_MICROS = 500_000n
/** Smaller Bitcoin deposits count as dust. */
const LEAST_SATOSHI = 5_000n

const TIME_ESTIMATE_SECONDS: { readonly [chainId: number]: number } = { 1: 80, '-1': 812, '-2': 32 }

/** The fee list as the venue will apply and echo it. */
export const applyFeePolicy = ({ appFees, input, output }: CheckedRequest, hasKey: boolean): readonly AppFee[] => {
  const venueFee = (fee: number): AppFee => ({ recipient: VENUE_FEE_ACCOUNT, fee })
  if (!hasKey) return [...appFees, venueFee(KEYLESS_BPS)]
  const asked = appFees.reduce((sum, { fee }) => sum + fee, 0)
  if (asked === 0) return appFees
  const isStable = input.token.currency === 'USD' && output.token.currency === 'USD'
  const share = Math.max(Math.floor(asked / 2), isStable ? LEAST_STABLE_SHARE_BPS : LEAST_SHARE_BPS)
  return [...appFees.map(({ recipient, fee }) => ({ recipient, fee: Math.ceil(fee / 2) })), venueFee(share)]
}

export type Price = {
  readonly amountOut: bigint
  readonly withdrawFee: bigint
  /** Origin units, taken out of a refund. */
  readonly refundFee: bigint
  readonly timeEstimate: number
}

/** Prices an exact input, net of every fee. Throws Refusal below the minimum and beyond the depth. */
export const priceOf = ({ input, output, amount }: CheckedRequest, fees: readonly AppFee[], market: Market): Price => {
  const isBitcoin = input.token.chainId === -1
  const least = isBitcoin ? LEAST_SATOSHI : unitsFor(market, input.token, LEAST_INPUT_MICROS)
  if (amount < least) throw refused(`Amount is too low for bridge, try at least ${least}`)
  const dollars = usdMicrosOf(market, input.token, amount) / MICROS
  if (dollars > DEPTH_DOLLARS) throw refused('No liquidity available')
  const feePpm = BigInt(fees.reduce((sum, { fee }) => sum + fee, 0)) * 100n + PROTOCOL_FEE_PPM
  const swapped = (amount * (MICROS - feePpm)) / MICROS
  const gross = (market.convert(input.token, swapped, output.token) * (MICROS - SPREAD_PPM - dollars / DOLLARS_PER_PPM)) / MICROS
  const withdrawFee = unitsFor(market, output.token, WITHDRAW_FEE_MICROS[output.token.chainId] ?? OTHER_WITHDRAW_FEE_MICROS)
  if (gross <= withdrawFee) {
    const needed = unitsFor(market, input.token, usdMicrosOf(market, output.token, withdrawFee) * 2n)
    throw refused(`Amount is too low for bridge, try at least ${needed}`)
  }
  return {
    amountOut: gross - withdrawFee,
    withdrawFee,
    refundFee: isBitcoin ? 1_900n : unitsFor(market, input.token, 20_000n),
    timeEstimate: Math.max(TIME_ESTIMATE_SECONDS[input.token.chainId] ?? 36, TIME_ESTIMATE_SECONDS[output.token.chainId] ?? 36),
  }
}
