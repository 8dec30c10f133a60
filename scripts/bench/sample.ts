import { type Address, addressOf } from '../../engine/core/address.ts'
import { toAmount } from '../../engine/core/amount.ts'
import type { Caller } from '../../engine/core/caller.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import { toOrder } from '../../handlers/map/order.ts'

/** The request of every measured quote: USDC on Base to USDC on Arbitrum, with all fields. */
export const QUOTE_BODY = {
  inputChainId: 8453,
  outputChainId: 42161,
  inputToken: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  outputToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  inputAmount: '25000000',
  userAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  destinationAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  slippageBps: 50,
  rankingMode: 'best_output',
} as const

export const TOKEN_KEY = 'b7'.repeat(32)
export const QUOTE_PATH = '/api/v1/quote'
export const VENUES = 14
export const ANYBODY: Caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 1 }

/** The number of a quote is in its amount: venues draw their latency from it. */
const BASE_AMOUNT = BigInt(QUOTE_BODY.inputAmount)

const sample: VenueOrder = { ...toOrder(QUOTE_BODY, []), slippageBps: QUOTE_BODY.slippageBps }

export const sampleOrder = (quote = 0): VenueOrder => ({ ...sample, inputAmount: toAmount(BASE_AMOUNT + BigInt(quote)) })

export const bodyOf = (quote: number): string =>
  JSON.stringify({ ...QUOTE_BODY, inputAmount: (BASE_AMOUNT + BigInt(quote)).toString() })

export const numberOf = ({ inputAmount }: VenueOrder): number => Number(inputAmount - BASE_AMOUNT)

/** The contract of the nth venue. */
export const contractOf = (index: number): Address =>
  addressOf('evm', `0x${(index + 1).toString(16).padStart(2, '0').repeat(20)}`)

/** Each venue pays a little less than the one before. */
export const priceOf = (index: number, inputAmount: bigint): bigint => inputAmount - (inputAmount * BigInt(index + 1)) / 10_000n

/** Latencies of the venues, in ms. Real ones are about twice as long. */
const LATENCY_MS = { min: 40, max: 480 } as const
export const RACE_DEADLINE_MS = 640

/** One venue in so many calls does not answer in time. */
const LATE_ONE_IN = 100
const LATE_MS = 2_000

/** A number from 0 to 1 that only depends on its arguments (the finaliser of MurmurHash3). */
const draw = (quote: number, venue: number): number => {
  let hash = Math.imul(quote + 1, 0x9e3779b1) ^ Math.imul(venue + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** The latency of a venue for a quote: the same in every run and for every contender. */
export const drawnLatencyMs = (quote: number, venue: number): number => {
  if (draw(quote, venue + VENUES) < 1 / LATE_ONE_IN) return LATE_MS
  return Math.round(LATENCY_MS.min + draw(quote, venue) * (LATENCY_MS.max - LATENCY_MS.min))
}

/** The time of a race without overhead: its slowest venue, or the deadline. */
export const idealMs = (quote: number, venues = VENUES): number =>
  Math.min(RACE_DEADLINE_MS, Math.max(...Array.from({ length: venues }, (_, venue) => drawnLatencyMs(quote, venue))))
