import type { AnyEvent } from '../observe.ts'
import type { Catalogue } from './catalogue.ts'
import { OUTAGE } from './labels.ts'

type Of<E extends AnyEvent['event']> = Extract<AnyEvent, { readonly event: E }>

const seconds = (ms: number): number => Math.max(0, ms) / 1_000

const STATUS_CLASSES = ['2xx', '2xx', '2xx', '3xx', '4xx', '5xx'] as const

const statusClass = (status: number | null): string =>
  status === null ? 'gone' : (STATUS_CLASSES[Math.floor(status / 100)] ?? '5xx')

const countRequest = (to: Catalogue, { operationId, status, code, isOutage, ms }: Of<'request'>): void => {
  const operation = operationId ?? 'none'
  to.requests.inc(operation, statusClass(status))
  to.requestSeconds.observe(seconds(ms), operation)
  if (code !== undefined) to.requestErrors.inc(operation, isOutage ? OUTAGE : code)
}

const NO_ANSWER: readonly string[] = ['cut', 'slow', 'skipped', 'unwilling']

const countCall = (to: Catalogue, event: Of<'venue.call'>): void => {
  const { venue, call, outcome, kind, elapsedMs, waitedMs, route, isNotSold } = event
  to.venueCalls.inc(venue, call, outcome)
  if (route && !isNotSold && !NO_ANSWER.includes(outcome))
    to.routeQuotes.inc(venue, route, outcome === 'offer' ? 'offer' : 'none')
  if (waitedMs !== undefined) to.venueWaitSeconds.observe(seconds(waitedMs), venue)
  if (outcome === 'unwilling') return
  if (outcome === 'skipped') {
    to.venueLeftOut.inc(venue, call, kind === 'rateLimited' ? 'limit' : 'breaker')
    return
  }
  to.venueSeconds.observe(seconds(elapsedMs), venue, call)
  if (kind !== undefined) to.venueErrors.inc(venue, call, kind)
}

const countQuote = (to: Catalogue, event: Of<'quote.served'>): void => {
  to.quotes.inc(event.executable ? 'true' : 'false')
  to.quoteSeconds.observe(seconds(event.elapsedMs))
  to.quoteOverhead.observe(seconds(event.overheadMs))
  to.wins.inc(event.venue)
  if (event.leadBps !== null) to.lead.observe(event.leadBps, event.venue)
}

const countPass = (to: Catalogue, { looked, ended, failed, elapsedMs }: Of<'settlement.pass'>): void => {
  to.looks.add(looked - ended - failed, 'open')
  to.looks.add(ended, 'ended')
  to.looks.add(failed, 'failed')
  to.passSeconds.set(seconds(elapsedMs))
}

const deliveryOf = ({ httpStatus }: Of<'webhook.sent'>): string =>
  httpStatus === null ? 'failed' : httpStatus >= 200 && httpStatus < 300 ? 'accepted' : 'refused'

type Counting = { readonly [E in AnyEvent as E['event']]: ((to: Catalogue, event: E) => void) | null }

/** The metrics of each event; null: for the log only. */
const COUNTING: Counting = {
  request: countRequest,
  'request.failed': null,
  'request.refused': (to) => to.requestsBroken.inc(),
  'connections.refused': (to, { limit }) => to.connectionsRefused.inc(limit),
  'proxy.untrusted': (to, { peer }) => to.proxyUntrusted.inc(peer),
  'connection.failed': null,
  // The request event counts each refusal.
  overload: null,
  'contract.mismatch': (to) => to.contractMismatches.inc(),
  'venue.call': countCall,
  'venue.answer': (to, { venue, call, outcome, check }) => to.answers.inc(venue, call, outcome, check),
  'venue.rejected': null,
  'venue.sample.lost': (to) => to.samplesLost.inc(),
  'venue.noticed': null,
  'venue.pins': (to, { venue, differing, failures }) => {
    to.pinsDiffering.set(differing, venue)
    to.pinsUnread.set(failures.length, venue)
  },
  'venue.crowded': null,
  'venue.health': (to, { venue, healthy }) => to.venueHealthy.set(healthy ? 1 : 0, venue),
  'venue.off': (to, { venue }) => to.venueEnabled.set(0, venue),
  'quote.served': countQuote,
  'quote.refused': null,
  'quote.left': null,
  'search.unfinished': null,
  'chain.unread': (to, { chainId }) => to.chainUnread.inc(String(chainId)),
  'chain.health': (to, { chainId, endpoint, healthy }) =>
    to.endpointHealthy.set(healthy ? 1 : 0, String(chainId), String(endpoint)),
  'chain.lag': (to, { chainId, endpoint, lagging }) => to.endpointLagging.set(lagging ? 1 : 0, String(chainId), String(endpoint)),
  'chain.contradicted': (to, { chainId, endpoint }) => to.endpointContradicted.inc(String(chainId), String(endpoint)),
  'token.contradicted': null,
  'swap.executed': (to, { venue, executionType, repeated }) => {
    if (!repeated) to.executions.inc(venue, executionType)
  },
  'swap.tracked': null,
  'swap.ended': (to, { venue, state, elapsedMs }) => {
    to.swapsEnded.inc(venue, state)
    to.swapSeconds.observe(seconds(elapsedMs), venue)
  },
  'payload.refused': (to, { venue }) => to.payloadsRefused.inc(venue),
  'payment.refused': (to, { venue }) => to.simulationsRefused.inc(venue),
  'payment.charged': (to, { network, outcome }) => to.payments.inc(network, outcome),
  'signature.submitted': (to, { venue }) => to.signatures.inc(venue),
  'transaction.submitted': (to, { venue, outcome }) => to.transactions.inc(venue, outcome),
  'store.failed': (to) => to.storeFailures.inc(),
  'store.health': (to, { healthy }) => to.storeHealthy.set(healthy ? 1 : 0),
  'facilitator.health': (to, { healthy }) => to.facilitatorUp.set(healthy ? 1 : 0),
  'redis.health': (to, { healthy }) => to.redisUp.set(healthy ? 1 : 0),
  'clock.health': null,
  'service.readiness': null,
  'store.query': (to, { kind, outcome, elapsedMs }) => {
    to.storeQueries.inc(kind, outcome)
    to.storeSeconds.observe(seconds(elapsedMs), kind)
  },
  'settlement.pass': countPass,
  'settlement.failed': (to) => to.settlementFailures.inc('swap'),
  'settlement.stopped': (to) => to.settlementFailures.inc('pass'),
  'settlement.task.failed': (to) => to.settlementFailures.inc('task'),
  'swaps.archived': null,
  'webhook.sent': (to, event) => to.webhooks.inc(deliveryOf(event)),
  'webhook.stuck': (to) => to.webhooksStuck.inc(),
  'webhooks.resealed': null,
  'ledger.proved': (to, { balanced }) => to.ledgerBalanced.set(balanced ? 1 : 0),
  'ledger.mismatch': (to) => to.ledgerMismatches.inc(),
  'ledger.unproved': null,
  'log.dropped': (to, { lines }) => to.linesDropped.add(lines),
}

/** Counts one event. Its cost: a table, three look-ups in maps and an addition. */
export const countEvent = (to: Catalogue, event: AnyEvent): void => {
  const count = COUNTING[event.event] as ((to: Catalogue, event: AnyEvent) => void) | null
  if (count !== null) count(to, event)
}
