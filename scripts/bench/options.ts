import { parseArgs } from 'node:util'

export const SECTIONS = ['edge', 'ideal', 'race', 'overload', 'token', 'start'] as const
export type SectionName = (typeof SECTIONS)[number]

/** How long and how often everything is measured. */
export type Effort = {
  readonly isQuick: boolean
  readonly rounds: number
  /** Races wait for slow venues and take long: fewer rounds. */
  readonly raceRounds: number
  readonly sliceSeconds: number
  readonly starts: number
  readonly quotes: number
}

export type Options = { readonly sections: readonly SectionName[]; readonly effort: Effort }

const FULL: Effort = { isQuick: false, rounds: 5, raceRounds: 3, sliceSeconds: 1.2, starts: 5, quotes: 10_000 }
/** Shows that everything runs. Its numbers are too few to conclude from. */
const QUICK: Effort = { isQuick: true, rounds: 1, raceRounds: 1, sliceSeconds: 0.2, starts: 1, quotes: 1_000 }

export const USAGE = `npm run bench -- [--quick] [--only ${SECTIONS.join(',')}]`

const isSection = (name: string): name is SectionName => SECTIONS.some((section) => section === name)

/** Throws TypeError when the arguments cannot be understood. */
export const parseOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: SECTIONS.join(',') } },
  })
  const names = values.only.split(',')
  const strangers = names.filter((name) => !isSection(name))
  if (strangers.length > 0) throw new TypeError(`--only takes ${SECTIONS.join(', ')}; not ${strangers.join(', ')}`)
  return { sections: SECTIONS.filter((name) => names.includes(name)), effort: values.quick ? QUICK : FULL }
}
