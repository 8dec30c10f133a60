import type { Config } from '../../../engine/config/config.ts'
import type { Token } from '../../../engine/core/asset.ts'
import type { Clock } from '../../../engine/core/clock.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { Order } from '../../../engine/core/order.ts'
import type { Proof } from '../../../engine/core/proof.ts'
import type { RouteType } from '../../../engine/core/route.ts'
import { SwapError } from '../../../engine/errors.ts'
import { buildExecution } from '../../../engine/execution/build/buildExecution.ts'
import { type Exchange, recordExchanges } from '../../../engine/net/exchanges.ts'
import { createLoopWatch } from '../../../engine/net/loopWatch.ts'
import { pause } from '../../../engine/net/pause.ts'
import type { CallContext } from '../../../engine/observe/callContext.ts'
import { sealBridged } from '../../../engine/quoting/bridgedLeast.ts'
import { requireSignable } from '../../../engine/quoting/canSign.ts'
import { publishedWorths } from '../../../engine/quoting/chooseOffer.ts'
import { feeFor } from '../../../engine/quoting/fee.ts'
import { type QuoteReads, startQuoteReads } from '../../../engine/quoting/quoteReads.ts'
import { type RaceEntry, race } from '../../../engine/quoting/race.ts'
import { contradictsChain, DROPPED } from '../../../engine/quoting/raceRecord.ts'
import { medianWorth, type PublishedWorth } from '../../../engine/quoting/rank.ts'
import { orderFor } from '../../../engine/quoting/tolerance.ts'
import { needsTrust } from '../../../engine/quoting/trust.ts'
import type { GuardedVenue } from '../../../engine/venues/guard.ts'
import { rejected, VenueError } from '../../../engine/venues/venueError.ts'
import { mapAtOnce } from '../../mapAtOnce.ts'
import { connect } from '../network.ts'
import { createProgress } from '../printing.ts'
import { orderOf, type Pair, ROUTE_PAIRS, type Wallets } from './pairs.ts'

export type CanaryOptions = {
  readonly wallets: Wallets
  readonly openDeposits: boolean
  /** Undefined: every enabled venue, every route class. */
  readonly venues: readonly string[] | undefined
  readonly routes: readonly RouteType[] | undefined
}

/** The result of one route class at one venue. */
export type Row = {
  readonly venue: string
  readonly route: RouteType
  readonly pair: Pair
  /** Null if a wallet is missing. */
  readonly order: Order | null
  /** Null if its chain could not be read. */
  readonly outputToken: Token | null
  /** The worth of the input by price lists. */
  readonly lists: readonly PublishedWorth[]
  /** `notOpened`: building the payload would open a deposit address. `needsAddress`: a wallet is not named, or refused. */
  readonly state: 'accepted' | 'notOpened' | 'needsAddress' | 'failed'
  /** `accepted`, `<venue>.<check>` of a rejected answer, the kind of another error, or the missing input. */
  readonly verdict: string
  /** Why it failed or the wallet is refused, else null. */
  readonly found: string | null
  /** The duration of the quote and the payload together, without the wait for the venue's rate limit. */
  readonly ms: number
  readonly offer: Offer | null
  readonly proof: Proof | null
  /** The requests and answers, without keys. */
  readonly exchanges: { readonly [call in 'quote' | 'execute']: readonly Exchange[] }
}

type Trial = Omit<Row, 'venue' | 'route' | 'pair' | 'order' | 'outputToken' | 'lists'>

/** Anonymous callers have the largest part of what a venue allows, and pay the fee of the operator's schedule. */
const CONTEXT: CallContext = {
  requestId: 'canary',
  caller: { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 1 },
  client: 'operator',
  signal: new AbortController().signal,
  observe: () => undefined,
}

/** The maximum wait for a venue's rate limit, ms: the lowest limit is one call a minute. */
const TURN_MS = 65_000
const TURN_CHECK_MS = 500

type TrialPorts = Pick<CanaryOptions, 'openDeposits'> & {
  readonly config: Config
  readonly clock: Clock
  readonly reads: QuoteReads
}

/** Quotes with all checks of the race. Waits while the venue's rate limit is used up. */
const quote = async (venue: GuardedVenue, order: Order, { config, clock, reads }: TrialPorts): Promise<RaceEntry> => {
  const judge = async (offer: Offer, profile: GuardedVenue['profile']): Promise<Offer> => {
    await requireSignable(offer, profile, reads.senderCode)
    if (contradictsChain(offer, reads.tokensSoFar())) throw rejected('contradictsChain', DROPPED.contradictsChain, offer.decimals)
    return sealBridged(order, offer, profile, { reads, clock })
  }
  const rules = { ...config.quote, softDeadlineMs: config.quote.deadlineMs, isBelievable: () => true, judge, clock }
  for (const until = performance.now() + TURN_MS; ; await pause(TURN_CHECK_MS)) {
    const run = { ...rules, loopWatch: createLoopWatch(), context: CONTEXT, signal: CONTEXT.signal }
    const [entry] = await race([venue], order, run)
    if (entry === undefined) throw new Error('the race has one venue')
    const { outcome } = entry
    if (outcome.result !== 'error' || outcome.error.nature !== 'ownLimit' || performance.now() > until) return entry
  }
}

const NEEDS_ADDRESS = { state: 'needsAddress', verdict: 'needs a funded address' } as const

const failureOf = (venue: GuardedVenue, { kind, check, found: value, message, party }: VenueError) => {
  const found = value === null || value === message ? message : `${message}: ${value}`
  // The venue refuses the wallet, most often because it lacks the amount.
  if (kind === 'badRequest' && party === 'sender') return { ...NEEDS_ADDRESS, found }
  return { state: 'failed' as const, verdict: kind === 'rejected' ? `${venue.profile.id}.${check}` : kind, found }
}

/** Tests one swap at one venue, without a signature or a record. Rejects only for a defect of the service. */
const tryVenue = async (venue: GuardedVenue, order: Order, ports: TrialPorts): Promise<Trial> => {
  const { config, clock, openDeposits } = ports
  const exchanges: { readonly [call in 'quote' | 'execute']: Exchange[] } = { quote: [], execute: [] }
  const { outcome, elapsedMs } = await recordExchanges(exchanges.quote, () => quote(venue, order, ports))
  const nothing = { ms: elapsedMs, offer: null, proof: null, found: null, exchanges }
  if (outcome.result === 'error') return { ...nothing, ...failureOf(venue, outcome.error) }
  if (outcome.result !== 'offer')
    return { ...nothing, state: 'failed', verdict: outcome.result, found: 'not called: earlier calls failed' }
  const { offer } = outcome
  const { recipient, refundTo } = order
  const quoted = { ...nothing, offer }
  if (offer.executionType === 'DEPOSIT' && !openDeposits) return { ...quoted, state: 'notOpened', verdict: 'deposit not opened' }
  const sealed = { order: orderFor(venue.profile, order, config.quote.slippageBpsMaxDefault), offer }
  const builtSince = performance.now()
  const msSoFar = (): number => elapsedMs + Math.round(performance.now() - builtSince)
  try {
    const building = { ...CONTEXT, clock, requireClock: async () => undefined }
    const build = () => buildExecution(venue, sealed, { recipient, refundTo }, building)
    const { proof } = await recordExchanges(exchanges.execute, build)
    return { ...quoted, state: 'accepted', verdict: 'accepted', ms: msSoFar(), proof }
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    // The only refusal without a cause.
    const moved = new VenueError('noLiquidity', 'the price fell below the quoted minimum')
    return { ...quoted, ms: msSoFar(), ...failureOf(venue, error.cause instanceof VenueError ? error.cause : moved) }
  }
}

/** `venues`: the venues that the run was to call. */
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
  const progress = createProgress('trying')
  let begun = 0
  try {
    const rows = await mapAtOnce(AT_ONCE, chosen, async ({ venue, routes }) => {
      begun += 1
      progress.at(begun, chosen.length)
      const own: Row[] = []
      for (const { route, pair } of routes) own.push(await tryRoute(venue, route, pair))
      return own
    })
    const all = rows.flat()
    return { rows: all.map((row) => judgePrice(row, all, config)), venues: chosen.map(({ venue }) => venue.profile.id) }
  } finally {
    progress.end()
    await close()
  }
}
