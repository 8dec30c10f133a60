import { html } from 'lit-html'
import { nameOf } from './figures.js'
import { samplesOf, sumOf } from './metrics.js'

/**
 * Current problems in words. Each links to the entry of its alert in the runbook.
 * @typedef {import('./metrics.js').Metrics} Metrics
 * @typedef {{ readonly words: string, readonly alert?: string }} Trouble
 * @typedef {import('./figures.js').ChainNames} ChainNames
 */

/** Problems of `/ready` that concern the whole service. @type {Readonly<Record<string, Trouble>>} */
const WHOLE = {
  starting: { words: 'the service is starting', alert: 'SwapNotReady' },
  draining: { words: 'the service is stopping', alert: 'SwapNotReady' },
  store: { words: 'the store takes no writes', alert: 'SwapStoreDown' },
  venues: { words: 'no venue can be asked for quotes', alert: 'SwapNoVenues' },
  descriptors: { words: 'the process cannot open files or connections', alert: 'SwapDescriptorsScarce' },
  clock: { words: 'the clock of this machine is wrong', alert: 'SwapClockWrong' },
  facilitator: { words: 'the payment facilitator does not answer', alert: 'SwapFacilitatorDown' },
}

/**
 * An alert on a metric that is outside its bounds. An absent metric is within them.
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

/** Alerts that one reading of the metrics shows. */
const SEEN = [
  outside('SwapRecordsUnread', 'the records cannot be read', 'swap_store_readable', { least: 1 }),
  outside('SwapClockUncompared', 'the clock is not compared with two chains', 'swap_clock_compared', { least: 1 }),
  outside('SwapDiskFilling', 'the disk is nearly full', 'swap_data_dir_free_bytes', { least: 1024 ** 3 }),
  outside('SwapLedgerUnbalanced', 'the ledger does not balance', 'swap_ledger_balanced', { least: 1 }),
  outside('SwapLedgerUnbalanced', 'ledger entries differ from the chains', 'swap_ledger_mismatches_total', { most: 0 }),
  outside('SwapRedisDown', 'Redis does not answer', 'swap_redis_up', { least: 1 }),
  outside(
    'SwapsStuck',
    'a swap is processing for over 6 h',
    'swap_open_swap_oldest_age_seconds',
    { most: 21_600 },
    { state: 'processing' },
  ),
  outside('SwapsStuck', 'a payment was not found for over 6 h', 'swap_unseen_payment_oldest_age_seconds', { most: 21_600 }),
  outside('SwapSettlementLag', 'settlement is over 15 min late', 'swap_settlement_lag_seconds', { most: 900 }),
  outside('SwapWebhooksWaiting', 'webhooks are over 15 min late', 'swap_webhook_lag_seconds', { most: 900 }),
]

/** @param {readonly string[]} all */
const listed = (all) => [all.slice(0, -1).join(', '), all.at(-1)].filter((part) => part !== '').join(' and ')

/** @param {string} noun @param {readonly string[]} all */
const named = (noun, all) => `${noun}${all.length === 1 ? '' : 's'} ${listed(all)}`

/**
 * A clause about venues or chains; empty without any.
 * @param {string} alert @param {string} noun @param {readonly string[]} all names.
 * @param {string} one verb. @param {string} several verb. @param {string} [rest]
 * @returns {readonly Trouble[]}
 */
const about = (alert, noun, all, one, several, rest = '') =>
  all.length === 0 ? [] : [{ alert, words: `${named(noun, all)} ${all.length === 1 ? one : several}${rest}` }]

/** @type {Readonly<Record<string, string>>} */
const CALLS = { quote: 'quotes', execute: 'executions', submit: 'submits', status: 'status calls' }

/** The venues of a gauge by their calls, such as `quotes and status calls`. @param {Metrics} metrics @param {string} name @param {ChainNames} names */
const venuesByCalls = (metrics, name, names) => {
  /** @param {import('./metrics.js').Sample} sample */
  const callOf = ({ labels: { call = '', chain = 'all' } }) =>
    `${CALLS[call] ?? call}${chain === 'all' ? '' : ` on ${nameOf(chain, names)}`}`
  const byVenue = Map.groupBy(
    samplesOf(metrics, name).filter(({ value }) => value > 0),
    ({ labels }) => labels['venue'] ?? '',
  )
  return Map.groupBy(byVenue.keys(), (venue) => listed([...new Set(byVenue.get(venue)?.map(callOf))]))
}

/** @param {Metrics} metrics @param {string} name @param {string} label @param {(value: number) => boolean} isSo */
const valuesWhere = (metrics, name, label, isSo) =>
  samplesOf(metrics, name).flatMap(({ labels, value }) => (isSo(value) ? [labels[label] ?? ''] : []))

/** @param {Metrics} metrics @param {ChainNames} names */
const ofVenues = (metrics, names) => {
  const failing = venuesByCalls(metrics, 'swap_venue_failing', names)
  const rejected = venuesByCalls(metrics, 'swap_venue_rejecting', names)
  const explained = [...failing.values(), ...rejected.values()].flat()
  const others = valuesWhere(metrics, 'swap_venue_healthy', 'venue', (value) => value === 0).filter(
    (id) => !explained.includes(id),
  )
  const differing = valuesWhere(metrics, 'swap_venue_pins_differing', 'venue', (value) => value > 0)
  return [
    ...[...failing].flatMap(([calls, all]) => about('SwapVenueFailing', 'venue', all, 'fails', 'fail', ` ${calls}`)),
    ...about('SwapVenueFailing', 'venue', others, 'fails or refuses', 'fail or refuse', ' the API key'),
    ...[...rejected].map(([calls, all]) => ({
      alert: 'SwapVenueRejecting',
      words: `checks of the service reject ${calls} of ${named('venue', all)}`,
    })),
    ...about('SwapVenuePinsDiffer', 'venue', differing, 'publishes', 'publish', ' contracts that the service does not pin'),
  ]
}

/** @param {Metrics} metrics @param {ChainNames} names */
const ofChains = (metrics, names) => {
  const endpoints = Map.groupBy(samplesOf(metrics, 'swap_chain_endpoint_healthy'), ({ labels }) => labels['chain'] ?? '')
  const down = [...endpoints].flatMap(([chain, all]) => (all.every(({ value }) => value === 0) ? [nameOf(chain, names)] : []))
  const some = about('SwapChainUnreachable', 'chain', down, 'does not answer', 'do not answer')
  return some.length > 0 ? some : [{ words: 'a chain does not answer', alert: 'SwapChainUnreachable' }]
}

/** @param {Metrics} metrics @param {string} problem @param {ChainNames} names @returns {readonly Trouble[]} */
const ofProblem = (metrics, problem, names) => {
  if (problem === 'venue') return ofVenues(metrics, names).length > 0 ? [] : [{ words: 'a venue fails', alert: 'SwapDegraded' }]
  if (problem === 'chain') return ofChains(metrics, names)
  return [(Object.hasOwn(WHOLE, problem) && WHOLE[problem]) || { words: problem }]
}

/** All that is wrong. @param {Metrics | null} read @param {readonly string[]} reasons of `/ready` @param {ChainNames} names @returns {readonly Trouble[]} */
export const troublesOf = (read, reasons, names) => {
  const metrics = read ?? new Map()
  const problems = new Set([...reasons, ...valuesWhere(metrics, 'swap_problem', 'problem', (value) => value === 1)])
  return [
    ...[...problems].flatMap((problem) => ofProblem(metrics, problem, names)),
    ...ofVenues(metrics, names),
    ...SEEN.filter(({ isSo }) => isSo(metrics)),
  ]
}

/** @param {Trouble} trouble */
const inRunbook = ({ words, alert }) => html`<a href="/runbook${alert ? `#${alert.toLowerCase()}` : ''}">${words}</a>`

/** @param {readonly Trouble[]} troubles */
export const sentence = (troubles) => troubles.map((one, at) => html`${at === 0 ? '' : '; '}${inRunbook(one)}`)
