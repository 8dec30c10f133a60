/**
 * What `/metrics` tells, read by its text: https://prometheus.io/docs/instrumenting/exposition_formats/
 * @typedef {{ readonly labels: Readonly<Record<string, string>>, readonly value: number }} Sample
 * @typedef {ReadonlyMap<string, readonly Sample[]>} Metrics
 */

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g

/** @param {string} written */
const numberOf = (written) => (written.endsWith('Inf') ? Number(`${written}inity`) : Number(written))

/** @param {string} written */
const unescaped = (written) => written.replace(/\\(.)/g, (_all, one) => (one === 'n' ? '\n' : one))

/** @param {string} text @returns {Metrics} */
export const parseMetrics = (text) => {
  /** @type {Map<string, Sample[]>} */
  const metrics = new Map()
  for (const line of text.split('\n')) {
    const [, name, labels = '', number] = LINE.exec(line) ?? []
    const value = numberOf(number ?? '')
    // That is how a metric says that it has no value.
    if (name === undefined || Number.isNaN(value)) continue
    const sample = {
      labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, key, of = '']) => [key, unescaped(of)])),
      value,
    }
    const known = metrics.get(name)
    if (known) known.push(sample)
    else metrics.set(name, [sample])
  }
  return metrics
}

/** @param {Sample} sample @param {Readonly<Record<string, string>>} wanted */
const fits = ({ labels }, wanted) => Object.entries(wanted).every(([name, value]) => labels[name] === value)

/** Samples of a name with these labels. @param {Metrics} metrics @param {string} name @param {Readonly<Record<string, string>>} [wanted] */
export const samplesOf = (metrics, name, wanted = {}) => (metrics.get(name) ?? []).filter((sample) => fits(sample, wanted))

/** Their sum; null where there are none: what is not told is not 0. @param {Metrics} metrics @param {string} name @param {Readonly<Record<string, string>>} [wanted] */
export const sumOf = (metrics, name, wanted = {}) => {
  const samples = samplesOf(metrics, name, wanted)
  return samples.length === 0 ? null : samples.reduce((sum, { value }) => sum + value, 0)
}

/** Sums by the values of a label, largest first. @param {Metrics} metrics @param {string} name @param {string} label @param {Readonly<Record<string, string>>} [wanted] */
export const sumsBy = (metrics, name, label, wanted = {}) => {
  /** @type {Map<string, number>} */
  const sums = new Map()
  for (const { labels, value } of samplesOf(metrics, name, wanted))
    sums.set(labels[label] ?? '', (sums.get(labels[label] ?? '') ?? 0) + value)
  return [...sums].sort((a, b) => b[1] - a[1])
}

/**
 * A histogram: how many were at most as large as each bound, and more than the bound before.
 * @typedef {{ readonly bound: number, readonly count: number }} Bucket
 * @param {Metrics} metrics @param {string} name without `_bucket` @param {Readonly<Record<string, string>>} [wanted]
 * @returns {readonly Bucket[]}
 */
export const bucketsOf = (metrics, name, wanted = {}) => {
  /** @type {Map<number, number>} */
  const upTo = new Map()
  for (const { labels, value } of samplesOf(metrics, `${name}_bucket`, wanted)) {
    const bound = numberOf(labels['le'] ?? '')
    upTo.set(bound, (upTo.get(bound) ?? 0) + value)
  }
  let before = 0
  return [...upTo]
    .sort((a, b) => a[0] - b[0])
    .map(([bound, total]) => {
      const count = total - before
      before = total
      return { bound, count }
    })
}

/** What that part of all was at most, to the bound of its bucket; null of none. @param {readonly Bucket[]} buckets @param {number} part */
export const quantileOf = (buckets, part) => {
  const all = buckets.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return null
  let seen = 0
  for (const { bound, count } of buckets) {
    seen += count
    if (seen >= all * part) return bound
  }
  return null
}

/** What came between two readings, neither of which may be of an earlier start. @param {readonly Bucket[]} now @param {readonly Bucket[]} before */
export const bucketsSince = (now, before) =>
  now.map(({ bound, count }) => ({ bound, count: count - (before.find((one) => one.bound === bound)?.count ?? 0) }))
