/** One line of the report: the figure, its baseline, and its goal. */
export type Figure = {
  readonly name: string
  /** The ratio or difference, with its unit. */
  readonly measured: string
  /** The absolute numbers behind it. */
  readonly absolute: string
  /** Null: no goal was set. */
  readonly goal: { readonly text: string; readonly isMet: boolean } | null
}

/** How long and how often everything is measured. */
export type Effort = {
  readonly isQuick: boolean
  readonly rounds: number
  readonly sliceSeconds: number
  readonly starts: number
  readonly quotes: number
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

export const formatRate = (perSecond: number): string => whole.format(perSecond)

export const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)

export const atLeast = (value: number, goal: number): Figure['goal'] => ({ text: `>= ${goal.toFixed(2)}`, isMet: value >= goal })

export const atMost = (value: number, goal: number, unit = ''): Figure['goal'] => ({
  text: `<= ${goal}${unit}`,
  isMet: value <= goal,
})

/** The figures as lines of text: name, measured, goal, verdict, absolute numbers. */
export const formatFigures = (figures: readonly Figure[]): string => {
  const rows = figures.map(({ name, measured, goal, absolute }) => {
    const verdict = goal === null ? '' : goal.isMet ? 'ok' : 'missed'
    return [name, measured, goal?.text ?? '', verdict, absolute]
  })
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const lineOf = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widthOf(column))).join('  ')
  return rows.map((row) => lineOf(row).trimEnd()).join('\n')
}

/** The value below which `share` of the samples lie; 0.5 is the median. Throws RangeError without samples. */
export const quantile = (samples: readonly number[], share: number): number => {
  const sorted = samples.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (value === undefined) throw new RangeError('nothing was measured')
  return value
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)

/** By contender, what each round measured. Round i of one was taken right beside round i of every other. */
export type Rounds<Name extends string, Sample> = { readonly [name in Name]: readonly Sample[] }

/**
 * Measures contenders in short slices, one beside the other, forwards and backwards in turn, so that other work of the machine
 * falls on all alike. The first slice of each warms it up and is not counted.
 */
export const interleave = async <Name extends string, Sample>(
  contenders: { readonly [name in Name]: () => Promise<Sample> },
  rounds: number,
): Promise<Rounds<Name, Sample>> => {
  const names = Object.keys(contenders) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Sample[]>
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const sample = await contenders[name]()
      if (round > 0) samples[name].push(sample)
    }
  }
  return samples
}

/** The median over the rounds of what `compare` makes of two contenders' slices of the same round. */
export const medianOfRounds = <Sample>(
  measured: readonly Sample[],
  baseline: readonly Sample[],
  compare: (measured: Sample, baseline: Sample) => number,
): number =>
  median(
    measured.flatMap((sample, round) => {
      const beside = baseline[round]
      return beside === undefined ? [] : [compare(sample, beside)]
    }),
  )
