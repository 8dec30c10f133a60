import { html, nothing, svg } from 'lit-html'
import { bucketsOf, quantileOf, samplesOf, sumOf, sumsBy } from './metrics.js'

/** @typedef {import('./metrics.js').Metrics} Metrics @typedef {import('./metrics.js').Bucket} Bucket */

const NONE = '–'

/** @param {number | null} number */
export const count = (number) => (number === null ? NONE : Math.round(number).toLocaleString('en'))

/** @param {number | null} seconds */
export const time = (seconds) => {
  if (seconds === null) return NONE
  if (!Number.isFinite(seconds)) return 'longer'
  if (seconds < 1) return `${+(seconds * 1_000).toFixed(1)} ms`
  if (seconds < 120) return `${+seconds.toFixed(1)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${+(seconds / 3_600).toFixed(1)} h` : `${+(seconds / 86_400).toFixed(1)} days`
}

/** @param {number | null} seconds */
const upTo = (seconds) => (seconds === null ? NONE : Number.isFinite(seconds) ? `≤ ${time(seconds)}` : 'longer')

/** @param {number | null} bytes */
export const megabytes = (bytes) => (bytes === null ? NONE : `${Math.round(bytes / 2 ** 20)} MB`)

/** A gauge of 1 or 0, in words. @param {number | null} value @param {string} [well] @param {string} [ill] */
const state = (value, well = 'well', ill = 'in trouble') => {
  if (value === null) return html`<span class="faint">${NONE}</span>`
  return value === 1 ? html`<span class="good">${well}</span>` : html`<span class="bad">${ill}</span>`
}

/** @param {string} title @param {readonly string[]} head @param {readonly unknown[]} rows @param {string} empty */
const table = (title, head, rows, empty) =>
  rows.length === 0
    ? html`<p class="faint">${empty}</p>`
    : html`<div class="scrolled" tabindex="0" role="region" aria-label=${title}>
        <table>
          <thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
          <tbody>${rows}</tbody>
        </table>
      </div>`

/** @param {readonly (readonly [string, number])[]} sums */
const list = (sums) => {
  const some = sums.filter(([, value]) => value > 0)
  return some.length === 0 ? NONE : some.map(([name, value]) => `${name} ${count(value)}`).join(', ')
}

const [BAR, HIGH] = [9, 28]

/** How calls spread over the bounds of their histogram. @param {readonly Bucket[]} buckets */
const bars = (buckets) => {
  const most = Math.max(...buckets.map(({ count: one }) => one), 1)
  const told = buckets.filter(({ count: one }) => one > 0).map(({ bound, count: one }) => `${one} ${upTo(bound)}`)
  return svg`<svg class="bars" role="img" aria-label=${told.join(', ') || 'none'} viewBox="0 0 ${buckets.length * BAR} ${HIGH}" width=${buckets.length * BAR} height=${HIGH}>
    <title>${told.join(', ')}</title>
    ${buckets.map(({ count: one }, at) => {
      const high = one === 0 ? 1 : Math.max(2, (one / most) * HIGH)
      return svg`<rect x=${at * BAR} y=${HIGH - high} width=${BAR - 2} height=${high}></rect>`
    })}
  </svg>`
}

/** @param {Metrics} metrics */
export const venues = (metrics) => {
  const ids = samplesOf(metrics, 'swap_venue_enabled').map(({ labels }) => labels['venue'] ?? '')
  /** @param {string} venue */
  const isOff = (venue) => sumOf(metrics, 'swap_venue_enabled', { venue }) !== 1
  // Those that are asked come first.
  ids.sort((a, b) => Number(isOff(a)) - Number(isOff(b)) || a.localeCompare(b))
  const rows = ids.map((venue) => {
    const quotes = bucketsOf(metrics, 'swap_venue_call_duration_seconds', { venue, call: 'quote' })
    return html`<tr data-venue=${venue}>
      <th scope="row">${venue}</th>
      <td>${isOff(venue) ? html`<span class="faint">off</span>` : state(sumOf(metrics, 'swap_venue_healthy', { venue }), 'well', 'rests')}</td>
      <td class="number" data-of="wins">${count(sumOf(metrics, 'swap_quote_wins_total', { venue }) ?? 0)}</td>
      <td>${bars(quotes)}</td>
      <td class="number">${upTo(quantileOf(quotes, 0.5))}</td>
      <td class="number">${upTo(quantileOf(quotes, 0.95))}</td>
      <td data-of="outcomes">${list(sumsBy(metrics, 'swap_venue_calls_total', 'outcome', { venue, call: 'quote' }))}</td>
      <td data-of="errors">${list(sumsBy(metrics, 'swap_venue_errors_total', 'kind', { venue }))}</td>
      <td>${list(sumsBy(metrics, 'swap_venue_calls_left_out_total', 'why', { venue }))}</td>
      <td class="number">${upTo(quantileOf(bucketsOf(metrics, 'swap_venue_limiter_wait_seconds', { venue }), 0.95))}</td>
    </tr>`
  })
  const head = [
    'venue',
    'state',
    'wins',
    'quotes by time',
    'half within',
    '95 % within',
    'how quotes ended',
    'errors by kind',
    'not sent',
    'held back',
  ]
  return table('Venues', head, rows, 'No venue is known yet.')
}

/** @param {Metrics} metrics */
export const swaps = (metrics) => {
  const rows = samplesOf(metrics, 'swap_open_swaps').map(({ labels, value }) => {
    const name = labels['state'] ?? ''
    return html`<tr data-state=${name}><th scope="row">${name}</th><td class="number">${count(value)}</td>
      <td class="number">${time(sumOf(metrics, 'swap_open_swap_oldest_age_seconds', { state: name }))}</td></tr>`
  })
  return html`${table('Open swaps', ['state', 'open', 'the oldest'], rows, 'No swap is open.')}
    <p>Executed: ${list(sumsBy(metrics, 'swap_executions_total', 'venue'))}. Ended: ${list(sumsBy(metrics, 'swap_swaps_ended_total', 'state'))}.
      Half of them within ${upTo(quantileOf(bucketsOf(metrics, 'swap_swap_duration_seconds'), 0.5)).replace('≤ ', '')}.
      Payloads refused by us: ${count(sumOf(metrics, 'swap_payloads_refused_total'))}.</p>`
}

/** @param {Metrics} metrics */
export const limits = (metrics) => {
  const rows = samplesOf(metrics, 'swap_requests_under_way_max').map(({ labels, value }) => {
    const room = labels['room'] ?? ''
    return html`<tr data-room=${room}><th scope="row">${room}</th>
      <td class="number">${count(sumOf(metrics, 'swap_requests_under_way', { room }))}</td><td class="number">${count(value)}</td>
      <td class="number">${count(sumOf(metrics, 'swap_requests_waiting', { room }))}</td></tr>`
  })
  /** @param {string} code */
  const refused = (code) => count(sumOf(metrics, 'swap_request_errors_total', { code }) ?? 0)
  return html`${table('Rooms', ['served at once', 'now', 'at most', 'waiting'], rows, 'Nothing is served yet.')}
    <p>Refused: ${refused('RATE_LIMITED')} by limits, ${refused('OVERLOADED')} for overload,
      ${count(sumOf(metrics, 'swap_connections_refused_total'))} addresses with too many connections, ${count(sumOf(metrics, 'swap_requests_refused_total'))} that were no HTTP.</p>
    <p>Errors by code: ${list(sumsBy(metrics, 'swap_request_errors_total', 'code'))}.</p>`
}

/** @param {readonly (readonly [string, unknown])[]} facts */
const facts = (facts) => html`<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** @param {Metrics} metrics @param {number} now */
export const background = (metrics, now) => {
  const last = sumOf(metrics, 'swap_settlement_last_pass_timestamp_seconds')
  return facts([
    [
      'last pass over open swaps',
      last === null
        ? 'none on this instance'
        : `${time(Math.max(0, now / 1_000 - last))} ago, took ${time(sumOf(metrics, 'swap_settlement_last_pass_duration_seconds'))}`,
    ],
    [
      'looked after',
      `${count(sumOf(metrics, 'swap_settlement_open'))}, due ${count(sumOf(metrics, 'swap_settlement_due'))}, the longest for ${time(sumOf(metrics, 'swap_settlement_lag_seconds'))}`,
    ],
    ['given up', count(sumOf(metrics, 'swap_settlement_abandoned'))],
    ['looks', list(sumsBy(metrics, 'swap_settlement_looks_total', 'result'))],
    ['what failed for reasons of ours', list(sumsBy(metrics, 'swap_settlement_failures_total', 'part'))],
    ['webhooks', list(sumsBy(metrics, 'swap_webhooks_sent_total', 'outcome'))],
    [
      'webhooks that wait',
      `${count(sumOf(metrics, 'swap_webhooks_due'))}, the longest for ${time(sumOf(metrics, 'swap_webhook_lag_seconds'))}`,
    ],
    ['webhooks nobody knows the end of', count(sumOf(metrics, 'swap_webhooks_unfinished'))],
  ])
}

/** @param {Metrics} metrics */
export const money = (metrics) =>
  facts([
    ['paid calls', list(sumsBy(metrics, 'swap_payments_total', 'outcome'))],
    ['facilitator', state(sumOf(metrics, 'swap_facilitator_up') ?? 1)],
    ['books add up', state(sumOf(metrics, 'swap_ledger_balanced'), 'yes, when the service started', 'no')],
    ['entries that contradict chains', count(sumOf(metrics, 'swap_ledger_mismatches_total'))],
  ])

/** @param {Metrics} metrics */
export const parts = (metrics) => {
  const rows = [...new Set(samplesOf(metrics, 'swap_chain_endpoint_healthy').map(({ labels }) => labels['chain'] ?? ''))].map(
    (chain) => {
      const endpoints = samplesOf(metrics, 'swap_chain_endpoint_healthy', { chain })
      return html`<tr data-chain=${chain}><th scope="row">${chain}</th>
      <td>${endpoints.map(({ labels, value }) => html`<span class="endpoint">${labels['endpoint']} ${state(value)}</span>`)}</td>
      <td class="number">${count(sumOf(metrics, 'swap_chain_reads_failed_total', { chain }) ?? 0)}</td></tr>`
    },
  )
  const reads = bucketsOf(metrics, 'swap_store_query_duration_seconds')
  return html`${facts([
    ['records', state(sumOf(metrics, 'swap_store_healthy') ?? 1)],
    ['statements', `${list(sumsBy(metrics, 'swap_store_queries_total', 'outcome'))}; 99 % ${upTo(quantileOf(reads, 0.99))}`],
    ['Redis', sumOf(metrics, 'swap_redis_up') === null ? 'not used' : state(sumOf(metrics, 'swap_redis_up'))],
    ['answers of ours that broke the contract', count(sumOf(metrics, 'swap_contract_mismatches_total'))],
    ['log lines dropped', count(sumOf(metrics, 'swap_log_lines_dropped_total'))],
  ])}
  ${table('Chain endpoints', ['chain', 'endpoints, in order of preference', 'reads that none answered'], rows, 'No chain is known yet.')}`
}

/** What is wrong now, by its name in the runbook's words. @param {Metrics} metrics @param {readonly string[]} reasons */
export const problems = (metrics, reasons) => {
  const told = samplesOf(metrics, 'swap_problem').flatMap(({ labels, value }) => (value === 1 ? [labels['problem'] ?? ''] : []))
  const all = [...new Set([...reasons, ...told])]
  return all.length === 0
    ? nothing
    : html`<p class="bad" role="status">In trouble: ${all.join(', ')}. What to do stands in operations/RUNBOOK.md.</p>`
}
