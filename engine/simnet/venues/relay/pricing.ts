import { MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import { isSolverCurrency } from './networks.ts'
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
/** An exchange before the deposit. */
const EXCHANGE_BPS = 15n
/** Of every automatic quote in the vendor's documents, whatever the pair. */
const AUTOMATIC_SLIPPAGE_BPS = 200

const platformBps = ({ input, output }: QuoteRequest): bigint =>
  input.currency === output.currency ? (input.currency === 'USD' ? 1n : 0n) : 6n

/** Millionths of the input. */
const shareOf = (request: QuoteRequest, worth: bigint): bigint => {
  const { origin, destination, input } = request
  const exchange = isSolverCurrency(input) ? 0n : EXCHANGE_BPS
  const bitcoin = origin.vm === 'bvm' || destination.vm === 'bvm' ? BITCOIN_BPS : 0n
  return (platformBps(request) + exchange + bitcoin) * 100n + worth / MICROS / DOLLARS_PER_PPM
}

/**
 * Prices an exact input: fees in smallest units of the input, the others of the output. `misquoted` is what a fault multiplies
 * the output by. Throws Refusal below the minimum and beyond the depth.
 */
export const priceOf = (request: QuoteRequest, market: Market, misquoted = 1n) => {
  const { origin, destination, input, output, amount, appFees } = request
  const worth = usdMicrosOf(market, input, amount)
  refuseIf(worth > DEPTH_MICROS, 'INSUFFICIENT_LIQUIDITY', 'The solver has not enough of that')
  const flat = FLAT_MICROS + (GAS_MICROS[destination.chainId] ?? OTHER_GAS_MICROS)
  const sweep = request.useDepositAddress && origin.vm === 'bvm' ? SWEEP_SATOSHI : 0n
  const relayerFee = unitsFor(market, input, flat) + (amount * shareOf(request, worth)) / MICROS + sweep
  const appFee = appFees.reduce((sum, { bps }) => sum + (amount * BigInt(bps)) / 10_000n, 0n)
  const swapped = amount - relayerFee - appFee
  const tooLow = 'Swap output amount is too small to cover fees required to execute swap'
  if (swapped * 2n < amount) throw new Refusal('AMOUNT_TOO_LOW', tooLow)
  const expected = market.convert(input, swapped, output) * misquoted
  refuseIf(expected === 0n, 'AMOUNT_TOO_LOW', 'Swap output amount is too small')
  const slippageBps = request.slippageBps ?? AUTOMATIC_SLIPPAGE_BPS
  const minimum = (expected * BigInt(10_000 - slippageBps)) / 10_000n
  const timeEstimate = origin.vm === 'bvm' ? 900 : origin.chainId === 1 ? 12 : 2
  return { expected, minimum, slippageBps, appFee, relayerFee, timeEstimate }
}

export type Price = Readonly<ReturnType<typeof priceOf>>
