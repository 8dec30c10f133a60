import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { compare, countThen, readBaseline } from '../../scripts/sweep/baseline.ts'
import { EXCEPTIONS } from '../../scripts/sweep/exceptions.ts'
import { samplePairs } from '../../scripts/sweep/pairs.ts'
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

  it('ends no pair in a fault of the service or an adapter', () => {
    expect(troublesOf(trials)).toEqual([])
  })

  it('serves every pair that each venue served before, except those listed with a reason [venue-sweep-no-loss]', () => {
    expect(compare(trials, readBaseline(), EXCEPTIONS).lost).toEqual([])
  })

  it('quotes and executes at least one pair with every venue', () => {
    expect(tallyOf(trials).map(({ venue }) => venue)).toEqual(venues)
    for (const { venue, quoted, executed } of tallyOf(trials))
      expect([venue, quoted > 0, executed > 0]).toEqual([venue, true, true])
  })
})
