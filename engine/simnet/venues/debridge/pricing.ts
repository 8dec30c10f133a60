import { MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { isReserve, isSvm, PROTOCOL_FEE_BPS } from './networks.ts'
import type { Question } from './question.ts'

/** What the solver keeps of an order, and what filling and unlocking cost it, in millionths of a dollar. */
const MARGIN_BPS = 4n
const EXPENSE_MICROS: { readonly [chainId: number]: bigint } = { 1: 900_000n }
const OTHER_EXPENSE_MICROS = 60_000n
/** What a pool keeps. */
const SWAP_BPS = 5n
const DEPTH_MICROS = 5_500_000n * MICROS

/** The token an order is made of: the input itself, or what it is swapped for before. */
const givenOf = ({ origin, input }: Question, tokens: SimTokens): SimToken => {
  if (isReserve(input)) return input
  const usdc = tokens.all.find(({ chainId, symbol }) => chainId === origin.chainId && symbol === 'USDC')
  // Programs that swap on Solana are not here, and coins are wrapped by them.
  if (!usdc || input.isNative || isSvm(origin)) throw new Refusal('IMPOSSIBLE_ROUTE', 'No route to a reserve asset')
  return usdc
}

/** A question with its price. `misquoted` is what a fault multiplies the output by. Throws Refusal for too little and too much. */
export const priced = (
  question: Question,
  { tokens, market }: { readonly tokens: SimTokens; readonly market: Market },
  misquoted = 1n,
) => {
  const { input, output, amount, fee, origin, destination } = question
  const given = givenOf(question, tokens)
  refuseIf(usdMicrosOf(market, input, amount) > DEPTH_MICROS, 'IMPOSSIBLE_ROUTE', 'No liquidity for that much')
  const swapped = (market.convert(input, amount, given) * (10_000n - SWAP_BPS)) / 10_000n
  const gross = given === input ? amount : swapped
  const protocolFee = (gross * PROTOCOL_FEE_BPS) / 10_000n
  const affiliateFee = fee === null ? 0n : (gross * BigInt(fee.ppm)) / MICROS
  const net = gross - protocolFee - affiliateFee
  const expense = [origin, destination].map(({ chainId }) => EXPENSE_MICROS[chainId] ?? OTHER_EXPENSE_MICROS)
  const cost = unitsFor(
    market,
    given,
    expense.reduce((sum, micros) => sum + micros, 0n),
  )
  refuseIf(cost * 2n > net, 'ERROR_LOW_GIVE_AMOUNT', 'The give amount does not cover the operating expenses')
  const takeAmount = (market.convert(given, net - cost, output) * (10_000n - MARGIN_BPS) * misquoted) / 10_000n
  refuseIf(takeAmount === 0n, 'INCLUDED_GAS_FEE_NOT_COVERED_BY_INPUT_AMOUNT', 'Nothing would be left')
  return { ...question, given, gross, protocolFee, affiliateFee, net, cost, takeAmount, delay: origin.chainId === 1 ? 15 : 3 }
}

export type Deal = ReturnType<typeof priced>
