import { beforeAll, describe, expect, it } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import type { RecordedAnswer } from '../support/recordedAnswers.ts'
import { RECORDED_ANSWERS } from './recordedAnswersOfAll.ts'

/** What became of one recording; `refusal` null: accepted. */
type Trial = { readonly venue: string; readonly answer: RecordedAnswer; readonly refusal: string | null }

const tryAnswer = async (venue: string, answer: RecordedAnswer): Promise<Trial> => {
  const refusal = await answer.run().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  return { venue, answer, refusal }
}

const tryAll = async (answers: typeof RECORDED_ANSWERS): Promise<readonly Trial[]> => {
  const trials: Trial[] = []
  for (const [venue, all] of Object.entries(answers)) for (const answer of all) trials.push(await tryAnswer(venue, answer))
  return trials
}

/** How many were accepted, of how many that are of a kind that is offered. */
const shareOf = (trials: readonly Trial[]): { readonly accepted: number; readonly offered: number } => ({
  accepted: trials.filter(({ refusal }) => refusal === null).length,
  offered: trials.filter(({ refusal, answer: { notOffered } }) => refusal === null || notOffered === undefined).length,
})

/** Below it a venue is not done. */
const LEAST_SHARE = 0.95

const tooFewOf = (trials: readonly Trial[]): readonly string[] =>
  [...Map.groupBy(trials, ({ venue }) => venue)].flatMap(([venue, all]) => {
    const { accepted, offered } = shareOf(all)
    return accepted > 0 && accepted / offered >= LEAST_SHARE ? [] : [`${venue}: ${accepted} of ${offered}`]
  })

const tableOf = (trials: readonly Trial[]): string => {
  const rows = [...Map.groupBy(trials, ({ venue }) => venue)].map(([venue, all]) => {
    const refused = all.filter(({ refusal }) => refusal !== null)
    const named = refused.map(
      ({ answer, refusal }) =>
        `${answer.name} (${answer.notOffered ?? 'of an offered kind'}): ${answer.refusedBecause ?? `UNEXPLAINED (${refusal})`}`,
    )
    const { accepted, offered } = shareOf(all)
    return [venue, `${accepted} of ${all.length}`, `${accepted} of ${offered}`, named.join('; ')]
  })
  const head = ['venue', 'accepted', 'of the kinds that are offered', 'refused']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Recordings that were refused and must not be, or the other way round. */
const surprisesOf = (trials: readonly Trial[]): readonly string[] =>
  trials.flatMap(({ venue, answer: { name, refusedBecause, refusedWith }, refusal }) => {
    if (refusal === null && refusedBecause === undefined) return []
    if (refusal !== null && refusedBecause !== undefined && refusedWith?.test(refusal)) return []
    return [`${venue}: ${name}: ${refusal === null ? `accepted, although ${refusedBecause}` : `refused: ${refusal}`}`]
  })

describe('what the live venues once answered, with the orders they answered', () => {
  let trials: readonly Trial[]

  beforeAll(async () => {
    trials = await tryAll(RECORDED_ANSWERS)
    process.stdout.write(`${tableOf(trials)}\n`)
  }, 60_000)

  it('goes through quote, decode and proof, but for what is refused for a named reason', () => {
    expect(surprisesOf(trials)).toEqual([])
  })

  it('is accepted in at least nineteen of twenty cases, of the kinds that are offered', () => {
    expect(tooFewOf(trials)).toEqual([])
  })

  it('is there for every venue, each with its source', () => {
    expect(Object.keys(RECORDED_ANSWERS).sort()).toEqual(VENUE_DEFINITIONS.map(({ id }) => id).sort())
    for (const all of Object.values(RECORDED_ANSWERS)) expect(all.length).toBeGreaterThan(0)
    for (const { answer } of trials) expect([answer.name, answer.source.length > 0]).toEqual([answer.name, true])
    expect(new Set(trials.map(({ venue, answer }) => `${venue}: ${answer.name}`)).size).toBe(trials.length)
  })
})

describe('the table of recordings', () => {
  const answer = (
    name: string,
    run: RecordedAnswer['run'],
    refusedBecause?: string,
    refusedWith = /spender/,
  ): RecordedAnswer => ({
    name,
    source: 'nowhere',
    recordedAt: null,
    ...(refusedBecause && { refusedBecause, refusedWith }),
    run,
  })
  const passes = async () => undefined
  const fails = async () => {
    throw new Error('no spender')
  }

  it('names what is refused without a reason, and what is accepted in spite of one', async () => {
    const expected = { toy: [answer('good', passes), answer('bad', fails, 'it lies')] }
    expect(surprisesOf(await tryAll(expected))).toEqual([])
    const trials = await tryAll(expected)
    expect(tableOf(trials)).toContain('| toy | 1 of 2 | 1 of 2 | bad (of an offered kind): it lies |')
    expect(tooFewOf(trials)).toEqual(['toy: 1 of 2'])
    const unbounded: RecordedAnswer = { ...answer('bad', fails, 'it lies'), notOffered: 'no bound' }
    const others = await tryAll({ toy: [answer('good', passes), unbounded] })
    expect(tableOf(others)).toContain('| toy | 1 of 2 | 1 of 1 | bad (no bound): it lies |')
    expect(tooFewOf(others)).toEqual([])
    const surprising = { toy: [answer('good', fails), answer('bad', passes, 'it lies')] }
    expect(surprisesOf(await tryAll(surprising))).toEqual([
      'toy: good: refused: no spender',
      'toy: bad: accepted, although it lies',
    ])
    const otherwise = { toy: [answer('bad', fails, 'it lies', /another recipient/)] }
    expect(surprisesOf(await tryAll(otherwise))).toEqual(['toy: bad: refused: no spender'])
  })
})
