import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import { type AnyFamily, CounterFamily, HistogramFamily, type LabelValues, type Spread } from './families.ts'
import { createLoopDelay, type LoopDelay } from './loopDelay.ts'

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

/** Of these prom-client tells what was since anybody asked last, be it a moment ago, and 20 ms too much. */
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

/** A registry of its own, with all families and what prom-client tells of the process. */
export const createPromRegistry = (families: readonly AnyFamily[]): Registry => {
  const registry = new Registry()
  for (const family of families) registry.registerMetric(toMetric(family))
  collectDefaultMetrics({ register: registry })
  for (const name of OF_LOOP) registry.removeSingleMetric(name)
  for (const gauge of loopGauges(createLoopDelay())) registry.registerMetric(gauge)
  return registry
}
