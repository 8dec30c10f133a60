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
  venue: 'SwapVenueFailing',
  chain: 'SwapChainUnreachable',
  facilitator: 'SwapFacilitatorDown',
}

/**
 * Alerts that one look at the metrics is enough for, in the words of this page.
 * @type {readonly { readonly alert: string, readonly words: string, readonly isSo: (metrics: Metrics) => boolean }[]}
 */
const SEEN = [
  {
    alert: 'SwapVenueRejecting',
    words: 'answers of venues rejected',
    isSo: (metrics) => (sumOf(metrics, 'swap_venue_rejecting') ?? 0) > 0,
  },
  {
    alert: 'SwapVenuePinsDiffer',
    words: 'venues publish other contracts',
    isSo: (metrics) => (sumOf(metrics, 'swap_venue_pins_differing') ?? 0) > 0,
  },
  { alert: 'SwapRecordsUnread', words: 'records unread', isSo: (metrics) => sumOf(metrics, 'swap_store_readable') === 0 },
  {
    alert: 'SwapLedgerUnbalanced',
    words: 'books',
    isSo: (metrics) => sumOf(metrics, 'swap_ledger_balanced') === 0 || (sumOf(metrics, 'swap_ledger_mismatches_total') ?? 0) > 0,
  },
  {
    alert: 'SwapDiskFilling',
    words: 'disk nearly full',
    isSo: (metrics) => (sumOf(metrics, 'swap_data_dir_free_bytes') ?? Number.POSITIVE_INFINITY) < 1024 ** 3,
  },
  { alert: 'SwapRedisDown', words: 'Redis', isSo: (metrics) => sumOf(metrics, 'swap_redis_up') === 0 },
  {
    alert: 'SwapsStuck',
    words: 'swaps stuck',
    isSo: (metrics) =>
      (sumOf(metrics, 'swap_open_swap_oldest_age_seconds', { state: 'processing' }) ?? 0) > 21_600 ||
      (sumOf(metrics, 'swap_unseen_payment_oldest_age_seconds') ?? 0) > 21_600,
  },
  {
    alert: 'SwapSettlementLag',
    words: 'settlement late',
    isSo: (metrics) => (sumOf(metrics, 'swap_settlement_lag_seconds') ?? 0) > 900,
  },
  {
    alert: 'SwapWebhooksWaiting',
    words: 'webhooks waiting',
    isSo: (metrics) => (sumOf(metrics, 'swap_webhook_lag_seconds') ?? 0) > 900,
  },
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
