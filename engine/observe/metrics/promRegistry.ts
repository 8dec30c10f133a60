import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import { type AnyFamily, CounterFamily, HistogramFamily, type LabelValues, type Spread } from './families.ts'

/** Everything of one family is told anew at each scrape, by what was counted meanwhile. */
const namesOf = ({ of }: AnyFamily) => ({
  name: of.name,
  help: of.help,
  labelNames: of.labels.map(({ name }) => name),
  registers: [],
})

/** One line of a histogram, as prom-client's registry takes it. */
type HistogramLine = {
  readonly metricName: string
  readonly labels: Record<string, string | number>
  readonly sharedLabels: LabelValues
  readonly value: number
}

const linesOf = (name: string, bounds: readonly number[], { labels, upTo, sum }: Spread): readonly HistogramLine[] => [
  ...upTo.map((value, index) => ({
    metricName: `${name}_bucket`,
    labels: { le: bounds[index] ?? '+Inf' },
    sharedLabels: labels,
    value,
  })),
  { metricName: `${name}_sum`, labels: {}, sharedLabels: labels, value: sum },
  { metricName: `${name}_count`, labels: {}, sharedLabels: labels, value: upTo.at(-1) ?? 0 },
]

/** prom-client's own is filled one value after the other, at eight times the cost: this one tells what was counted already. */
class CountedHistogram extends Histogram {
  readonly #family: HistogramFamily

  constructor(family: HistogramFamily) {
    super({ ...namesOf(family), buckets: [...family.bounds] })
    this.#family = family
  }

  /** The registry asks for text by this name; `get` is made of it. */
  async getForPromString() {
    const { of, bounds } = this.#family
    const values = this.#family.spreads().flatMap((spread) => linesOf(of.name, bounds, spread))
    return { name: of.name, help: of.help, type: 'histogram', aggregator: 'sum', values }
  }
}

const toMetric = (family: AnyFamily): Metric => {
  if (family instanceof HistogramFamily) return new CountedHistogram(family)
  if (family instanceof CounterFamily)
    return new Counter({
      ...namesOf(family),
      collect() {
        this.reset()
        for (const { labels, value } of family.samples()) this.inc(labels, value)
      },
    })
  return new Gauge({
    ...namesOf(family),
    collect() {
      this.reset()
      // Of itself one without labels would tell 0 of what nobody has told yet.
      if (family.of.labels.length === 0) this.remove()
      for (const { labels, value } of family.samples()) this.set(labels, value)
    },
  })
}

/** How finely delays of the event loop are measured, ms: as often the process is woken. */
const LOOP_PRECISION_MS = 20

/** A registry of its own, with all families and what prom-client tells of the process. */
export const createPromRegistry = (families: readonly AnyFamily[]): Registry => {
  const registry = new Registry()
  for (const family of families) registry.registerMetric(toMetric(family))
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS })
  return registry
}
