import { html, nothing, render } from 'lit-html'
import { count, megabytes, time } from './figures.js'
import { bucketsOf, bucketsSince, parseMetrics, quantileOf, samplesOf, sumOf } from './metrics.js'
import { history, plot, remember } from './plots.js'
import { areRecordsRead, background, chains, limits, money, problems, records, requests, swaps } from './sections.js'
import { venues } from './venues.js'

/**
 * Reads `/metrics` and `/ready` every few seconds and shows them. What the counters did between two readings is the page's
 * own to remember.
 * @typedef {import('./metrics.js').Metrics} Metrics
 * @typedef {{ readonly at: number, readonly metrics: Metrics, readonly ready: boolean, readonly reasons: readonly string[] }} Reading
 */

const EVERY_MS = 5_000
/** Until there is something to plot. */
const FIRST_MS = 1_000
const PATIENCE_MS = 8_000

/** @type {Reading | null} */
let last = null
/** @type {string} */
let trouble = ''
/** @type {{ asked: string, text: string, isBad: boolean } | null} */
let explained = null
let isExplaining = false

/** @param {string} path */
const get = (path) => fetch(path, { signal: AbortSignal.timeout(PATIENCE_MS), cache: 'no-store' })

/** @returns {Promise<Reading>} */
const read = async () => {
  const [metrics, ready] = await Promise.all([get('/metrics'), get('/ready')])
  if (!metrics.ok) throw new Error(`/metrics answered ${metrics.status}`)
  const told = await ready.json()
  return { at: Date.now(), metrics: parseMetrics(await metrics.text()), ready: told.ready === true, reasons: told.reasons ?? [] }
}

/** A second, between two readings. @param {Reading} now @param {Reading} before @param {string} name */
const rate = (now, before, name) =>
  ((sumOf(now.metrics, name) ?? 0) - (sumOf(before.metrics, name) ?? 0)) / ((now.at - before.at) / 1_000)

/** @param {Reading} now @param {Reading} before @param {string} name */
const recent = (now, before, name) => {
  const bound = quantileOf(bucketsSince(bucketsOf(now.metrics, name), bucketsOf(before.metrics, name)), 0.95)
  return bound === null || !Number.isFinite(bound) ? null : bound
}

/** @param {Reading} reading */
const startOf = ({ metrics }) => sumOf(metrics, 'process_start_time_seconds')

/** Counters begin anew with the service: between two starts there is nothing to tell. @param {Reading} now @param {Reading | null} before */
const follow = (now, before) => {
  if (before === null) return
  const loop = sumOf(now.metrics, 'nodejs_eventloop_lag_p99_seconds')
  if (startOf(now) !== startOf(before)) {
    remember({ at: now.at, requests: null, errors: null, quotes: null, quoteSeconds: null, loop })
    return
  }
  remember({
    at: now.at,
    requests: rate(now, before, 'swap_requests_total'),
    errors: rate(now, before, 'swap_request_errors_total'),
    quotes: rate(now, before, 'swap_quotes_total'),
    quoteSeconds: recent(now, before, 'swap_quote_duration_seconds'),
    loop,
  })
}

/** @param {string} name @param {unknown} value @param {string} [id] */
const tile = (name, value, id) => html`<div class="tile" data-tile=${id ?? name}><dt>${name}</dt><dd>${value}</dd></div>`

/** @param {Reading} reading */
const head = ({ metrics, ready, reasons, at }) => {
  const { version = '', node = '', network = '' } = samplesOf(metrics, 'swap_build_info')[0]?.labels ?? {}
  const startedAt = sumOf(metrics, 'process_start_time_seconds')
  const oldest = samplesOf(metrics, 'swap_open_swap_oldest_age_seconds').map(({ value }) => value)
  const areRead = areRecordsRead(metrics)
  return html`<header>
      <h1>Operator</h1>
      <p id="standing" class=${ready ? 'good' : 'bad'}>${ready ? 'Ready' : 'Not ready'}</p>
      <p class="faint">Version ${version}, Node ${node}, ${network}, up ${time(startedAt === null ? null : Math.max(0, at / 1_000 - startedAt))}. Counted by this process alone since it was started: of a cluster each has a page at its own port. What is open, due or waiting is told by the records, which instances may share. <a href="/runbook">Runbook</a></p>
    </header>
    ${problems(metrics, reasons)}
    <dl class="tiles">
      ${tile('quotes served', count(sumOf(metrics, 'swap_quotes_total') ?? 0), 'quotes')}
      ${tile('swaps executed', count(sumOf(metrics, 'swap_executions_total') ?? 0), 'executions')}
      ${tile('swaps open', areRead ? count(sumOf(metrics, 'swap_open_swaps') ?? 0) : 'not known', 'open')}
      ${tile('the oldest', areRead && oldest.length > 0 ? time(Math.max(...oldest)) : areRead ? 'none' : 'not known', 'oldest')}
      ${tile('event loop late, 99 %', time(sumOf(metrics, 'nodejs_eventloop_lag_p99_seconds')))}
      ${tile('memory', megabytes(sumOf(metrics, 'process_resident_memory_bytes')))}
    </dl>`
}

/** @param {SubmitEvent} event */
const explain = async (event) => {
  event.preventDefault()
  const form = event.target
  const asked = form instanceof HTMLFormElement ? String(new FormData(form).get('id') ?? '').trim() : ''
  if (asked === '' || isExplaining) return
  isExplaining = true
  draw()
  try {
    const response = await get(`/explain?${new URLSearchParams({ id: asked })}`)
    const told = await response.json()
    explained = { asked, text: response.ok ? told.lines.join('\n') : String(told.error), isBad: !response.ok }
  } catch (error) {
    explained = { asked, text: error instanceof Error ? error.message : String(error), isBad: true }
  }
  isExplaining = false
  draw()
}

const explanation = () => html`<form @submit=${explain}>
    <label for="id">Id of a quote, swap, request, transaction or ref</label>
    <div class="row"><input id="id" name="id" autocomplete="off" spellcheck="false" maxlength="200" required><button ?disabled=${isExplaining}>Explain</button></div>
  </form>
  <p class="faint">From the records. Quotes that were not executed stand in the log alone: npm run operator -- explain &lt;id&gt; --log &lt;file&gt;.</p>
  ${explained === null ? nothing : html`<pre id="explained" tabindex="0" role="region" aria-label="What became of ${explained.asked}" class=${explained.isBad ? 'bad' : ''}>${explained.text}</pre>`}`

/** @param {string} id @param {string} title @param {unknown} content */
const section = (id, title, content) =>
  html`<section id=${id} aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`

const page = document.querySelector('#page')
/** @type {Record<string, string>} */
const CHAIN_NAMES = JSON.parse((page instanceof HTMLElement && page.dataset['chains']) || '{}')
page?.replaceChildren()

const draw = () => {
  if (!(page instanceof HTMLElement)) return
  const reading = last
  render(
    html`<main>
      ${trouble === '' ? nothing : html`<p class="bad" role="status">${trouble}</p>`}
      ${
        reading === null
          ? html`<p class="loading">Loading …</p>`
          : html`${head(reading)}
      ${section('explain', 'Why did a quote or swap go as it did?', explanation())}
      ${history.length < 2 ? html`<p class="faint">What goes on is plotted here while the page is open.</p>` : nothing}
      <div class="plots" aria-hidden="true" ?hidden=${history.length < 2}><div id="plot-requests"></div><div id="plot-seconds"></div></div>
      ${section('venues', 'Venues', venues(reading.metrics))}
      ${section('requests', 'Requests', requests(reading.metrics))}
      <div class="pairs">
        ${section('swaps', 'Swaps', swaps(reading.metrics))}
        ${section('background', 'Settlement and webhooks', background(reading.metrics, reading.at))}
        ${section('limits', 'Limits', limits(reading.metrics))}
        ${section('records', 'Records', records(reading.metrics))}
        ${section('money', 'Payments and books', money(reading.metrics))}
        ${section('chains', 'Chain endpoints', chains(reading.metrics, CHAIN_NAMES))}
      </div>`
      }
    </main>`,
    page,
  )
  drawPlots()
}

const drawPlots = () => {
  if (history.length < 2) return
  const [rates, seconds] = [document.getElementById('plot-requests'), document.getElementById('plot-seconds')]
  if (rates)
    plot(rates, 'A second', 1, [
      { label: 'requests', unit: '/s', of: ({ requests: one }) => one ?? null },
      { label: 'errors', unit: '/s', of: ({ errors }) => errors ?? null },
      { label: 'quotes', unit: '/s', of: ({ quotes }) => quotes ?? null },
    ])
  if (seconds)
    plot(seconds, 'Seconds', 0.1, [
      { label: '95 % of quotes within', unit: 's', of: ({ quoteSeconds }) => quoteSeconds ?? null },
      { label: 'event loop late, 99 %', unit: 's', of: ({ loop }) => loop ?? null },
    ])
}

const look = async () => {
  try {
    const reading = await read()
    follow(reading, last)
    last = reading
    trouble = ''
  } catch (error) {
    const since = last === null ? '' : ` What is shown is of ${new Date(last.at).toLocaleTimeString()}.`
    trouble = `The service does not answer here: ${error instanceof Error ? error.message : String(error)}.${since}`
  }
  draw()
  setTimeout(look, history.length < 2 ? FIRST_MS : EVERY_MS)
}

await look()
