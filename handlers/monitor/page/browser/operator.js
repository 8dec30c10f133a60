import { html, nothing, render } from 'lit-html'
import { count, megabytes, time } from './figures.js'
import { samplesOf, sumOf } from './metrics.js'
import { history, plot } from './plots.js'
import { problems } from './problems.js'
import { follow, get, readMetrics, readStanding } from './readings.js'
import { areRecordsRead, background, chains, limits, money, records, requests, swaps } from './sections.js'
import { venues } from './venues.js'

/**
 * Reads `/metrics` and `/ready` every few seconds and shows them.
 * @typedef {import('./readings.js').Reading} Reading
 * @typedef {import('./readings.js').Standing} Standing
 */

const EVERY_MS = 5_000
/** Until there is something to plot. */
const FIRST_MS = 1_000

/** @type {Reading | null} */
let last = null
/** As it is now; null: nobody knows. @type {Standing | null} */
let standing = null
/** @type {string} */
let trouble = ''
/** @type {{ asked: string, text: string, isBad: boolean } | null} */
let explained = null
let isExplaining = false

/** @param {string} name @param {unknown} value @param {string} [id] */
const tile = (name, value, id) => html`<div class="tile" data-tile=${id ?? name}><dt>${name}</dt><dd>${value}</dd></div>`

const STANDINGS = { ready: ['Ready', 'good'], not: ['Not ready', 'bad'], unknown: ['Not known whether it is ready', 'bad'] }

const standingNow = () => STANDINGS[standing === null ? 'unknown' : standing.ready ? 'ready' : 'not']

/** @param {Reading} reading */
const about = ({ metrics, servedAt, at }) => {
  const { version = '', node = '', network = '' } = samplesOf(metrics, 'swap_build_info')[0]?.labels ?? {}
  const startedAt = sumOf(metrics, 'process_start_time_seconds')
  const up = time(startedAt === null ? null : Math.max(0, servedAt / 1_000 - startedAt))
  return html`Version ${version}, Node ${node}, ${network}, up ${up}, read at ${clockTime(at)}. Counted by this process alone since it was started: of a cluster each has a page at its own port. What is open, due or waiting is told by the records, which instances may share.`
}

/** @param {Reading} reading */
const tiles = ({ metrics }) => {
  const oldest = samplesOf(metrics, 'swap_open_swap_oldest_age_seconds').map(({ value }) => value)
  const areRead = areRecordsRead(metrics)
  return html`<dl class="tiles">
      ${tile('quotes served', count(sumOf(metrics, 'swap_quotes_total') ?? 0), 'quotes')}
      ${tile('swaps executed', count(sumOf(metrics, 'swap_executions_total') ?? 0), 'executions')}
      ${tile('swaps open', areRead ? count(sumOf(metrics, 'swap_open_swaps') ?? 0) : 'not known', 'open')}
      ${tile('the oldest', areRead && oldest.length > 0 ? time(Math.max(...oldest)) : areRead ? 'none' : 'not known', 'oldest')}
      ${tile('event loop late, 99 %', time(sumOf(metrics, 'nodejs_eventloop_lag_p99_seconds')), 'loop')}
      ${tile('memory', megabytes(sumOf(metrics, 'process_resident_memory_bytes')))}
    </dl>`
}

/** @param {number} at */
const clockTime = (at) => new Date(at).toLocaleTimeString()

const head = () => {
  const [words, mood] = standingNow()
  return html`<header>
      <h1>Operator</h1>
      <p id="standing" class=${mood}>${words}</p>
      <p class="faint">${last === null ? nothing : about(last)} <a href="/runbook">Runbook</a></p>
    </header>
    ${trouble === '' ? nothing : html`<p class="bad" id="trouble" role="status">${trouble}</p>`}
    ${problems(last === null || trouble !== '' ? null : last.metrics, standing?.reasons ?? [])}
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
  document.title = `${standingNow()[0]} · Operator · Swap service`
  render(
    html`<main>
      ${head()}
      ${section('explain', 'Why did a quote or swap go as it did?', explanation())}
      ${
        reading === null
          ? nothing
          : html`${history.length < 2 ? html`<p class="faint">What goes on is plotted here while the page is open.</p>` : nothing}
      <div class="plots" aria-hidden="true" ?hidden=${history.length < 2}><div id="plot-requests"></div><div id="plot-seconds"></div></div>
      ${section('venues', 'Venues', venues(reading.metrics))}
      ${section('requests', 'Requests', requests(reading.metrics))}
      <div class="pairs">
        ${section('swaps', 'Swaps', swaps(reading.metrics))}
        ${section('background', 'Settlement and webhooks', background(reading.metrics, reading.servedAt))}
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

/** @param {unknown} error */
const wordsOf = (error) => (error instanceof Error ? error.message : String(error))

/** @type {ReturnType<typeof setTimeout> | null} */
let timer = null

const look = async () => {
  timer = null
  const [metrics, ready] = await Promise.allSettled([readMetrics(), readStanding()])
  standing = ready.status === 'fulfilled' ? ready.value : null
  trouble = ''
  if (metrics.status === 'fulfilled') {
    follow(metrics.value, last)
    last = metrics.value
  } else {
    const what = standing === null ? 'The service does not answer here' : 'It cannot be told how the service is'
    const since = last === null ? '' : ` The figures are of ${clockTime(last.at)}.`
    trouble = `${what}: ${wordsOf(metrics.reason)}.${since}`
  }
  draw()
  timer = setTimeout(look, history.length < 2 ? FIRST_MS : EVERY_MS)
}

// Browsers hold back the timers of what nobody sees.
document.addEventListener('visibilitychange', () => {
  if (document.hidden || timer === null) return
  clearTimeout(timer)
  void look()
})

await look()
