import { formatUsd, MICROS, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { refuseIf } from '../../kit/refusal.ts'
import type { RouteQuestion } from './questions.ts'

/** Beyond it no route is found; far beyond it none is looked for. */
const DEPTH_MICROS = 3_000_000n * MICROS
const AMOUNT_MAX_MICROS = 50_000_000n * MICROS

/** What pools keep, in millionths: less between tokens of one price, more without market makers. */
const CLOSE_PPM = 120n
const ORDINARY_PPM = 1_700n
const WITHOUT_MAKERS_PPM = 150n

export type Price = {
  readonly gross: bigint
  /** Of each receiver, rounded down by the router. */
  readonly fees: readonly bigint[]
  readonly net: bigint
  readonly usdIn: string
  readonly usdOut: string
}

/** What a question gives now. `misquoted` is what a fault multiplies it by. Throws Refusal. */
export const priceOf = (question: RouteQuestion, market: Market, misquoted: bigint): Price => {
  const { input, output, amount, fee, isWithoutMakers } = question
  const worth = usdMicrosOf(market, input, amount)
  refuseIf(worth > AMOUNT_MAX_MICROS, '4009', 'amountIn is greater than max allowed')
  refuseIf(worth > DEPTH_MICROS, '4008', 'route not found')
  const kept = (input.currency === output.currency ? CLOSE_PPM : ORDINARY_PPM) + (isWithoutMakers ? WITHOUT_MAKERS_PPM : 0n)
  const gross = (market.convert(input, amount, output) * misquoted * (MICROS - kept)) / MICROS
  const fees = fee.bps.map((bps) => (gross * bps) / 10_000n)
  const net = gross - fees.reduce((sum, one) => sum + one, 0n)
  refuseIf(net === 0n, '4008', 'route not found')
  return { gross, fees, net, usdIn: formatUsd(worth), usdOut: formatUsd(usdMicrosOf(market, output, net)) }
}
