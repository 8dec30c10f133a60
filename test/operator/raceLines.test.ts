import { describe, expect, it } from 'vitest'
import { damagedIn, raceLines, racesIn } from '../../scripts/operator/explain/raceLines.ts'

const WHOLE = { venue: 'relay', outcome: 'offer', elapsedMs: 12, rank: 1, amount: '1000', minimum: '990' }

const line = (runs: unknown, more: object = {}) => ({
  event: 'quote.served',
  time: 1,
  quoteId: 'q',
  requestId: 'r',
  mode: 'best_output',
  unwilling: ['cow'],
  reference: '1001',
  runs,
  ...more,
})

describe('a race in a log', () => {
  it.each([
    ['no object', [WHOLE, null, 5, 'relay']],
    ['an amount that is none', [WHOLE, { ...WHOLE, venue: 'across', rank: 2, amount: '12x' }]],
    ['a fee that is none', [WHOLE, { ...WHOLE, venue: 'across', rank: 2, feeCost: {} }]],
    ['no venue', [WHOLE, { outcome: 'offer', amount: '5' }]],
  ])('is told as far as it is whole: %s', (_what, runs) => {
    const [race] = racesIn([line(runs)] as never)
    expect(race?.runs).toEqual([WHOLE])
    expect(race && raceLines(race).join('\n')).toContain('relay won by the output after fees: the only offer')
    expect(damagedIn([line(runs), line([WHOLE])] as never)).toEqual([
      `${runs.length - 1} of the ${runs.length} venues in the race of quote q: its line of the log is damaged`,
    ])
  })

  it('is told without a reference or a list of venues that is none', () => {
    const [race] = racesIn([line([WHOLE], { reference: '1e9', unwilling: [{}, 'cow'] })] as never)
    expect(race).toMatchObject({ reference: null, unwilling: ['cow'] })
    expect(race && raceLines(race)).toBeDefined()
  })
})
