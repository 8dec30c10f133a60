import type { Config } from '../../../engine/config/config.ts'
import type { Token } from '../../../engine/core/asset.ts'
import type { Clock } from '../../../engine/core/clock.ts'
import type { Order } from '../../../engine/core/order.ts'
import type { RouteType } from '../../../engine/core/route.ts'
import { publishedWorths } from '../../../engine/quoting/chooseOffer.ts'
import { feeFor } from '../../../engine/quoting/fee.ts'
import { type QuoteReads, startQuoteReads } from '../../../engine/quoting/quoteReads.ts'
import { DROPPED } from '../../../engine/quoting/raceRecord.ts'
import { medianWorth, type PublishedWorth } from '../../../engine/quoting/rank.ts'
import { needsTrust } from '../../../engine/quoting/trust.ts'
import type { GuardedVenue } from '../../../engine/venues/guard.ts'
import { connect } from '../network.ts'
import { createProgress } from '../progress.ts'
import { orderOf, type Pair, ROUTE_PAIRS, type Wallets } from './pairs.ts'
import { CONTEXT, NEEDS_ADDRESS, type Trial, tryVenue } from './tryVenue.ts'

export type CanaryOptions = {
  readonly wallets: Wallets
  readonly openDeposits: boolean
  /** Undefined: every enabled venue, every route class. */
  readonly venues: readonly string[] | undefined
  readonly routes: readonly RouteType[] | undefined
}

/** One route class at one venue. */
export type Row = Trial & {
  readonly venue: string
  readonly route: RouteType
  readonly pair: Pair
  /** Null where a wallet is not named. */
  readonly order: Order | null
  /** Null where its chain could not be read. */
  readonly outputToken: Token | null
  /** What price lists make of the input. */
  readonly lists: readonly PublishedWorth[]
}

/** `venues`: those that were to be asked. */
export type CanaryRun = { readonly rows: readonly Row[]; readonly venues: readonly string[] }

export type Reference = { readonly amount: bigint; readonly witnesses: number; readonly distanceBps: number }

/** The median of the other venues' offers and of price lists of others, smallest units; null below two of them. */
export const referenceOf = ({ venue: own, pair, offer, lists }: Row, rows: readonly Row[]): Reference | null => {
  const offers = rows.flatMap((row) =>
    row.pair === pair && row.offer !== null ? [{ venue: row.venue, amount: row.offer.outputAmount }] : [],
  )
  const witnesses = [...offers, ...lists].filter(({ venue }) => venue !== own)
  const amount = medianWorth(witnesses) ?? 0n
  if (witnesses.length < 2 || amount === 0n || offer === null) return null
  return { amount, witnesses: witnesses.length, distanceBps: Number(((offer.outputAmount - amount) * 10_000n) / amount) }
}

/** Refuses a price that the race would drop. */
const judgePrice = (row: Row, rows: readonly Row[], { quote }: Config): Row => {
  const reference = referenceOf(row, rows)
  if (reference === null || reference.distanceBps <= (quote.outlierFactor - 1) * 10_000) return row
  return { ...row, state: 'failed', verdict: `${row.venue}.outlier`, found: DROPPED.outlier }
}

const AT_ONCE = 4

/** Asks every enabled venue for one small swap of each route class it serves, and proves the payload. */
export const runCanary = async (config: Config, clock: Clock, options: CanaryOptions): Promise<CanaryRun> => {
  const { openDeposits } = options
  const { venues, chains, close } = connect(config, { clock, observe: () => undefined })
  const startLate = () => ({ signal: AbortSignal.timeout(config.quote.deadlineMs), clear: () => undefined })
  const listing = [...venues.values()].filter(({ isEnabled }) => isEnabled)
  const feeBpsOf = (pair: Pair): number => feeFor(pair, CONTEXT.caller, config.fees.schedule).bps
  const isSold = ({ profile }: GuardedVenue, pair: Pair): boolean => {
    if ((pair.opens && !openDeposits) || (pair.only.length > 0 && !pair.only.includes(profile.id))) return false
    return profile.serves(pair) && (config.venuesOnTrust || !needsTrust(profile, { ...pair, feeBps: feeBpsOf(pair) }))
  }
  const tasks = listing.map((venue) => ({
    venue,
    routes: ROUTE_PAIRS.flatMap(([route, pairs]) => {
      const pair = options.routes?.includes(route) === false ? undefined : pairs.find((one) => isSold(venue, one))
      return pair === undefined ? [] : [{ route, pair }]
    }),
  }))
  // A venue that does not serve the routes that were named is not missing.
  const chosen = tasks.filter(
    ({ venue, routes }) =>
      (options.venues?.includes(venue.profile.id) ?? true) && (options.routes === undefined || routes.length > 0),
  )
  const readings = new Map<Pair, QuoteReads>()
  const readsOf = (pair: Pair, order: Order): QuoteReads => {
    const limits = { signal: startLate().signal, priceSignal: startLate().signal, startLate }
    const reads = readings.get(pair) ?? startQuoteReads(chains, { venues: listing, listing }, order, limits, CONTEXT)
    readings.set(pair, reads)
    return reads
  }
  const tryRoute = async (venue: GuardedVenue, route: RouteType, pair: Pair): Promise<Row> => {
    const order = orderOf(pair, feeBpsOf(pair), options.wallets)
    const row = { venue: venue.profile.id, route, pair, order }
    const unasked = { ms: 0, offer: null, proof: null, found: null, exchanges: { quote: [], execute: [] } }
    if (order === null) return { ...row, ...unasked, ...NEEDS_ADDRESS, outputToken: null, lists: [] }
    const reads = readsOf(pair, order)
    const [{ value: outputToken }, lists] = await Promise.all([reads.outputToken, publishedWorths(order, reads)])
    return { ...row, ...(await tryVenue(venue, order, { config, clock, reads, openDeposits })), outputToken, lists }
  }
  const rows: Row[][] = chosen.map(() => [])
  const waiting = [...chosen.entries()]
  const progress = createProgress('trying')
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, { venue, routes }] = next
      progress.at(chosen.length - waiting.length, chosen.length)
      for (const { route, pair } of routes) rows[at]?.push(await tryRoute(venue, route, pair))
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    const all = rows.flat()
    return { rows: all.map((row) => judgePrice(row, all, config)), venues: chosen.map(({ venue }) => venue.profile.id) }
  } finally {
    progress.end()
    await close()
  }
}
