import { VENUES } from '../product/sample.ts'

/** Latencies of the venues in the race, milliseconds. Real ones are about twice as long. */
const LATENCY_MS = { min: 40, max: 480 } as const
export const RACE_DEADLINE_MS = 640
/** How long a quote waits for a venue that hangs. */
export const HANG_DEADLINE_MS = 1_000

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

/** How long this venue takes over this quote: the same in every run and for every contender. */
export const drawnLatencyMs = (quote: number, venue: number): number => {
  if (draw(quote, venue + VENUES) < 1 / LATE_ONE_IN) return LATE_MS
  return Math.round(LATENCY_MS.min + draw(quote, venue) * (LATENCY_MS.max - LATENCY_MS.min))
}

/** What a race that costs nothing takes: its slowest venue, or the deadline. */
export const idealMs = (quote: number, venues = VENUES): number =>
  Math.min(RACE_DEADLINE_MS, Math.max(...Array.from({ length: venues }, (_, venue) => drawnLatencyMs(quote, venue))))
