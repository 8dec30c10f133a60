import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { type Baseline, compare, countThen, readBaseline, untriedOf } from '../../scripts/sweep/baseline.ts'
import { EXCEPTIONS } from '../../scripts/sweep/exceptions.ts'
import { allPairs, type Pair, samplePairs, tokenName } from '../../scripts/sweep/pairs.ts'
import { runSweep, SWEEP_ENVIRONMENT, type Trial } from '../../scripts/sweep/runSweep.ts'
import { tallyOf, tallyTable, troublesOf } from '../../scripts/sweep/tally.ts'
import { only, startService, type TestService } from '../support/service.ts'

const venues = VENUE_DEFINITIONS.map(({ id }) => id)
const SEED = 'npm test'

/** Of each kind of route; `npm run sweep` tries all pairs. */
const PAIRS_OF_EACH_ROUTE = 6

describe('a sample of the sweep: every venue alone, quote then execute', () => {
  let service: TestService
  let trials: readonly Trial[]

  beforeAll(async () => {
    service = await startService({ ...only(...venues), ...SWEEP_ENVIRONMENT })
    const pairs = samplePairs(PAIRS_OF_EACH_ROUTE, SEED)
    trials = await runSweep({ serviceUrl: service.url, controlUrl: service.control.url, venues, pairs, seed: SEED })
    const baseline = readBaseline()
    process.stdout.write(`${tallyTable(trials, (venue, tried) => countThen(baseline, venue, tried))}\n`)
  }, 120_000)
  afterAll(() => service.close())

  it('ends no pair in trouble of the service or of an adapter', () => {
    expect(troublesOf(trials)).toEqual([])
  })

  it('reaches with every venue what it once reached, but for pairs that are named with their reason', () => {
    expect(compare(trials, readBaseline(), EXCEPTIONS).lost).toEqual([])
  })

  it('has every venue quote and execute something', () => {
    expect(tallyOf(trials).map(({ venue }) => venue)).toEqual(venues)
    for (const { venue, quoted, executed } of tallyOf(trials))
      expect([venue, quoted > 0, executed > 0]).toEqual([venue, true, true])
  })
})

describe('the sweep', () => {
  const [pair, other] = allPairs() as readonly [Pair, Pair]
  const ended = (outcome: Trial['outcome'], tried = pair): Trial => ({ venue: 'toy', pair: tried, outcome })
  const executed = { result: 'executed', executionType: 'TRANSACTION' } as const
  const internal = { result: 'refused', at: 'execute', why: 'INTERNAL', text: 'a payload that does not match' } as const
  const reachedAll: Baseline = {
    tokens: [tokenName(pair.from), tokenName(pair.to)],
    venues: { toy: { quoted: { [tokenName(pair.from)]: '2' }, executed: { [tokenName(pair.from)]: '2' } } },
  }

  it('tries every ordered pair of the offline tokens once, and names each in a way of its own', () => {
    const names = new Set(allPairs().map(({ from, to }) => `${tokenName(from)}|${tokenName(to)}`))
    const tokens = new Set(allPairs().map(({ from }) => tokenName(from)))
    expect(names.size).toBe(tokens.size * (tokens.size - 1))
    expect(allPairs()).toHaveLength(names.size)
  })

  it('takes the same sample for the same seed, of every kind of route', () => {
    expect(samplePairs(2, 'a')).toEqual(samplePairs(2, 'a'))
    expect(samplePairs(2, 'a')).not.toEqual(samplePairs(2, 'b'))
    expect(new Set(samplePairs(2, 'a')).size).toBe(samplePairs(2, 'a').length)
  })

  it('names every pair that ends in trouble, and no considered refusal', () => {
    expect(troublesOf([ended(executed), ended({ result: 'declined', why: 'unsupportedPair', isRetryable: false })])).toEqual([])
    expect(troublesOf([ended(internal)])).toEqual([
      expect.stringMatching(/^toy: \S+ > \S+: INTERNAL at execute: a payload that does not match$/),
    ])
    for (const why of ['unavailable', 'badResponse', 'timeout', 'rateLimited'])
      expect(troublesOf([ended({ result: 'declined', why, isRetryable: false })])).toHaveLength(1)
    for (const [at, why] of [
      ['quote', 'RATE_LIMITED'],
      ['quote', 'INVALID_REQUEST'],
      ['execute', 'QUOTE_EXPIRED'],
      ['execute', 'INVALID_REQUEST'],
    ] as const)
      expect(troublesOf([ended({ result: 'refused', at, why, text: '' })])).toHaveLength(1)
  })

  it('names venues and tokens that were once reached and are not even tried', () => {
    const back: Pair = { from: pair.to, to: pair.from }
    expect(untriedOf([ended(executed), ended(executed, back)], reachedAll)).toEqual([])
    expect(untriedOf([], reachedAll)).toEqual(['toy: not tried'])
    expect(untriedOf([ended(executed)], reachedAll)).toEqual([`toy: ${tokenName(pair.to)}: not tried`])
    const whole = VENUE_DEFINITIONS.flatMap(({ id }) => allPairs().map((one) => ({ ...ended(executed, one), venue: id })))
    expect(untriedOf(whole, readBaseline())).toEqual([])
    expect(
      untriedOf(
        whole.filter(({ venue }) => venue !== 'cow'),
        readBaseline(),
      ),
    ).toEqual(['cow: not tried'])
  })

  it('tells a pair that is lost, and keeps apart what is lost for a named reason', () => {
    const declined = ended({ result: 'declined', why: 'noLiquidity', isRetryable: false })
    expect(compare([ended(executed), ended(internal, other)], reachedAll, [])).toEqual({ lost: [], excused: [] })
    expect(compare([ended(internal)], reachedAll, []).lost).toEqual([expect.stringMatching(/: no longer executed$/)])
    expect(compare([declined], reachedAll, []).lost).toEqual([expect.stringMatching(/: no longer quoted$/)])
    const exception = { venue: 'toy', to: tokenName(pair.to), reason: 'the toy is broken' }
    expect(compare([declined], reachedAll, [exception])).toEqual({
      lost: [],
      excused: [expect.stringMatching(/: no longer quoted: the toy is broken$/)],
    })
    expect(compare([declined], reachedAll, [{ ...exception, venue: 'other' }]).lost).toHaveLength(1)
  })
})
