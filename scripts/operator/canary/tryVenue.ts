import type { Config } from '../../../engine/config/config.ts'
import type { Clock } from '../../../engine/core/clock.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { Order } from '../../../engine/core/order.ts'
import type { Proof } from '../../../engine/core/proof.ts'
import { SwapError } from '../../../engine/errors.ts'
import { buildExecution } from '../../../engine/execution/build/buildExecution.ts'
import { type Exchange, recordExchanges } from '../../../engine/net/exchanges.ts'
import { createLoopWatch } from '../../../engine/net/loopWatch.ts'
import { pause } from '../../../engine/net/pause.ts'
import type { CallContext } from '../../../engine/observe/callContext.ts'
import { sealBridged } from '../../../engine/quoting/bridgedLeast.ts'
import { requireSignable } from '../../../engine/quoting/canSign.ts'
import type { QuoteReads } from '../../../engine/quoting/quoteReads.ts'
import { type RaceEntry, race } from '../../../engine/quoting/race.ts'
import { contradictsChain, DROPPED } from '../../../engine/quoting/raceRecord.ts'
import { orderFor } from '../../../engine/quoting/tolerance.ts'
import type { GuardedVenue } from '../../../engine/venues/guard.ts'
import { rejected, VenueError } from '../../../engine/venues/venueError.ts'

/** Anonymous callers have the largest part of what a venue allows, and pay the fee of the operator's schedule. */
export const CONTEXT: CallContext = {
  requestId: 'canary',
  caller: { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 1 },
  client: 'operator',
  signal: new AbortController().signal,
  observe: () => undefined,
}

/** How long a quote waits for its turn: the least that a venue allows is one call a minute. */
const TURN_MS = 65_000
const TURN_CHECK_MS = 500

/** How one swap went at one venue. */
export type Trial = {
  /** `notOpened`: building the payload would open a deposit address. `needsAddress`: a wallet is not named, or refused. */
  readonly state: 'accepted' | 'notOpened' | 'needsAddress' | 'failed'
  /** `accepted`, `<venue>.<check>` of a rejected answer, the kind of another error, or what is missing. */
  readonly verdict: string
  /** Why it failed or the wallet is refused, else null. */
  readonly found: string | null
  /** Of the quote and the payload together, without waiting for a turn. */
  readonly ms: number
  readonly offer: Offer | null
  readonly proof: Proof | null
  /** What was sent and answered, without keys. */
  readonly exchanges: { readonly [call in 'quote' | 'execute']: readonly Exchange[] }
}

export type TrialPorts = {
  readonly config: Pick<Config, 'quote'>
  readonly clock: Clock
  readonly reads: QuoteReads
  readonly openDeposits: boolean
}

/** Holds an offer to all that the race holds it to. Waits while the venue's limit is used up. */
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

export const NEEDS_ADDRESS = { state: 'needsAddress', verdict: 'needs a funded address' } as const

const failureOf = (venue: GuardedVenue, { kind, check, found: value, message, party }: VenueError) => {
  const found = value === null || value === message ? message : `${message}: ${value}`
  // The venue refuses the wallet, most often because it lacks the amount.
  if (kind === 'badRequest' && party === 'sender') return { ...NEEDS_ADDRESS, found }
  return { state: 'failed' as const, verdict: kind === 'rejected' ? `${venue.profile.id}.${check}` : kind, found }
}

/** Tries one swap at one venue: signs nothing and keeps nothing. Rejects for defects of ours alone. */
export const tryVenue = async (venue: GuardedVenue, order: Order, ports: TrialPorts): Promise<Trial> => {
  const { config, clock, openDeposits } = ports
  const exchanges: { readonly [call in 'quote' | 'execute']: Exchange[] } = { quote: [], execute: [] }
  const { outcome, elapsedMs } = await recordExchanges(exchanges.quote, () => quote(venue, order, ports))
  const nothing = { ms: elapsedMs, offer: null, proof: null, found: null, exchanges }
  if (outcome.result === 'error') return { ...nothing, ...failureOf(venue, outcome.error) }
  if (outcome.result !== 'offer')
    return { ...nothing, state: 'failed', verdict: outcome.result, found: 'not asked: it kept failing' }
  const { offer } = outcome
  const { recipient, refundTo } = order
  const quoted = { ...nothing, offer }
  if (offer.executionType === 'DEPOSIT' && !openDeposits) return { ...quoted, state: 'notOpened', verdict: 'deposit not opened' }
  const sealed = { order: orderFor(venue.profile, order, config.quote.slippageBpsMaxDefault), offer }
  const builtSince = performance.now()
  const msSoFar = (): number => elapsedMs + Math.round(performance.now() - builtSince)
  try {
    const build = () => buildExecution(venue, sealed, { recipient, refundTo }, { ...CONTEXT, clock })
    const { proof } = await recordExchanges(exchanges.execute, build)
    return { ...quoted, state: 'accepted', verdict: 'accepted', ms: msSoFar(), proof }
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    // The only refusal without a cause.
    const moved = new VenueError('noLiquidity', 'the price fell below the quoted minimum')
    return { ...quoted, ms: msSoFar(), ...failureOf(venue, error.cause instanceof VenueError ? error.cause : moved) }
  }
}
