import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../contract/document.ts'
import type { Mutant } from './findMutants.ts'
import type { Judgement } from './jobs.ts'

type Score = { readonly commit: string; readonly mutants: number; readonly killed: number; readonly score: number }

type ModuleRecord = Score & {
  /** The first score of this name. It never changes. */
  readonly first: Score
  readonly seed: string
  /** Which tests tried the mutants, and for how long. */
  readonly rule: string
  /** Killed by a test's own time limit or by a worker that hung; part of `killed`. */
  readonly timeouts: number
  /** Survivors that no test reaches. */
  readonly uncovered: number
  /** Survivors that more test files reach than were run within the time for a mutant. */
  readonly cut: number
  /** Survivors of the run before that this run did not try again. */
  readonly untried: number
  readonly survivors: readonly string[]
  /** Digests of the keys of all mutants that were ever killed. */
  readonly everKilled: string
}

type Scores = { readonly [module: string]: ModuleRecord }

type Judged = { readonly mutant: Mutant; readonly judgement: Judgement | undefined }

const POINTS_MAX = 1
export const UNTRIED = 'not tried'
const PATH = join(projectRoot, 'test/mutation.json')

const digestOf = ({ key }: Mutant): string => createHash('sha256').update(key).digest('hex').slice(0, 10)

const describe = ({ file, line, key }: Mutant): string => `${file}:${line} ${key}`

const readScores = (): Scores => (existsSync(PATH) ? JSON.parse(readFileSync(PATH, 'utf8')) : {})

/** Keys of the mutants of a module that survived the last recorded run. */
export const survivorsOf = (name: string): ReadonlySet<string> =>
  new Set(readScores()[name]?.survivors.map((survivor) => survivor.slice(survivor.indexOf(' ') + 1)))

/** Compares a module's score with its first one and, if all its mutants are judged, writes it. True if no point was lost. */
export const record = (
  name: string,
  {
    rule,
    seed,
    commit,
    isClean,
  }: { readonly rule: string; readonly seed: string; readonly commit: string; readonly isClean: boolean },
  judged: readonly Judged[],
  say: (line: string) => void,
): boolean => {
  const all = readScores()
  const before = all[name]
  const done = judged.flatMap(({ mutant, judgement }) => (judgement ? [{ mutant, judgement }] : []))
  const survivors = done.filter(({ judgement }) => judgement.verdict === 'survived')
  const killed = done.filter(({ judgement }) => judgement.verdict !== 'survived')
  if (done.length === 0) return false
  const score = Math.round((killed.length / done.length) * 1_000) / 10
  const now: Score = { commit: isClean ? commit : `${commit} with changes`, mutants: done.length, killed: killed.length, score }
  const first = before?.first ?? now
  const known = new Set(before?.everKilled.split(' '))
  const lost = survivors.filter(({ mutant }) => known.has(digestOf(mutant)))
  say(`${name}: ${killed.length} of ${done.length} killed, ${score} %, first ${first.score} %`)
  for (const { mutant } of lost) say(`  was killed before: ${describe(mutant)}`)
  const isKept = first.score - score <= POINTS_MAX
  if (!isKept) say(`  ${name} lost more than ${POINTS_MAX} point since ${first.commit}`)
  if (done.length < judged.length || !isKept) return isKept
  const module: ModuleRecord = {
    first,
    seed,
    rule,
    ...now,
    timeouts: killed.filter(({ judgement }) => judgement.verdict === 'timeout').length,
    uncovered: survivors.filter(({ judgement }) => judgement.by === 'not reached').length,
    cut: survivors.filter(({ judgement }) => judgement.by === 'some files').length,
    untried: survivors.filter(({ judgement }) => judgement.by === UNTRIED).length,
    survivors: survivors.map(({ mutant }) => describe(mutant)).toSorted(),
    everKilled: [...new Set([...known, ...killed.map(({ mutant }) => digestOf(mutant))])].filter(Boolean).toSorted().join(' '),
  }
  writeFileSync(PATH, `${JSON.stringify({ ...all, [name]: module }, null, 2)}\n`)
  return true
}
