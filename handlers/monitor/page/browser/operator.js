import { html, nothing, render } from 'lit-html'
import { clockTime, count, megabytes, time, upTo } from './figures.js'
import { bucketsOf, quantileOf, samplesOf, sumOf } from './metrics.js'
import { history, plot } from './plots.js'
import { sentence, troublesOf } from './problems.js'
import { follow, get, readMetrics, readSamples, readStanding } from './readings.js'
import { areRecordsRead, background, chains, limits, money, records, requests, swaps } from './sections.js'
import { venues } from './venues.js'

/**
 * Reads `/metrics`, `/ready` and `/rejected` every few seconds and shows them.
 * @typedef {import('./readings.js').Reading} Reading
 * @typedef {import('./readings.js').Standing} Standing
 */

const EVERY_MS = 5_000
/** Until there is something to plot. */
const FIRST_MS = 1_000

/** @type {Reading | null} */
let last = null
/** Null: unknown. @type {Standing | null} */
let standing = null
/** @type {readonly import('./venues.js').Sample[]} */
let samples = []
/** Why the page has no current figures; empty: it has. */
let failure = ''
/** @type {{ asked: string, text: string, isBad: boolean } | null} */
let explained = null
let isExplaining = false

/** @param {string} name @param {unknown} value @param {string} [id] */
const tile = (name, value, id) => html`<div class="tile" data-tile=${id ?? name}><dt>${name}</dt><dd>${value}</dd></div>`

/** The state of the service in words, the colour for it, and what is wrong. */
const standingNow = () => {
  const troubles = troublesOf(failure === '' ? (last?.metrics ?? null) : null, standing?.reasons ?? [], CHAIN_NAMES)
  const parts = [...sentence(troubles), ...(failure === '' ? [] : [troubles.length > 0 ? `; ${failure}` : failure])]
  if (standing === null) return { words: 'State unknown', mood: 'bad', parts }
  if (!standing.ready) return { words: 'Not ready', mood: 'bad', parts }
  return parts.length === 0 ? { words: 'Ready', mood: 'good', parts } : { words: 'Ready, with trouble', mood: 'warn', parts }
}

/** @param {Reading} reading */
const about = ({ metrics, servedAt, at }) => {
  const { version = '', node = '', network = '' } = samplesOf(metrics, 'swap_build_info')[0]?.labels ?? {}
  const startedAt = sumOf(metrics, 'process_start_time_seconds')
  const up = time(startedAt === null ? null : Math.max(0, servedAt / 1_000 - startedAt))
  return html`Version ${version}, Node ${node}, ${network}, up ${up}, read at ${clockTime(at)}. Counters start with this process; in a cluster each process has its own page. Open, due and waiting figures come from the records, which instances may share. p50, p95 and p99 are upper bounds of histogram buckets.`
}

/** @param {Reading} reading */
const tiles = ({ metrics }) => {
  const oldest = samplesOf(metrics, 'swap_open_swap_oldest_age_seconds').map(({ value }) => value)
  const areRead = areRecordsRead(metrics)
  return html`<dl class="tiles">
      ${tile('quotes', count(sumOf(metrics, 'swap_quotes_total') ?? 0), 'quotes')}
      ${tile('swaps executed', count(sumOf(metrics, 'swap_executions_total') ?? 0), 'executions')}
      ${tile('open swaps', areRead ? count(sumOf(metrics, 'swap_open_swaps') ?? 0) : 'unknown', 'open')}
      ${tile('oldest open swap', areRead && oldest.length > 0 ? time(Math.max(...oldest)) : areRead ? 'none' : 'unknown', 'oldest')}
      ${tile('quote time p95', upTo(quantileOf(bucketsOf(metrics, 'swap_quote_duration_seconds'), 0.95)), 'quote-time')}
      ${tile('event loop delay p99', time(sumOf(metrics, 'nodejs_eventloop_lag_p99_seconds')), 'loop')}
      ${tile('memory', megabytes(sumOf(metrics, 'process_resident_memory_bytes')))}
    </dl>`
}

const head = () => {
  const { words, mood, parts } = standingNow()
  return html`<header>
      <h1>Operator</h1>
      <p id="standing" class=${mood} role="status">${words}${parts.length === 0 ? nothing : html`: ${parts}.`}</p>
      <p class="faint">${last === null ? nothing : about(last)} <a href="/runbook">Runbook</a></p>
    </header>
    ${last === null ? nothing : tiles(last)}`
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
  <p class="faint">The page searches the records. A quote that was not executed is in the log only: <code>npm run operator -- explain &lt;id&gt; --log &lt;file&gt;</code></p>
  ${explained === null ? nothing : html`<pre id="explained" tabindex="0" role="region" aria-label="Explanation of ${explained.asked}" class=${explained.isBad ? 'bad' : ''}>${explained.text}</pre>`}`

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
  document.title = `${standingNow().words} · Operator · Swap service`
  render(
    html`<main>
      ${head()}
      ${section('explain', 'Explain a quote or swap', explanation())}
      ${
        reading === null
          ? nothing
          : html`${history.length < 2 ? html`<p class="faint">Charts appear here after the second reading. They cover the time since this page was opened.</p>` : nothing}
      <div class="plots" ?hidden=${history.length < 2}><div id="plot-requests"></div><div id="plot-seconds"></div></div>
      ${section('venues', 'Venues', venues(reading.metrics, samples))}
      ${section('requests', 'Requests', requests(reading.metrics))}
      <div class="pairs">
        ${section('swaps', 'Swaps', swaps(reading.metrics))}
        ${section('background', 'Settlement and webhooks', background(reading.metrics, reading.servedAt))}
        ${section('limits', 'Limits', limits(reading.metrics))}
        ${section('records', 'Store and contract', records(reading.metrics))}
        ${section('money', 'Payments and ledger', money(reading.metrics))}
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
    plot(rates, 'Per second', 1, [
      { label: 'requests', unit: '/s', of: ({ requests: one }) => one ?? null },
      { label: 'errors', unit: '/s', of: ({ errors }) => errors ?? null },
      { label: 'quotes', unit: '/s', of: ({ quotes }) => quotes ?? null },
    ])
  if (seconds)
    plot(seconds, 'Seconds', 0.1, [
      { label: 'quote time p95', unit: 's', of: ({ quoteSeconds }) => quoteSeconds ?? null },
      { label: 'event loop delay p99', unit: 's', of: ({ loop }) => loop ?? null },
    ])
}

/** @param {unknown} error */
const wordsOf = (error) => (error instanceof Error ? error.message : String(error))

/** @type {ReturnType<typeof setTimeout> | null} */
let timer = null

const look = async () => {
  timer = null
  const [metrics, ready, rejected] = await Promise.allSettled([readMetrics(), readStanding(), readSamples()])
  standing = ready.status === 'fulfilled' ? ready.value : null
  samples = rejected.status === 'fulfilled' ? rejected.value : samples
  failure = ''
  if (metrics.status === 'fulfilled') {
    follow(metrics.value, last)
    last = metrics.value
  } else {
    const what = standing === null ? 'the service does not answer at this address' : 'the figures cannot be read'
    const since = last === null ? '' : `; the figures below are from ${clockTime(last.at)}`
    failure = `${what} (${wordsOf(metrics.reason)})${since}`
  }
  draw()
  timer = setTimeout(look, history.length < 2 ? FIRST_MS : EVERY_MS)
}

// Browsers delay the timers of hidden pages.
document.addEventListener('visibilitychange', () => {
  if (document.hidden || timer === null) return
  clearTimeout(timer)
  void look()
})

await look()
