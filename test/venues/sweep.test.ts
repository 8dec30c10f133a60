import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { faultsOf, isExecuted, isQuoted, lossesOf, readBaseline, tallyTable } from '../../scripts/sweep/baseline.ts'
import { samplePairs } from '../../scripts/sweep/pairs.ts'
import { runSweep, SWEEP_ENVIRONMENT, type Trial } from '../../scripts/sweep/runSweep.ts'
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
    process.stdout.write(`${tallyTable(trials, readBaseline())}\n`)
  }, 120_000)
  afterAll(() => service.close())

  it('ends no pair in a fault of the service or an adapter', () => {
    expect(faultsOf(trials)).toEqual([])
  })

  it('serves every pair that each venue served before [venue-sweep-no-loss]', () => {
    expect(lossesOf(trials, readBaseline())).toEqual([])
  })

  it('quotes and executes at least one pair with every venue', () => {
    const venuesOf = (reached: readonly Trial[]) => [...new Set(reached.map(({ venue }) => venue))]
    expect(venuesOf(trials.filter(isQuoted))).toEqual(venues)
    expect(venuesOf(trials.filter(isExecuted))).toEqual(venues)
  })
})
