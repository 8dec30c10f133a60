import { formatUnits, MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { lockedToken } from './networks.ts'
import type { Question } from './question.ts'

const LEAST_MICROS = 500_000n
const DEPTH_MICROS = 1_500_000n * MICROS
/** For the driver, beside its gas on the other chain. */
const FLAT_MICROS = 20_000n
const GAS_MICROS: { readonly [chainId: number]: bigint } = { 1: 1_500_000n, [-2]: 15_000n }
const OTHER_GAS_MICROS = 5_000n
export const PROTOCOL_BPS = 3
const DRIVER_BPS = 1n
/** Of every swap in a pool, on either side. */
const POOL_BPS = 5n

const less = (amount: bigint, bps: bigint): bigint => (amount * (10_000n - bps)) / 10_000n

/** What a swap before the order leaves. */
export const swapped = (market: Market, from: SimToken, amount: bigint, to: SimToken): bigint => {
  if (from === to) return amount
  const isWrap = from.chainId === to.chainId && from.isNative && to.currency === from.currency
  return isWrap ? amount : less(market.convert(from, amount, to), POOL_BPS)
}

/** What a driver gives today for what an order has locked; below zero where its costs are more than that. */
export const worthOf = (
  market: Market,
  { locked, amount, output, referrerBps }: { locked: SimToken; amount: bigint; output: SimToken; referrerBps: number },
): bigint => {
  const flat = unitsFor(market, locked, FLAT_MICROS + (GAS_MICROS[output.chainId] ?? OTHER_GAS_MICROS))
  const kept = less(amount, BigInt(PROTOCOL_BPS + referrerBps) + DRIVER_BPS) - flat
  const given = market.convert(locked, kept, output)
  return locked.currency === output.currency ? given : less(given, POOL_BPS)
}

export type Deal = Question & {
  readonly input: SimToken
  readonly output: SimToken
  readonly locked: SimToken
  /** Of `locked`, after a swap where there is one. */
  readonly middle: bigint
  readonly expected: bigint
}

/** Null where nobody offers a route. Throws Refusal below the least amount. */
export const priced = (question: Question, { market, tokens }: { market: Market; tokens: SimTokens }): Deal | null => {
  const { origin, destination, input, output, amount, referrerBps } = question
  if (!input || !output || origin === destination || !question.wantsSwift) return null
  const worth = usdMicrosOf(market, input, amount)
  const least = Number(formatUnits(unitsFor(market, input, LEAST_MICROS), input.decimals))
  // The least is not told of every chain.
  const data = origin.name === 'solana' ? {} : { data: { minAmountIn: least } }
  if (worth < LEAST_MICROS)
    throw new Refusal('AMOUNT_TOO_SMALL', `Amount too small (min ~${least} ${input.symbol})`, { ...data, status: 406 })
  const locked = lockedToken(tokens, origin, { input, output })
  if (worth > DEPTH_MICROS || locked === null) return null
  const middle = swapped(market, input, amount, locked)
  const expected = worthOf(market, { locked, amount: middle, output, referrerBps })
  return expected > 0n ? { ...question, input, output, locked, middle, expected } : null
}
