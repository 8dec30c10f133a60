import { html, svg } from 'lit-html'
import { durationText } from '../../../../engine/pages/browser/text.js'
import { quantileOf } from './metrics.js'

/**
 * Numbers and tables of all sections.
 * @typedef {import('./metrics.js').Bucket} Bucket
 * @typedef {Readonly<Record<string, string>>} ChainNames by chain id
 */

export const NONE = '–'

/** @param {number | null} number */
export const count = (number) => (number === null ? NONE : Math.round(number).toLocaleString('en'))

/** @param {number | null} seconds @param {string} [before] a word before a length that ends */
export const time = (seconds, before = '') => {
  if (seconds === null) return NONE
  return Number.isFinite(seconds) ? `${before}${durationText(seconds)}` : 'longer'
}

/** @param {number | null} seconds */
export const upTo = (seconds) => time(seconds, '≤ ')

/** As the reader's clock shows it. @param {number} at epoch ms */
export const clockTime = (at) => new Date(at).toLocaleTimeString('en-GB')

/** @param {number} at epoch ms */
export const dateTime = (at) => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** @param {number | null} bytes */
export const megabytes = (bytes) => (bytes === null ? NONE : `${Math.round(bytes / 2 ** 20)} MB`)

/** Headings of the cells of `percentiles`. */
export const PERCENTILES = ['p50', 'p95', 'p99']

/** @param {readonly Bucket[]} seconds */
const quantiles = (seconds) => [0.5, 0.95, 0.99].map((part) => upTo(quantileOf(seconds, part)))

/** @param {readonly Bucket[]} seconds */
export const percentiles = (seconds) => quantiles(seconds).map((one) => html`<td class="number">${one}</td>`)

/** @param {readonly Bucket[]} seconds */
export const percentileList = (seconds) =>
  quantileOf(seconds, 1) === null
    ? NONE
    : quantiles(seconds)
        .map((one, at) => `${PERCENTILES[at]} ${one}`)
        .join(', ')

/** @param {string} chain @param {ChainNames} names */
export const nameOf = (chain, names) => (names[chain] ? `${names[chain]} (${chain})` : chain)

/** A gauge of 1 or 0, in words. @param {number | null} value @param {string} [well] @param {string} [ill] @param {string} [unknown] */
export const state = (value, well = 'healthy', ill = 'failing', unknown = NONE) => {
  if (value === null) return html`<span class="faint">${unknown}</span>`
  return value === 1 ? html`<span class="good">${well}</span>` : html`<span class="bad">${ill}</span>`
}

/** @param {string} title @param {readonly string[]} head @param {readonly unknown[]} rows @param {string} empty */
export const table = (title, head, rows, empty) =>
  rows.length === 0
    ? html`<p class="faint">${empty}</p>`
    : html`<div class="scrolled" tabindex="0" role="group" aria-label=${title}>
        <table>
          <thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
          <tbody>${rows}</tbody>
        </table>
      </div>`

/** @param {readonly (readonly [string, number])[]} sums */
export const list = (sums) => {
  const some = sums.filter(([, value]) => value > 0)
  return some.length === 0 ? NONE : some.map(([name, value]) => `${name} ${count(value)}`).join(', ')
}

/** @param {readonly (readonly [string, unknown])[]} all */
export const facts = (all) => html`<dl>${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

const [BAR, HIGH] = [9, 28]

/** A histogram of calls by their time. @param {readonly Bucket[]} buckets */
export const bars = (buckets) => {
  const most = Math.max(...buckets.map(({ count: one }) => one), 1)
  const parts = buckets.filter(({ count: one }) => one > 0).map(({ bound, count: one }) => `${one} ${upTo(bound)}`)
  const words = `Calls by time: ${parts.join(', ') || 'none'}`
  return svg`<svg class="bars" role="img" aria-label=${words} viewBox="0 0 ${buckets.length * BAR} ${HIGH}" width=${buckets.length * BAR} height=${HIGH}>
    <title>${words}</title>
    ${buckets.map(({ count: one }, at) => {
      const high = one === 0 ? 1 : Math.max(2, (one / most) * HIGH)
      return svg`<rect x=${at * BAR} y=${HIGH - high} width=${BAR - 2} height=${high}></rect>`
    })}
  </svg>`
}
