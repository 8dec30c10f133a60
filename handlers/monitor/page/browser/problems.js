import { html, nothing } from 'lit-html'
import { samplesOf, sumOf } from './metrics.js'

/** @typedef {import('./metrics.js').Metrics} Metrics */

/** What each problem is called in the runbook. */
const ALERTS = {
  starting: 'SwapNotReady',
  draining: 'SwapNotReady',
  store: 'SwapStoreDown',
  venues: 'SwapNoVenues',
  descriptors: 'SwapDescriptorsScarce',
  clock: 'SwapClockWrong',
  venue: 'SwapVenueFailing',
  chain: 'SwapChainUnreachable',
  facilitator: 'SwapFacilitatorDown',
}

/**
 * An alert on a metric that is below or above its bounds; what is not known is within them.
 * @param {string} alert @param {string} words @param {string} name @param {{ least?: number, most?: number }} bounds
 * @param {Record<string, string>} [labels]
 */
const outside = (alert, words, name, { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }, labels) => ({
  alert,
  words,
  /** @param {Metrics} metrics */
  isSo: (metrics) => {
    const value = sumOf(metrics, name, labels)
    return value !== null && (value < least || value > most)
  },
})

/** Alerts that one look at the metrics is enough for, in the words of this page. */
const SEEN = [
  outside('SwapVenueRejecting', 'answers of venues rejected', 'swap_venue_rejecting', { most: 0 }),
  outside('SwapVenuePinsDiffer', 'venues publish other contracts', 'swap_venue_pins_differing', { most: 0 }),
  outside('SwapRecordsUnread', 'records unread', 'swap_store_readable', { least: 1 }),
  outside('SwapDiskFilling', 'disk nearly full', 'swap_data_dir_free_bytes', { least: 1024 ** 3 }),
  outside('SwapLedgerUnbalanced', 'books', 'swap_ledger_balanced', { least: 1 }),
  outside('SwapLedgerUnbalanced', 'ledger', 'swap_ledger_mismatches_total', { most: 0 }),
  outside('SwapRedisDown', 'Redis', 'swap_redis_up', { least: 1 }),
  outside('SwapsStuck', 'swaps stuck', 'swap_open_swap_oldest_age_seconds', { most: 21_600 }, { state: 'processing' }),
  outside('SwapsStuck', 'payments unseen', 'swap_unseen_payment_oldest_age_seconds', { most: 21_600 }),
  outside('SwapSettlementLag', 'settlement late', 'swap_settlement_lag_seconds', { most: 900 }),
  outside('SwapWebhooksWaiting', 'webhooks waiting', 'swap_webhook_lag_seconds', { most: 900 }),
]

/** @param {string} words @param {string | undefined} alert */
const inRunbook = (words, alert) => html`<a href="/runbook${alert ? `#${alert.toLowerCase()}` : ''}">${words}</a>`

/** Which of them, by a gauge that is 0 for those. @type {Readonly<Record<string, (metrics: Metrics) => readonly string[]>>} */
const WHICH = {
  venue: (metrics) =>
    samplesOf(metrics, 'swap_venue_healthy').flatMap(({ labels, value }) => (value === 0 ? [labels['venue'] ?? ''] : [])),
  chain: (metrics) =>
    [...Map.groupBy(samplesOf(metrics, 'swap_chain_endpoint_healthy'), ({ labels }) => labels['chain'] ?? '')].flatMap(
      ([chain, endpoints]) => (endpoints.every(({ value }) => value === 0) ? [chain] : []),
    ),
}

/** @param {Metrics | null} metrics @param {string} problem */
const whichOf = (metrics, problem) => (metrics && Object.hasOwn(WHICH, problem) ? (WHICH[problem]?.(metrics) ?? []) : [])

/** @param {Metrics | null} metrics @param {string} problem */
const alertOf = (metrics, problem) => {
  // Of a venue that is asked for quotes as ever and fails at what comes after them there is no alert of its own.
  if (problem === 'venue' && metrics && whichOf(metrics, problem).length === 0) return 'SwapDegraded'
  return Object.entries(ALERTS).find(([name]) => name === problem)?.[1]
}

/** @param {Metrics | null} metrics @param {string} problem */
const linkOf = (metrics, problem) => {
  const which = whichOf(metrics, problem)
  return inRunbook(which.length === 0 ? problem : `${problem} (${which.join(', ')})`, alertOf(metrics, problem))
}

/** What is wrong now, and where what to do stands. @param {Metrics | null} metrics @param {readonly string[]} reasons */
export const problems = (metrics, reasons) => {
  const told = metrics
    ? samplesOf(metrics, 'swap_problem').flatMap(({ labels, value }) => (value === 1 ? [labels['problem'] ?? ''] : []))
    : []
  const seen = metrics ? SEEN.filter(({ isSo }) => isSo(metrics)) : []
  const all = [
    ...[...new Set([...reasons, ...told])].map((problem) => linkOf(metrics, problem)),
    ...seen.map(({ alert, words }) => inRunbook(words, alert)),
  ]
  return all.length === 0
    ? nothing
    : html`<p class="bad" id="problems" role="status">In trouble: ${all.map((one, at) => html`${at === 0 ? '' : ', '}${one}`)}.</p>`
}
