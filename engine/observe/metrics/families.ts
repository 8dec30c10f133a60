/** A label with all its values. Any other value is reported as `other`, which bounds the number of series. */
export type Label = { readonly name: string; readonly values: { has(value: string): boolean } }

export const OTHER = 'other'

export type LabelValues = { readonly [name: string]: string }

/** The state of each combination of label values, four labels at most. Read for every event, so a lookup allocates nothing. */
class Slots<T> {
  readonly #labels: readonly Label[]
  readonly #make: () => T
  readonly #slots = new Map<string, Map<string, Map<string, Map<string, T>>>>()

  constructor(labels: readonly Label[], make: () => T) {
    this.#labels = labels
    this.#make = make
  }

  at(a: string, b: string, c: string, d: string): T {
    const slot = this.#slots.get(a)?.get(b)?.get(c)?.get(d)
    return slot ?? this.#open(this.#bounded(a, 0), this.#bounded(b, 1), this.#bounded(c, 2), this.#bounded(d, 3))
  }

  clear(): void {
    this.#slots.clear()
  }

  entries(): readonly (readonly [LabelValues, T])[] {
    return [...this.#slots].flatMap(([a, seconds]) =>
      [...seconds].flatMap(([b, thirds]) =>
        [...thirds].flatMap(([c, fourths]) => [...fourths].map(([d, slot]) => [this.#named([a, b, c, d]), slot] as const)),
      ),
    )
  }

  #bounded(value: string, index: number): string {
    const label = this.#labels[index]
    if (label === undefined) return ''
    return label.values.has(value) ? value : OTHER
  }

  #named(values: readonly string[]): LabelValues {
    return Object.fromEntries(this.#labels.map(({ name }, index) => [name, values[index] ?? '']))
  }

  #open(a: string, b: string, c: string, d: string): T {
    const seconds = this.#slots.get(a) ?? new Map<string, Map<string, Map<string, T>>>()
    this.#slots.set(a, seconds)
    const thirds = seconds.get(b) ?? new Map<string, Map<string, T>>()
    seconds.set(b, thirds)
    const fourths = thirds.get(c) ?? new Map<string, T>()
    thirds.set(c, fourths)
    const slot = fourths.get(d) ?? this.#make()
    fourths.set(d, slot)
    return slot
  }
}

type Cell = { value: number }

const createCell = (): Cell => ({ value: 0 })

export type Sample = { readonly labels: LabelValues; readonly value: number }

/** Metrics of one name. */
type Family = { readonly name: string; readonly help: string; readonly labels: readonly Label[] }

/** Only increases. */
export class CounterFamily {
  readonly type = 'counter'
  readonly of: Family
  readonly #slots: Slots<Cell>

  constructor(name: string, help: string, labels: readonly Label[] = []) {
    this.of = { name, help, labels }
    this.#slots = new Slots(labels, createCell)
    // A counter without labels starts at 0.
    if (labels.length === 0) this.add(0)
  }

  inc(a = '', b = '', c = '', d = ''): void {
    this.#slots.at(a, b, c, d).value += 1
  }

  add(by: number, a = '', b = '', c = '', d = ''): void {
    this.#slots.at(a, b, c, d).value += by
  }

  samples(): readonly Sample[] {
    return this.#slots.entries().map(([labels, { value }]) => ({ labels, value }))
  }
}

/** Reports current values. */
export class GaugeFamily {
  readonly type = 'gauge'
  readonly of: Family
  readonly #slots: Slots<Cell>

  constructor(name: string, help: string, labels: readonly Label[] = []) {
    this.of = { name, help, labels }
    this.#slots = new Slots(labels, createCell)
  }

  set(value: number, a = '', b = '', c = ''): void {
    this.#slots.at(a, b, c, '').value = value
  }

  /** Used before a full update, and when the values become unknown. */
  clear(): void {
    this.#slots.clear()
  }

  samples(): readonly Sample[] {
    return this.#slots.entries().map(([labels, { value }]) => ({ labels, value }))
  }
}

type Distribution = { readonly counts: Float64Array; sum: number }

export type Spread = {
  readonly labels: LabelValues
  /** The number of values up to each bound, smaller ones included; the last counts all. */
  readonly upTo: readonly number[]
  readonly sum: number
}

/** The distribution of values over ascending bounds. */
export class HistogramFamily {
  readonly type = 'histogram'
  readonly of: Family
  readonly bounds: readonly number[]
  readonly #slots: Slots<Distribution>

  constructor(name: string, help: string, bounds: readonly number[], labels: readonly Label[] = []) {
    this.of = { name, help, labels }
    this.bounds = bounds
    this.#slots = new Slots(labels, () => ({ counts: new Float64Array(bounds.length + 1), sum: 0 }))
    if (labels.length === 0) this.#slots.at('', '', '', '')
  }

  observe(value: number, a = '', b = '', c = ''): void {
    const { bounds } = this
    const slot = this.#slots.at(a, b, c, '')
    let index = 0
    while (index < bounds.length && value > (bounds[index] as number)) index += 1
    slot.counts[index] = (slot.counts[index] as number) + 1
    slot.sum += value
  }

  spreads(): readonly Spread[] {
    return this.#slots.entries().map(([labels, { counts, sum }]) => {
      let total = 0
      const upTo = [...counts].map((count) => {
        total += count
        return total
      })
      return { labels, upTo, sum }
    })
  }
}

export type AnyFamily = CounterFamily | GaugeFamily | HistogramFamily
