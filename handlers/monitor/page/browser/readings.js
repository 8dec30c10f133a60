import { bucketsOf, bucketsSince, parseMetrics, quantileOf, sumOf } from './metrics.js'
import { remember } from './plots.js'

/**
 * What the service tells at one time, and what its counters did from one time to the next: that is the page's own to remember.
 * @typedef {import('./metrics.js').Metrics} Metrics
 * @typedef {{ readonly at: number, readonly servedAt: number, readonly metrics: Metrics }} Reading
 * @typedef {{ readonly ready: boolean, readonly reasons: readonly string[] }} Standing
 */

const PATIENCE_MS = 8_000
/** Of a longer time, such as that of a machine that slept, an average tells nothing of what went on. A hidden page reads once a minute. */
const APART_MS_MAX = 150_000

/** @param {string} path */
export const get = (path) => fetch(path, { signal: AbortSignal.timeout(PATIENCE_MS), cache: 'no-store' })

/** Ages are by the service's clock: that of who looks may be another. @returns {Promise<Reading>} */
export const readMetrics = async () => {
  const response = await get('/metrics')
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`)
  const date = Date.parse(response.headers.get('date') ?? '')
  const metrics = parseMetrics(await response.text())
  const at = Date.now()
  return { at, servedAt: Number.isFinite(date) ? date : at, metrics }
}

/** @returns {Promise<Standing>} */
export const readStanding = async () => {
  const response = await get('/ready')
  const told = await response.json()
  if (typeof told?.ready !== 'boolean') throw new Error(`/ready answered ${response.status}`)
  return { ready: told.ready, reasons: told.reasons ?? [] }
}

/** @returns {Promise<readonly import('./venues.js').Sample[]>} */
export const readSamples = async () => {
  const response = await get('/rejected')
  if (!response.ok) throw new Error(`/rejected answered ${response.status}`)
  return (await response.json()).samples
}

/** A second, between two readings; null where a counter was set back. @param {Reading} now @param {Reading} before @param {string} name */
const rate = (now, before, name) => {
  const more = (sumOf(now.metrics, name) ?? 0) - (sumOf(before.metrics, name) ?? 0)
  return more < 0 ? null : more / ((now.at - before.at) / 1_000)
}

/** @param {Reading} now @param {Reading} before @param {string} name */
const recent = (now, before, name) => {
  const since = bucketsSince(bucketsOf(now.metrics, name), bucketsOf(before.metrics, name))
  const bound = since.some(({ count }) => count < 0) ? null : quantileOf(since, 0.95)
  return bound === null || !Number.isFinite(bound) ? null : bound
}

/** @param {Reading} reading */
const startOf = ({ metrics }) => sumOf(metrics, 'process_start_time_seconds')

/** Counters begin anew with the service: between two starts there is nothing to tell. @param {Reading} now @param {Reading | null} before */
export const follow = (now, before) => {
  if (before === null) return
  const { at } = now
  const loop = sumOf(now.metrics, 'nodejs_eventloop_lag_p99_seconds')
  const apartMs = at - before.at
  if (startOf(now) !== startOf(before) || apartMs <= 0 || apartMs > APART_MS_MAX) {
    remember({ at, requests: null, errors: null, quotes: null, quoteSeconds: null, loop: apartMs > APART_MS_MAX ? null : loop })
    return
  }
  remember({
    at,
    requests: rate(now, before, 'swap_requests_total'),
    errors: rate(now, before, 'swap_request_errors_total'),
    quotes: rate(now, before, 'swap_quotes_total'),
    quoteSeconds: recent(now, before, 'swap_quote_duration_seconds'),
    loop,
  })
}
