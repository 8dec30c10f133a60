import type { Pair } from './pairs.ts'
import { createParties, fundSender } from './parties.ts'
import { type Outcome, type TryPorts, tryPair } from './tryPair.ts'

/** One pair at one venue. */
export type Trial = { readonly venue: string; readonly pair: Pair; readonly outcome: Outcome }

export type SweepOptions = {
  readonly serviceUrl: string
  readonly controlUrl: string
  readonly venues: readonly string[]
  readonly pairs: readonly Pair[]
  readonly seed: string
  readonly onProgress?: (done: number, all: number) => void
}

/** As a client does: a decline that may pass is asked about once more. A chain whose node is still starting makes some. */
const tryAgain = async (venue: string, pair: Pair, ports: TryPorts): Promise<Outcome> => {
  const first = await tryPair(venue, pair, ports)
  return first.result === 'declined' && first.isRetryable ? tryPair(venue, pair, ports) : first
}

/** More at once would only wait for the two cores. */
const AT_ONCE = 6

/** Tries every pair at every venue alone, in the order given whatever order they end in. */
export const runSweep = async (options: SweepOptions): Promise<readonly Trial[]> => {
  const { serviceUrl, controlUrl, venues, pairs, seed, onProgress } = options
  const parties = createParties(seed)
  await fundSender(controlUrl, parties)
  const wanted = venues.flatMap((venue) => pairs.map((pair) => ({ venue, pair })))
  const trials: Trial[] = []
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    for (;;) {
      const at = next
      next += 1
      const one = wanted[at]
      if (!one) return
      const excludeVenues = venues.filter((other) => other !== one.venue)
      trials[at] = { ...one, outcome: await tryAgain(one.venue, one.pair, { serviceUrl, excludeVenues, parties }) }
      done += 1
      onProgress?.(done, wanted.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return trials
}

/** What a service must be started with so that nothing but its venues says no. */
export const SWEEP_ENVIRONMENT = {
  PORT: '0',
  METRICS_PORT: 'off',
  SIMNET_CONTROL_PORT: '0',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
  VENUE_DEBRIDGE_REQUESTS_PER_MINUTE: '1000000',
  VENUE_KYBERSWAP_REQUESTS_PER_MINUTE: '1000000',
  VENUE_JUPITER_REQUESTS_PER_MINUTE: '1000000',
  VENUE_RELAY_REQUESTS_PER_MINUTE: '1000000',
  VENUE_THORCHAIN_REQUESTS_PER_MINUTE: '1000000',
  VENUE_ZEROX_REQUESTS_PER_MINUTE: '1000000',
  VENUE_UNISWAPX_REQUESTS_PER_MINUTE: '1000000',
  VENUE_LIFI_REQUESTS_PER_MINUTE: '1000000',
  // All that it can sell, whoever else sells it.
  VENUE_LIFI_DENY_BRIDGES: 'none',
  // A busy machine must not look like a slow venue.
  QUOTE_DEADLINE_MS: '30000',
  QUOTE_SOFT_DEADLINE_MS: '30000',
} as const
