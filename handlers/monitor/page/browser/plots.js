import uPlot from 'uplot'
import { clockTime } from './figures.js'

/**
 * How some figures went while the page was open.
 * @typedef {{ readonly label: string, readonly unit: string, readonly of: (point: Point) => number | null }} Line
 * @typedef {Readonly<Record<string, number | null>> & { readonly at: number }} Point
 */

const POINTS_MAX = 720

/** @type {Point[]} */
export const history = []

/** @param {Point} point */
export const remember = (point) => {
  history.push(point)
  if (history.length > POINTS_MAX) history.shift()
}

/** @param {string} name */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Colours of the theme are written as light-dark(), which a canvas does not know. @param {string} name */
const inked = (name) => {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color || colour(name)
}

/** Seconds that the time axis covers at least, between its marks, and the pixels of a mark's label. */
const [SPAN_MIN, MARKS, LABEL] = [60, [10, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200], 80]

const COLOURS = ['--accent', '--bad', '--good']

/** @param {HTMLElement} element @param {string} title @param {number} least what the axis reaches to at least @param {readonly Line[]} lines */
const draw = (element, title, least, lines) => {
  const [ink, line] = [inked('--faint'), inked('--line')]
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: '12px sans-serif' }
  return new uPlot(
    {
      title,
      width: Math.max(240, element.clientWidth),
      height: 180,
      cursor: { drag: { x: false, y: false } },
      legend: { live: false },
      scales: {
        x: { range: (_plot, min, max) => [Math.min(min, max - SPAN_MIN), max] },
        y: { range: (_plot, _min, max) => [0, Math.max(max * 1.1, least)] },
      },
      axes: [
        { ...axis, space: LABEL, incrs: MARKS, values: (_plot, at) => at.map((seconds) => clockTime(seconds * 1_000)) },
        { ...axis, size: 60 },
      ],
      series: [
        {},
        ...lines.map(({ label }, at) => ({ label, stroke: inked(COLOURS[at] ?? '--ink'), width: 1.5, spanGaps: false })),
      ],
    },
    dataOf(lines),
    element,
  )
}

/** @param {readonly Line[]} lines @returns {uPlot.AlignedData} */
const dataOf = (lines) => [
  history.map(({ at }) => at / 1_000),
  ...lines.map(({ of }) => history.map((point) => of(point) ?? null)),
]

/** @type {Map<string, { plot: uPlot, lines: readonly Line[], width: number }>} */
const plots = new Map()

/** Draws into the element, or brings what is there up to date. @param {HTMLElement} element @param {string} title @param {number} least what the axis reaches to at least @param {readonly Line[]} lines */
export const plot = (element, title, least, lines) => {
  const values = lines.map(({ label, unit, of }) =>
    `${label} ${+(of(history.at(-1) ?? { at: 0 }) ?? Number.NaN).toFixed(3)} ${unit}`.replace(/NaN .*/, 'none'),
  )
  element.setAttribute('role', 'img')
  element.setAttribute('aria-label', `Chart, ${title.toLowerCase()}. Last values: ${values.join(', ')}`)
  const known = plots.get(title)
  const width = element.clientWidth
  if (known && known.width === width) known.plot.setData(dataOf(lines))
  else {
    known?.plot.destroy()
    plots.set(title, { plot: draw(element, title, least, lines), lines, width })
  }
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const known of plots.values()) known.width = -1
})
