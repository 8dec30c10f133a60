import { html, nothing } from 'lit-html'
import { bars, count, list, state, table, upTo } from './figures.js'
import { bucketsOf, quantileOf, samplesOf, sumOf, sumsBy } from './metrics.js'

/** @typedef {import('./metrics.js').Metrics} Metrics */

/** @param {Metrics} metrics */
const quoteTable = (metrics, /** @type {readonly string[]} */ ids) => {
  const rows = ids.map((venue) => {
    const quotes = bucketsOf(metrics, 'swap_venue_call_duration_seconds', { venue, call: 'quote' })
    return html`<tr data-venue=${venue}>
      <th scope="row">${venue}</th>
      <td>${state(sumOf(metrics, 'swap_venue_healthy', { venue }), 'yes', 'rests')}</td>
      <td class="number" data-of="wins">${count(sumOf(metrics, 'swap_quote_wins_total', { venue }) ?? 0)}</td>
      <td>${bars(quotes)}</td>
      <td class="number">${upTo(quantileOf(quotes, 0.5))}</td>
      <td class="number">${upTo(quantileOf(quotes, 0.95))}</td>
      <td data-of="outcomes">${list(sumsBy(metrics, 'swap_venue_calls_total', 'outcome', { venue, call: 'quote' }))}</td>
      <td data-of="errors">${list(sumsBy(metrics, 'swap_venue_errors_total', 'kind', { venue }))}</td>
      <td data-of="rejected">${list(sumsBy(metrics, 'swap_venue_answers_total', 'check', { venue, outcome: 'rejected' }))}</td>
      <td data-of="left-out">${list(sumsBy(metrics, 'swap_venue_calls_left_out_total', 'why', { venue }))}</td>
      <td class="number">${upTo(quantileOf(bucketsOf(metrics, 'swap_venue_limiter_wait_seconds', { venue }), 0.95))}</td>
    </tr>`
  })
  const head = [
    'venue',
    'asked for quotes',
    'wins',
    'quotes by time',
    'half within',
    '95 % within',
    'how quotes ended',
    'declines and errors by kind, all calls',
    'answers rejected by check, all calls',
    'not sent',
    'status asks held back, 95 % for',
  ]
  return table('Venues', head, rows, 'No venue is asked.')
}

/** What venues are called for beside quotes. @param {Metrics} metrics @param {readonly string[]} ids */
const otherCalls = (metrics, ids) => {
  const rows = ids.flatMap((venue) => {
    const calls = new Set(samplesOf(metrics, 'swap_venue_calls_total', { venue }).map(({ labels }) => labels['call'] ?? ''))
    return [...calls].sort().flatMap((call) => {
      const outcomes = sumsBy(metrics, 'swap_venue_calls_total', 'outcome', { venue, call })
      if (call === 'quote' || outcomes.every(([, value]) => value === 0)) return []
      const seconds = bucketsOf(metrics, 'swap_venue_call_duration_seconds', { venue, call })
      return [
        html`<tr data-call="${venue} ${call}"><th scope="row">${venue}</th><td>${call}</td><td>${bars(seconds)}</td>
          <td class="number">${upTo(quantileOf(seconds, 0.5))}</td><td class="number">${upTo(quantileOf(seconds, 0.95))}</td>
          <td>${list(outcomes)}</td></tr>`,
      ]
    })
  })
  if (rows.length === 0) return nothing
  return html`<h3>Beside quotes</h3>${table('Calls of venues beside quotes', ['venue', 'call', 'by time', 'half within', '95 % within', 'how they ended'], rows, '')}`
}

/** Since the service was started. @param {Metrics} metrics */
export const venues = (metrics) => {
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
  if (known.length === 0 || !on || !off) return html`<p class="faint">No venue is known yet.</p>`
  return html`${quoteTable(metrics, on)}
    ${off.length === 0 ? nothing : html`<p class="faint" id="off">Off: ${off.join(', ')}.</p>`}
    ${otherCalls(metrics, [...on, ...off])}`
}
