import { CounterFamily, GaugeFamily, HistogramFamily } from './families.ts'
import { createLabels, type Names } from './labels.ts'

/** Seconds. A venue has 1.5 by default and 10 at most. */
const CALL_BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 10]
/** Seconds that calls without a waiting caller are delayed. */
const WAIT_BOUNDS = [0.5, 1, 5, 15, 60, 300, 1_800]
/** Seconds of our own work, or the disk's. */
const OWN_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
/** Seconds from a swap's execution to its end: a block of an EVM chain to a day. */
const SWAP_BOUNDS = [10, 30, 60, 120, 300, 600, 1_200, 3_600, 14_400, 86_400]
const BPS_BOUNDS = [0, 1, 2, 5, 10, 25, 50, 100, 250, 1_000]

const counter = (...made: ConstructorParameters<typeof CounterFamily>) => new CounterFamily(...made)
const gauge = (...made: ConstructorParameters<typeof GaugeFamily>) => new GaugeFamily(...made)
const histogram = (...made: ConstructorParameters<typeof HistogramFamily>) => new HistogramFamily(...made)

type Labels = ReturnType<typeof createLabels>

const ofRequests = ({ operation, status, code, isExecutable, network, payment, room, peer, limit }: Labels) => ({
  underWay: gauge('swap_requests_under_way', 'Requests of a bounded kind that are being served.', [room]),
  waiting: gauge('swap_requests_waiting', 'Those that wait for a place.', [room]),
  roomMax: gauge('swap_requests_under_way_max', 'How many may be served at once.', [room]),
  requests: counter(
    'swap_requests_total',
    'Requests, by operation and class of status; gone: the client disconnected before the response.',
    [operation, status],
  ),
  requestErrors: counter('swap_request_errors_total', 'Answers with an error, by its code; OUTAGE: venues failed.', [
    operation,
    code,
  ]),
  requestSeconds: histogram(
    'swap_request_duration_seconds',
    'From the headers of a request to the end of its answer.',
    CALL_BOUNDS,
    [operation],
  ),
  requestsBroken: counter('swap_requests_refused_total', 'Connections and requests that were rejected as invalid HTTP.'),
  connectionsRefused: counter('swap_connections_refused_total', 'Refused connections, by the limit: of one address, or of all.', [
    limit,
  ]),
  proxyUntrusted: counter(
    'swap_proxy_untrusted_requests_total',
    'Answers 429 to an address that names many clients in x-forwarded-for and is not in TRUSTED_PROXIES.',
    [peer],
  ),
  contractMismatches: counter('swap_contract_mismatches_total', 'Responses that break openapi.yaml.'),
  quotes: counter('swap_quotes_total', 'Quotes that were served.', [isExecutable]),
  quoteSeconds: histogram('swap_quote_duration_seconds', 'From an order to its quote.', CALL_BOUNDS),
  quoteOverhead: histogram('swap_quote_overhead_seconds', 'What a quote took beside waiting for venues.', OWN_BOUNDS),
  payments: counter('swap_payments_total', 'Payments for single calls.', [network, payment]),
})

const ofVenues = ({
  venue,
  call,
  outcome,
  kind,
  leftOut,
  answerCall,
  failingCall,
  answerOutcome,
  check,
  routeType,
  isOffer,
  ofChain,
}: Labels) => ({
  answers: counter(
    'swap_venue_answers_total',
    'Answers of venues. rejected: a check of the service refuses the answer; notSold: a documented limit of the service; check: its id.',
    [venue, answerCall, answerOutcome, check],
  ),
  venueRejecting: gauge('swap_venue_rejecting', '1: all recent answers of this call kind are rejected, on one chain or on all.', [
    venue,
    answerCall,
    ofChain,
  ]),
  venueFailing: gauge('swap_venue_failing', '1: calls of this kind to the venue keep failing.', [venue, failingCall]),
  routeQuotes: counter(
    'swap_venue_route_quotes_total',
    'Quote calls that a venue answered, by class of route. Without those that were cut off and those outside the documented limits.',
    [venue, routeType, isOffer],
  ),
  pinsDiffering: gauge('swap_venue_pins_differing', 'Pinned contracts, ids and keys that differ from what the venue publishes.', [
    venue,
  ]),
  pinsUnread: gauge('swap_venue_pins_unread', 'Published lists and contracts that the last comparison of pins could not read.', [
    venue,
  ]),
  samplesLost: counter('swap_venue_samples_lost_total', 'Rejected answers that could not be kept for the operator.'),
  venueCalls: counter('swap_venue_calls_total', 'Calls of venues, by how they ended.', [venue, call, outcome]),
  venueErrors: counter('swap_venue_errors_total', 'Calls of venues that ended with an error, by its kind.', [venue, call, kind]),
  venueSeconds: histogram('swap_venue_call_duration_seconds', 'Calls that were sent to a venue, until they ended.', CALL_BOUNDS, [
    venue,
    call,
  ]),
  venueLeftOut: counter('swap_venue_calls_left_out_total', 'Calls that were not sent: a limit, or an open breaker.', [
    venue,
    call,
    leftOut,
  ]),
  venueWaitSeconds: histogram(
    'swap_venue_limiter_wait_seconds',
    'Time that background status calls waited for the request limit of the venue.',
    WAIT_BOUNDS,
    [venue],
  ),
  venueHealthy: gauge('swap_venue_healthy', '0: the venue keeps failing or refuses our key; its breaker is open.', [venue]),
  venueEnabled: gauge('swap_venue_enabled', '1: the venue is enabled for quotes.', [venue]),
  wins: counter('swap_quote_wins_total', 'Quotes whose best offer was of the venue.', [venue]),
  lead: histogram('swap_quote_lead_bps', 'How far the best offer was above the second best, basis points.', BPS_BOUNDS, [venue]),
})

const ofSwaps = ({ venue, executionType, state, sent }: Labels) => ({
  executions: counter('swap_executions_total', 'Executions that were handed out; a repeated one is counted once.', [
    venue,
    executionType,
  ]),
  payloadsRefused: counter('swap_payloads_refused_total', 'Payloads of venues that differ from the quote.', [venue]),
  simulationsRefused: counter('swap_simulations_refused_total', 'Payments that would have failed on their chain.', [venue]),
  signatures: counter('swap_signatures_submitted_total', 'Signatures that were forwarded.', [venue]),
  transactions: counter('swap_transactions_submitted_total', 'Signed transactions that callers submitted.', [venue, sent]),
  swapsEnded: counter('swap_swaps_ended_total', 'Swaps that ended for the first time.', [venue, state]),
  swapSeconds: histogram('swap_swap_duration_seconds', 'From the execution of a swap to its first end.', SWAP_BOUNDS, [venue]),
  openSwaps: gauge('swap_open_swaps', 'Swaps that have not ended, by state; at most 100,000 are counted.', [state]),
  oldestUnseen: gauge(
    'swap_unseen_payment_oldest_age_seconds',
    'Time since the oldest signature or transaction that no venue and no chain shows was posted, or named to /status.',
  ),
  oldestOpen: gauge('swap_open_swap_oldest_age_seconds', 'Age of the oldest swap that has not ended, by state.', [state]),
})

const ofSettlement = ({ look, settlementPart, delivery }: Labels) => ({
  looks: counter('swap_settlement_looks_total', 'Checks of open swaps by the settlement job, by result.', [look]),
  settlementFailures: counter('swap_settlement_failures_total', 'Failures of the settlement job with a cause in the service.', [
    settlementPart,
  ]),
  lastPass: gauge(
    'swap_settlement_last_pass_timestamp_seconds',
    'When a pass over the open swaps last ended on any instance. Absent until one did.',
  ),
  passSeconds: gauge('swap_settlement_last_pass_duration_seconds', 'How long that pass took.'),
  settlementOpen: gauge('swap_settlement_open', 'Open swaps that the settlement job follows.'),
  settlementDue: gauge('swap_settlement_due', 'Followed swaps that are due for a check.'),
  settlementLag: gauge('swap_settlement_lag_seconds', 'Time since the longest due check was due.'),
  settlementAbandoned: gauge('swap_settlement_abandoned', 'Open swaps that the settlement job no longer follows.'),
  webhooks: counter('swap_webhooks_sent_total', 'Webhooks, each sent once; accepted: answered with 2xx.', [delivery]),
  webhooksStuck: counter('swap_webhooks_stuck_total', 'Passes that deferred webhooks of a partner to the next pass.'),
  webhooksDue: gauge('swap_webhooks_due', 'Webhooks that are due.'),
  webhookLag: gauge('swap_webhook_lag_seconds', 'Age of the oldest due webhook.'),
  webhooksUnfinished: gauge('swap_webhooks_unfinished', 'Webhooks that may or may not have been sent.'),
})

const ofService = ({ chain, endpoint, query, queryOutcome, problem }: Labels) => ({
  ready: gauge('swap_ready', '1: requests should be sent here.'),
  degraded: gauge('swap_degraded', '1: a dependency fails.'),
  problems: gauge('swap_problem', '1: the problem exists now; starting and draining are problems too.', [problem]),
  clockCompared: gauge('swap_clock_compared', '0: fewer than two chains are readable, so the clock is not compared with them.'),
  endpointHealthy: gauge('swap_chain_endpoint_healthy', '0: the endpoint failed recently; it is read last.', [chain, endpoint]),
  endpointLagging: gauge(
    'swap_chain_endpoint_lagging',
    '1: the newest block of the endpoint is old. It is read after endpoints with newer blocks.',
    [chain, endpoint],
  ),
  endpointContradicted: counter(
    'swap_chain_endpoint_contradicted_total',
    'Payments that only this endpoint of the chain has shown or lacked, for an hour.',
    [chain, endpoint],
  ),
  chainUnread: counter('swap_chain_reads_failed_total', 'Reads that no endpoint of the chain answered.', [chain]),
  storeQueries: counter('swap_store_queries_total', 'Database statements; failed: the database does not work.', [
    query,
    queryOutcome,
  ]),
  storeSeconds: histogram('swap_store_query_duration_seconds', 'Statements to the records.', OWN_BOUNDS, [query]),
  storeFailures: counter('swap_store_failures_total', 'Requests that the store failed.'),
  storeHealthy: gauge('swap_store_healthy', '0: the records cannot be written and read.'),
  redisUp: gauge('swap_redis_up', '0: Redis does not answer; each instance applies limits on its own. Absent without REDIS_URL.'),
  facilitatorUp: gauge(
    'swap_facilitator_up',
    '0: the facilitator does not answer; calls cannot be paid. Absent until its first failure.',
  ),
  storeReadable: gauge('swap_store_readable', '0: metrics from the records are missing because the records could not be read.'),
  lastBackup: gauge('swap_last_backup_timestamp_seconds', 'When `npm run backup` last ended; 0: never.'),
  freeBytes: gauge('swap_data_dir_free_bytes', 'Free bytes on the disk of DATA_DIR.'),
  ledgerBalanced: gauge('swap_ledger_balanced', '0: the ledger was unbalanced at the start of the service.'),
  ledgerMismatches: counter('swap_ledger_mismatches_total', 'Entries of the ledger that contradict the chains.'),
  linesDropped: counter('swap_log_lines_dropped_total', 'Lines of the log that could not be written.'),
})

/** All our metrics, at zero. Base units are seconds; counters end in `_total`. */
export const createCatalogue = (names: Names) => {
  const labels = createLabels(names)
  return {
    ...ofRequests(labels),
    ...ofVenues(labels),
    ...ofSwaps(labels),
    ...ofSettlement(labels),
    ...ofService(labels),
  }
}

export type Catalogue = ReturnType<typeof createCatalogue>
