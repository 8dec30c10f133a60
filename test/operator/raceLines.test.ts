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

describe('a race in the log', () => {
  it.each([
    ['entries that are not objects', [WHOLE, null, 5, 'relay']],
    ['an invalid amount', [WHOLE, { ...WHOLE, venue: 'across', rank: 2, amount: '12x' }]],
    ['an invalid fee', [WHOLE, { ...WHOLE, venue: 'across', rank: 2, feeCost: {} }]],
    ['no venue', [WHOLE, { outcome: 'offer', amount: '5' }]],
  ])('is reported without its damaged entries: %s', (_what, runs) => {
    const [race] = racesIn([line(runs)] as never)
    expect(race?.runs).toEqual([WHOLE])
    expect(race && raceLines(race).join('\n')).toContain('relay won by the output after fees: the only offer')
    expect(damagedIn([line(runs), line([WHOLE])] as never)).toEqual([
      `${runs.length - 1} of the ${runs.length} venues in the race of quote q: its line of the log is damaged`,
    ])
  })

  it('is reported without an invalid reference or invalid list entries', () => {
    const [race] = racesIn([line([WHOLE], { reference: '1e9', unwilling: [{}, 'cow'] })] as never)
    expect(race).toMatchObject({ reference: null, unwilling: ['cow'] })
    expect(race && raceLines(race)).toBeDefined()
  })
})
