import { html, nothing } from 'lit-html'
import { bars, count, facts, list, state, table, time, upTo } from './figures.js'
import { bucketsOf, quantileOf, samplesOf, sumOf, sumsBy } from './metrics.js'

/** @typedef {import('./metrics.js').Metrics} Metrics */

/**
 * Whether what the records tell was read: gauges of theirs that are not there are not 0.
 * @param {Metrics} metrics
 */
export const areRecordsRead = (metrics) => sumOf(metrics, 'swap_store_readable') === 1

/** @param {Metrics} metrics */
const unread = (metrics) =>
  sumOf(metrics, 'swap_store_readable') === null
    ? html`<p class="faint" data-unread>The records were not read yet.</p>`
    : html`<p class="bad" data-unread>The records could not be read: nobody knows what is open.</p>`

/** @param {Metrics} metrics */
const openSwaps = (metrics) => {
  const rows = samplesOf(metrics, 'swap_open_swaps').map(({ labels, value }) => {
    const name = labels['state'] ?? ''
    return html`<tr data-state=${name}><th scope="row">${name}</th><td class="number">${count(value)}</td>
      <td class="number">${time(value === 0 ? null : sumOf(metrics, 'swap_open_swap_oldest_age_seconds', { state: name }))}</td></tr>`
  })
  return table('Open swaps', ['state', 'open', 'the oldest'], rows, 'No swap is open.')
}

/** @param {Metrics} metrics */
export const swaps = (metrics) => html`${areRecordsRead(metrics) ? openSwaps(metrics) : unread(metrics)}
  ${facts([
    ['executed', list(sumsBy(metrics, 'swap_executions_total', 'venue'))],
    ['executed as', list(sumsBy(metrics, 'swap_executions_total', 'type'))],
    ['ended', list(sumsBy(metrics, 'swap_swaps_ended_total', 'state'))],
    ['half of them ended within', upTo(quantileOf(bucketsOf(metrics, 'swap_swap_duration_seconds'), 0.5)).replace('≤ ', '')],
    ['signatures forwarded', list(sumsBy(metrics, 'swap_signatures_submitted_total', 'venue'))],
    ['transactions given to be sent', list(sumsBy(metrics, 'swap_transactions_submitted_total', 'outcome'))],
    ['payloads of venues that we refused', list(sumsBy(metrics, 'swap_payloads_refused_total', 'venue'))],
    ['payments that would have failed', list(sumsBy(metrics, 'swap_simulations_refused_total', 'venue'))],
  ])}`

/** @param {Metrics} metrics */
const operations = (metrics) => {
  const seen = sumsBy(metrics, 'swap_requests_total', 'operation').filter(([, value]) => value > 0)
  const rows = seen.map(([operation, requests]) => {
    const seconds = bucketsOf(metrics, 'swap_request_duration_seconds', { operation })
    return html`<tr data-operation=${operation}><th scope="row">${operation === 'none' ? 'outside the contract' : operation}</th>
      <td class="number">${count(requests)}</td><td>${bars(seconds)}</td>
      <td class="number">${upTo(quantileOf(seconds, 0.5))}</td><td class="number">${upTo(quantileOf(seconds, 0.95))}</td>
      <td>${list(sumsBy(metrics, 'swap_requests_total', 'status', { operation }))}</td>
      <td data-of="codes">${list(sumsBy(metrics, 'swap_request_errors_total', 'code', { operation }))}</td></tr>`
  })
  const head = ['operation', 'requests', 'by time', 'half within', '95 % within', 'answers', 'errors by code']
  return table('Requests', head, rows, 'Nobody has asked for anything yet.')
}

/** @param {Metrics} metrics */
const rooms = (metrics) => {
  const rows = samplesOf(metrics, 'swap_requests_under_way_max').map(({ labels, value }) => {
    const room = labels['room'] ?? ''
    return html`<tr data-room=${room}><th scope="row">${room}</th>
      <td class="number">${count(sumOf(metrics, 'swap_requests_under_way', { room }))}</td><td class="number">${count(value)}</td>
      <td class="number">${count(sumOf(metrics, 'swap_requests_waiting', { room }))}</td></tr>`
  })
  return table('Rooms', ['served at once', 'now', 'at most', 'waiting'], rows, 'Nothing is served yet.')
}

/** @param {Metrics} metrics */
export const limits = (metrics) => {
  /** @param {string} code */
  const refused = (code) => list(sumsBy(metrics, 'swap_request_errors_total', 'operation', { code }))
  return html`${rooms(metrics)}
    ${facts([
      ['refused by limits', refused('RATE_LIMITED')],
      ['refused for overload', refused('OVERLOADED')],
      ['connections over a limit', count(sumOf(metrics, 'swap_connections_refused_total'))],
      ['what was no HTTP', count(sumOf(metrics, 'swap_requests_refused_total'))],
    ])}`
}

/** @param {Metrics} metrics */
export const requests = (metrics) => {
  const overhead = bucketsOf(metrics, 'swap_quote_overhead_seconds')
  return html`${operations(metrics)}
    <p>Of a quote, what is not waiting for venues took ${upTo(quantileOf(overhead, 0.5))} in half of all, ${upTo(quantileOf(overhead, 0.95))} in 95 %.
      Quotes without an offer that could be executed: ${count(sumOf(metrics, 'swap_quotes_total', { executable: 'false' }) ?? 0)}.</p>`
}

/** @param {Metrics} metrics @param {number} now */
export const background = (metrics, now) => {
  const last = sumOf(metrics, 'swap_settlement_last_pass_timestamp_seconds')
  const dueFor = sumOf(metrics, 'swap_settlement_lag_seconds')
  const waitFor = sumOf(metrics, 'swap_webhook_lag_seconds')
  return html`${areRecordsRead(metrics) ? nothing : unread(metrics)}
  ${facts([
    [
      'last pass over open swaps',
      last === null
        ? 'none on this instance'
        : `${time(Math.max(0, now / 1_000 - last))} ago, took ${time(sumOf(metrics, 'swap_settlement_last_pass_duration_seconds'))}`,
    ],
    ['looked after', count(sumOf(metrics, 'swap_settlement_open'))],
    ['due', `${count(sumOf(metrics, 'swap_settlement_due'))}${dueFor ? `, the longest for ${time(dueFor)}` : ''}`],
    ['given up', count(sumOf(metrics, 'swap_settlement_abandoned'))],
    ['looks', list(sumsBy(metrics, 'swap_settlement_looks_total', 'result'))],
    ['what failed for reasons of ours', list(sumsBy(metrics, 'swap_settlement_failures_total', 'part'))],
    ['webhooks', list(sumsBy(metrics, 'swap_webhooks_sent_total', 'outcome'))],
    ['webhooks that wait', `${count(sumOf(metrics, 'swap_webhooks_due'))}${waitFor ? `, the longest for ${time(waitFor)}` : ''}`],
    ['partners whose webhooks were left for the next pass', count(sumOf(metrics, 'swap_webhooks_stuck_total'))],
    ['webhooks nobody knows the end of', count(sumOf(metrics, 'swap_webhooks_unfinished'))],
  ])}`
}

/** @param {Metrics} metrics */
export const money = (metrics) =>
  facts([
    ['paid calls', list(sumsBy(metrics, 'swap_payments_total', 'outcome'))],
    ['paid on', list(sumsBy(metrics, 'swap_payments_total', 'network'))],
    ['facilitator', state(sumOf(metrics, 'swap_facilitator_up'), 'well', 'in trouble', 'no trouble was seen')],
    ['books add up', state(sumOf(metrics, 'swap_ledger_balanced'), 'yes, when the service started', 'no', 'not known')],
    ['entries that contradict chains', count(sumOf(metrics, 'swap_ledger_mismatches_total'))],
  ])

/** @param {Metrics} metrics */
export const records = (metrics) => {
  const reads = bucketsOf(metrics, 'swap_store_query_duration_seconds')
  return facts([
    ['records', state(sumOf(metrics, 'swap_store_healthy'), 'well', 'in trouble', 'no trouble was seen')],
    ['statements', list(sumsBy(metrics, 'swap_store_queries_total', 'outcome'))],
    ['of these within', `half ${upTo(quantileOf(reads, 0.5))}, 99 % ${upTo(quantileOf(reads, 0.99))}`],
    ['requests that the records failed', count(sumOf(metrics, 'swap_store_failures_total'))],
    ['Redis', state(sumOf(metrics, 'swap_redis_up'), 'well', 'in trouble', 'not used')],
    ['answers of ours that broke the contract', count(sumOf(metrics, 'swap_contract_mismatches_total'))],
    ['log lines dropped', count(sumOf(metrics, 'swap_log_lines_dropped_total'))],
  ])
}

/** What the metrics call by its number. @param {string} chain @param {Readonly<Record<string, string>>} names */
const nameOf = (chain, names) => (names[chain] ? `${names[chain]} (${chain})` : chain)

/** Those in trouble first; the others on one line. @param {Metrics} metrics @param {Readonly<Record<string, string>>} names */
export const chains = (metrics, names) => {
  const ids = [...new Set(samplesOf(metrics, 'swap_chain_endpoint_healthy').map(({ labels }) => labels['chain'] ?? ''))]
  /** @param {string} chain */
  const failed = (chain) => sumOf(metrics, 'swap_chain_reads_failed_total', { chain }) ?? 0
  /** @param {string} chain */
  const isWell = (chain) =>
    failed(chain) === 0 && samplesOf(metrics, 'swap_chain_endpoint_healthy', { chain }).every(({ value }) => value === 1)
  const well = ids.filter(isWell)
  const rows = ids
    .filter((chain) => !isWell(chain))
    .map((chain) => {
      const endpoints = samplesOf(metrics, 'swap_chain_endpoint_healthy', { chain })
      return html`<tr data-chain=${chain}><th scope="row">${nameOf(chain, names)}</th>
      <td>${endpoints.map(({ labels, value }) => html`<span class="endpoint">${labels['endpoint']} ${state(value)}</span> `)}</td>
      <td class="number">${count(failed(chain))}</td></tr>`
    })
  if (ids.length === 0) return html`<p class="faint">No chain is known yet.</p>`
  return html`${rows.length === 0 ? nothing : table('Chain endpoints', ['chain', 'endpoints, in order of preference', 'reads that none answered'], rows, '')}
    ${well.length === 0 ? nothing : html`<p id="well-chains"><span class="good">Well</span>: ${well.map((chain) => nameOf(chain, names)).join(', ')}.</p>`}`
}
