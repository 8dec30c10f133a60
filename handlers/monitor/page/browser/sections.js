import { html, nothing } from 'lit-html'
import { bars, count, facts, list, nameOf, PERCENTILES, percentileList, percentiles, state, table, time } from './figures.js'
import { bucketsOf, samplesOf, sumOf, sumsBy } from './metrics.js'

/** @typedef {import('./metrics.js').Metrics} Metrics */

/** Whether the gauges of the records were read. An absent gauge is not 0. @param {Metrics} metrics */
export const areRecordsRead = (metrics) => sumOf(metrics, 'swap_store_readable') === 1

/** @param {Metrics} metrics */
const unread = (metrics) =>
  sumOf(metrics, 'swap_store_readable') === null
    ? html`<p class="faint" data-unread>The service has not read the records yet.</p>`
    : html`<p class="bad" data-unread>The records could not be read. Open swaps are unknown.</p>`

/** @param {Metrics} metrics */
const openSwaps = (metrics) => {
  const rows = samplesOf(metrics, 'swap_open_swaps').map(({ labels, value }) => {
    const name = labels['state'] ?? ''
    return html`<tr data-state=${name}><th scope="row">${name}</th><td class="number">${count(value)}</td>
      <td class="number">${time(value === 0 ? null : sumOf(metrics, 'swap_open_swap_oldest_age_seconds', { state: name }))}</td></tr>`
  })
  return table('Open swaps', ['state', 'open', 'oldest'], rows, 'No swap is open.')
}

/** @param {Metrics} metrics */
export const swaps = (metrics) => html`${areRecordsRead(metrics) ? openSwaps(metrics) : unread(metrics)}
  ${facts([
    ['executions by venue', list(sumsBy(metrics, 'swap_executions_total', 'venue'))],
    ['executions by type', list(sumsBy(metrics, 'swap_executions_total', 'type'))],
    ['ended, by state', list(sumsBy(metrics, 'swap_swaps_ended_total', 'state'))],
    ['time to the end', percentileList(bucketsOf(metrics, 'swap_swap_duration_seconds'))],
    ['signatures forwarded, by venue', list(sumsBy(metrics, 'swap_signatures_submitted_total', 'venue'))],
    ['transactions submitted, by result', list(sumsBy(metrics, 'swap_transactions_submitted_total', 'outcome'))],
    ['payloads rejected, by venue', list(sumsBy(metrics, 'swap_payloads_refused_total', 'venue'))],
    ['executions refused because the payment would fail', list(sumsBy(metrics, 'swap_simulations_refused_total', 'venue'))],
  ])}`

/** @param {Metrics} metrics */
const operations = (metrics) => {
  const seen = sumsBy(metrics, 'swap_requests_total', 'operation').filter(([, value]) => value > 0)
  const rows = seen.map(([operation, requests]) => {
    const seconds = bucketsOf(metrics, 'swap_request_duration_seconds', { operation })
    return html`<tr data-operation=${operation}><th scope="row">${operation === 'none' ? 'unknown path' : operation}</th>
      <td class="number">${count(requests)}</td><td>${bars(seconds)}</td>
      ${percentiles(seconds)}
      <td>${list(sumsBy(metrics, 'swap_requests_total', 'status', { operation }))}</td>
      <td data-of="codes">${list(sumsBy(metrics, 'swap_request_errors_total', 'code', { operation }))}</td></tr>`
  })
  const head = ['operation', 'requests', 'distribution', ...PERCENTILES, 'responses', 'errors by code']
  return table('Requests', head, rows, 'No request has arrived yet.')
}

/** @param {Metrics} metrics */
const rooms = (metrics) => {
  const rows = samplesOf(metrics, 'swap_requests_under_way_max').map(({ labels, value }) => {
    const room = labels['room'] ?? ''
    return html`<tr data-room=${room}><th scope="row">${room}</th>
      <td class="number">${count(sumOf(metrics, 'swap_requests_under_way', { room }))}</td><td class="number">${count(value)}</td>
      <td class="number">${count(sumOf(metrics, 'swap_requests_waiting', { room }))}</td></tr>`
  })
  return table('Concurrent requests', ['concurrent requests', 'now', 'limit', 'queued'], rows, 'No limit is in use yet.')
}

/** @param {Metrics} metrics */
export const limits = (metrics) => {
  /** @param {string} code */
  const refused = (code) => list(sumsBy(metrics, 'swap_request_errors_total', 'operation', { code }))
  return html`${rooms(metrics)}
    ${facts([
      ['429 RATE_LIMITED', refused('RATE_LIMITED')],
      ['503 OVERLOADED', refused('OVERLOADED')],
      ['connections refused by a limit', count(sumOf(metrics, 'swap_connections_refused_total'))],
      ['connections that were no valid HTTP', count(sumOf(metrics, 'swap_requests_refused_total'))],
    ])}`
}

/** @param {Metrics} metrics */
export const requests = (metrics) => {
  const overhead = bucketsOf(metrics, 'swap_quote_overhead_seconds')
  return html`${operations(metrics)}
    ${facts([
      ['quote time', percentileList(bucketsOf(metrics, 'swap_quote_duration_seconds'))],
      ['quote time without waiting for venues', percentileList(overhead)],
      ['quotes without an executable offer', count(sumOf(metrics, 'swap_quotes_total', { executable: 'false' }) ?? 0)],
    ])}`
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
    ['swaps followed', count(sumOf(metrics, 'swap_settlement_open'))],
    ['checks due', `${count(sumOf(metrics, 'swap_settlement_due'))}${dueFor ? `, the oldest for ${time(dueFor)}` : ''}`],
    ['open swaps no longer followed', count(sumOf(metrics, 'swap_settlement_abandoned'))],
    ['checks by result', list(sumsBy(metrics, 'swap_settlement_looks_total', 'result'))],
    ['failures in the service', list(sumsBy(metrics, 'swap_settlement_failures_total', 'part'))],
    ['webhooks sent, by result', list(sumsBy(metrics, 'swap_webhooks_sent_total', 'outcome'))],
    ['webhooks due', `${count(sumOf(metrics, 'swap_webhooks_due'))}${waitFor ? `, the oldest for ${time(waitFor)}` : ''}`],
    ['passes that deferred webhooks of a partner', count(sumOf(metrics, 'swap_webhooks_stuck_total'))],
    ['webhooks with an unknown result', count(sumOf(metrics, 'swap_webhooks_unfinished'))],
  ])}`
}

/** @param {Metrics} metrics */
export const money = (metrics) =>
  facts([
    ['payments of calls, by result', list(sumsBy(metrics, 'swap_payments_total', 'outcome'))],
    ['payments of calls, by network', list(sumsBy(metrics, 'swap_payments_total', 'network'))],
    ['facilitator', state(sumOf(metrics, 'swap_facilitator_up'), 'healthy', 'does not answer', 'no failure seen')],
    ['ledger at the start', state(sumOf(metrics, 'swap_ledger_balanced'), 'balanced', 'not balanced', 'not checked yet')],
    ['ledger entries that differ from the chains', count(sumOf(metrics, 'swap_ledger_mismatches_total'))],
  ])

/** @param {Metrics} metrics */
export const records = (metrics) => {
  const reads = bucketsOf(metrics, 'swap_store_query_duration_seconds')
  return facts([
    ['store', state(sumOf(metrics, 'swap_store_healthy'), 'healthy', 'failing', 'no failure seen')],
    ['statements by result', list(sumsBy(metrics, 'swap_store_queries_total', 'outcome'))],
    ['statement time', percentileList(reads)],
    ['requests that failed at the store', count(sumOf(metrics, 'swap_store_failures_total'))],
    ['Redis', state(sumOf(metrics, 'swap_redis_up'), 'healthy', 'does not answer', 'not used')],
    ['responses that broke the contract', count(sumOf(metrics, 'swap_contract_mismatches_total'))],
    ['log lines dropped', count(sumOf(metrics, 'swap_log_lines_dropped_total'))],
  ])
}

/** Failing chains in a table, the others on one line. @param {Metrics} metrics @param {import('./figures.js').ChainNames} names */
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
  if (ids.length === 0) return html`<p class="faint">No chain is configured yet.</p>`
  return html`${rows.length === 0 ? nothing : table('Chain endpoints', ['chain', 'endpoints in order of preference', 'reads without an answer'], rows, '')}
    ${well.length === 0 ? nothing : html`<p id="well-chains"><span class="good">Healthy</span>: ${well.map((chain) => nameOf(chain, names)).join(', ')}.</p>`}`
}
