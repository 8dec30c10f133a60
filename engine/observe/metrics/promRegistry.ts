import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import { type AnyFamily, CounterFamily, HistogramFamily, type LabelValues, type Spread } from './families.ts'
import { createLoopDelay, type LoopDelay } from './loopDelay.ts'

/** Each scrape rebuilds a family from the current counts. */
const namesOf = ({ of }: AnyFamily) => ({
  name: of.name,
  help: of.help,
  labelNames: of.labels.map(({ name }) => name),
  registers: [],
})

/** One line of a histogram, in the format of prom-client's registry. */
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

/** prom-client's own histogram is filled value by value, at eight times the cost. This one reports existing counts. */
class CountedHistogram extends Histogram {
  readonly #family: HistogramFamily

  constructor(family: HistogramFamily) {
    super({ ...namesOf(family), buckets: [...family.bounds] })
    this.#family = family
  }

  /** The registry reads text by this name; `get` uses it. */
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
      // A gauge without labels would otherwise report 0 before its first value.
      if (family.of.labels.length === 0) this.remove()
      for (const { labels, value } of family.samples()) this.set(labels, value)
    },
  })
}

/** For these prom-client reports the time since the last read, however recent, and 20 ms too much. */
const OF_LOOP = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map((one) => `nodejs_eventloop_lag_${one}_seconds`)

const loopGauges = (delay: LoopDelay): readonly Gauge[] =>
  (['p50', 'p99', 'max'] as const).map(
    (one) =>
      new Gauge({
        name: `nodejs_eventloop_lag_${one}_seconds`,
        help: `How late turns of the event loop were, of the last half minute to minute: ${one}.`,
        registers: [],
        collect() {
          this.set(delay.read()[one])
        },
      }),
  )

/** A separate registry, with all families and prom-client's metrics of the process. */
export const createPromRegistry = (families: readonly AnyFamily[]): Registry => {
  const registry = new Registry()
  for (const family of families) registry.registerMetric(toMetric(family))
  collectDefaultMetrics({ register: registry })
  for (const name of OF_LOOP) registry.removeSingleMetric(name)
  for (const gauge of loopGauges(createLoopDelay())) registry.registerMetric(gauge)
  return registry
}
