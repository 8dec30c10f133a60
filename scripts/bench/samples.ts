/** The value below which `share` of the samples lie; 0.5 is the median. Throws RangeError without samples. */
export const quantile = (samples: readonly number[], share: number): number => {
  const sorted = [...samples].sort((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (value === undefined) throw new RangeError('nothing was measured')
  return value
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)

/** By contender, what each round measured. Round i of one was taken right beside round i of every other. */
export type Rounds<Name extends string, Sample> = { readonly [name in Name]: readonly Sample[] }

/**
 * Measures contenders in short slices, one beside the other, forwards and backwards in turn, so that whatever else the
 * machine does falls on all alike. The first slice of each warms it up and is thrown away.
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
