import { html, nothing } from 'lit-html'
import { bars, count, dateTime, list, NONE, PERCENTILES, percentiles, state, table, upTo } from './figures.js'
import { bucketsOf, quantileOf, samplesOf, sumOf, sumsBy } from './metrics.js'

/** @typedef {import('./metrics.js').Metrics} Metrics */

/** @param {Metrics} metrics */
const quoteTable = (metrics, /** @type {readonly string[]} */ ids) => {
  const rows = ids.map((venue) => {
    const quotes = bucketsOf(metrics, 'swap_venue_call_duration_seconds', { venue, call: 'quote' })
    return html`<tr data-venue=${venue}>
      <th scope="row">${venue}</th>
      <td>${state(sumOf(metrics, 'swap_venue_healthy', { venue }))}</td>
      <td class="number" data-of="wins">${count(sumOf(metrics, 'swap_quote_wins_total', { venue }) ?? 0)}</td>
      <td>${bars(quotes)}</td>
      ${percentiles(quotes)}
      <td data-of="outcomes">${list(sumsBy(metrics, 'swap_venue_calls_total', 'outcome', { venue, call: 'quote' }))}</td>
      <td data-of="errors">${list(sumsBy(metrics, 'swap_venue_errors_total', 'kind', { venue }))}</td>
      <td data-of="left-out">${list(sumsBy(metrics, 'swap_venue_calls_left_out_total', 'why', { venue }))}</td>
      <td class="number">${upTo(quantileOf(bucketsOf(metrics, 'swap_venue_limiter_wait_seconds', { venue }), 0.95))}</td>
    </tr>`
  })
  const head = [
    'venue',
    'health',
    'wins',
    'distribution',
    ...PERCENTILES,
    'quotes by result',
    'declines and errors of all calls',
    'calls not sent',
    'delay of status calls p95',
  ]
  return table('Venues', head, rows, 'No venue is enabled.')
}

/** Calls other than quotes. @param {Metrics} metrics @param {readonly string[]} ids */
const otherCalls = (metrics, ids) => {
  const rows = ids.flatMap((venue) => {
    const calls = new Set(samplesOf(metrics, 'swap_venue_calls_total', { venue }).map(({ labels }) => labels['call'] ?? ''))
    return [...calls].sort().flatMap((call) => {
      const outcomes = sumsBy(metrics, 'swap_venue_calls_total', 'outcome', { venue, call })
      if (call === 'quote' || outcomes.every(([, value]) => value === 0)) return []
      const seconds = bucketsOf(metrics, 'swap_venue_call_duration_seconds', { venue, call })
      return [
        html`<tr data-call="${venue} ${call}"><th scope="row">${venue}</th><td>${call}</td><td>${bars(seconds)}</td>
          ${percentiles(seconds)}
          <td>${list(outcomes)}</td></tr>`,
      ]
    })
  })
  if (rows.length === 0) return nothing
  return html`<h3>Other calls</h3>${table('Other calls of venues', ['venue', 'call', 'distribution', ...PERCENTILES, 'calls by result'], rows, '')}`
}

/** @typedef {{ readonly check: string, readonly at: number, readonly file: string }} Sample */

/** Samples are named after their check, without some characters. @param {string} check */
const fileName = (check) => check.replace(/[^a-zA-Z0-9.-]/g, '_')

/** Answers that checks of the service rejected, by check. @param {Metrics} metrics @param {readonly Sample[]} samples the newest of each check */
const rejected = (metrics, samples) => {
  const counts = new Map(sumsBy(metrics, 'swap_venue_answers_total', 'check', { outcome: 'rejected' }))
  const known = [...counts.keys()].map(fileName)
  const checks = [...counts.keys(), ...samples.map(({ check }) => check).filter((check) => !known.includes(check))]
  const rows = checks.map((check) => {
    const sample = samples.find((one) => one.check === fileName(check))
    const calls = sumsBy(metrics, 'swap_venue_answers_total', 'call', { check, outcome: 'rejected' })
    return html`<tr data-check=${check}><th scope="row">${check.split('.')[0]}</th><td>${check}</td>
      <td class="number">${count(counts.get(check) ?? 0)}</td><td>${list(calls)}</td>
      <td>${sample ? dateTime(sample.at) : NONE}</td><td class="path">${sample ? html`<code>${sample.file}</code>` : NONE}</td></tr>`
  })
  const head = ['venue', 'check', 'rejected since the start', 'by call', 'last sample', 'file of the sample']
  return html`<h3 id="rejected">Rejected answers</h3>
    ${table('Rejected answers', head, rows, 'No check of the service has rejected an answer of a venue.')}
    ${rows.length === 0 ? nothing : html`<p class="faint">To print the samples of a check: <code>npm run operator -- rejected &lt;check&gt;</code></p>`}`
}

/** @param {Metrics} metrics @param {readonly Sample[]} samples */
export const venues = (metrics, samples) => {
  const known = samplesOf(metrics, 'swap_venue_enabled').map(({ labels, value }) => ({
    id: labels['venue'] ?? '',
    isOn: value === 1,
  }))
  const [on, off] = [true, false].map((isOn) =>
    known
      .filter((one) => one.isOn === isOn)
      .map(({ id }) => id)
      .sort(),
  )
  if (known.length === 0 || !on || !off) return html`<p class="faint">The service has not read its venues yet.</p>`
  return html`${quoteTable(metrics, on)}
    ${off.length === 0 ? nothing : html`<p class="faint" id="off">Off: ${off.join(', ')}.</p>`}
    ${rejected(metrics, samples)}
    ${otherCalls(metrics, [...on, ...off])}`
}
