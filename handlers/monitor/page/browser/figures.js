import { html, svg } from 'lit-html'

/**
 * Numbers and tables as all sections write them.
 * @typedef {import('./metrics.js').Bucket} Bucket
 */

export const NONE = '–'

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
export const upTo = (seconds) => (seconds === null ? NONE : Number.isFinite(seconds) ? `≤ ${time(seconds)}` : 'longer')

/** @param {number | null} bytes */
export const megabytes = (bytes) => (bytes === null ? NONE : `${Math.round(bytes / 2 ** 20)} MB`)

/** A gauge of 1 or 0, in words. @param {number | null} value @param {string} [well] @param {string} [ill] @param {string} [untold] */
export const state = (value, well = 'well', ill = 'in trouble', untold = NONE) => {
  if (value === null) return html`<span class="faint">${untold}</span>`
  return value === 1 ? html`<span class="good">${well}</span>` : html`<span class="bad">${ill}</span>`
}

/** @param {string} title @param {readonly string[]} head @param {readonly unknown[]} rows @param {string} empty */
export const table = (title, head, rows, empty) =>
  rows.length === 0
    ? html`<p class="faint">${empty}</p>`
    : html`<div class="scrolled" tabindex="0" role="region" aria-label=${title}>
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

/** How calls spread over the bounds of their histogram. @param {readonly Bucket[]} buckets */
export const bars = (buckets) => {
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
