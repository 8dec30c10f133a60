import { MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { refuseIf } from '../../kit/refusal.ts'
import type { QuoteRequest } from './quoteRequest.ts'

const FLAT_MICROS = 20_000n
const GAS_MICROS: { readonly [chainId: number]: bigint } = { 1: 1_200_000n, '-1': 1_500_000n, '-2': 10_000n }
const OTHER_GAS_MICROS = 4_000n
const DEPTH_MICROS = 1_500_000n * MICROS
/** What a swap moves the price by: one more millionth for every this many dollars. */
const DOLLARS_PER_PPM = 100n
/** The solver waits for blocks, and holds bitcoin meanwhile. */
const BITCOIN_BPS = 25n
/** Satoshi, to bring what was paid to an address of its own to where all is kept. */
const SWEEP_SATOSHI = 1_300n

const platformBps = ({ input, output }: QuoteRequest): bigint =>
  input.currency === output.currency ? (input.currency === 'USD' ? 1n : 0n) : 6n

/**
 * A question with its price: fees in smallest units of the input, the others of the output. `misquoted` is what a fault
 * multiplies the output by. Throws Refusal below the minimum and beyond the depth.
 */
export const priced = <R extends QuoteRequest>(request: R, market: Market, misquoted = 1n) => {
  const { origin, destination, input, output, amount, appFees, slippageBps } = request
  const worth = usdMicrosOf(market, input, amount)
  refuseIf(worth > DEPTH_MICROS, 'INSUFFICIENT_LIQUIDITY', 'The solver has not enough of that')
  const bitcoin = origin.vm === 'bvm' || destination.vm === 'bvm' ? BITCOIN_BPS : 0n
  const sharePpm = (platformBps(request) + bitcoin) * 100n + worth / MICROS / DOLLARS_PER_PPM
  const flat = FLAT_MICROS + (GAS_MICROS[destination.chainId] ?? OTHER_GAS_MICROS)
  const sweep = origin.vm === 'bvm' ? SWEEP_SATOSHI : 0n
  const relayerFee = unitsFor(market, input, flat) + (amount * sharePpm) / MICROS + sweep
  const appFee = appFees.reduce((sum, { bps }) => sum + (amount * BigInt(bps)) / 10_000n, 0n)
  const swapped = amount - relayerFee - appFee
  const expected = market.convert(input, swapped, output) * misquoted
  const isTooLow = swapped * 2n < amount || expected === 0n
  refuseIf(isTooLow, 'AMOUNT_TOO_LOW', 'Swap output amount is too small to cover fees required to execute swap')
  const minimum = (expected * BigInt(10_000 - slippageBps)) / 10_000n
  const timeEstimate = origin.vm === 'bvm' ? 900 : origin.chainId === 1 ? 12 : 2
  return { ...request, expected, minimum, appFee, relayerFee, timeEstimate }
}

export type Deal = ReturnType<typeof priced<QuoteRequest>>
