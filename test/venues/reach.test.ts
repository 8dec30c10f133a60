import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAsset } from '../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId } from '../../engine/core/chain.ts'
import type { SimToken } from '../../engine/simnet/kit/tokens.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import type { VenueProfile } from '../../engine/venues/venue.ts'
import { faultsOf, isExecuted, isQuoted, lossesOf, readBaseline, tallyTable } from '../../scripts/sweep/baseline.ts'
import { allPairs, type Pair, pairName, samplePairs, tokenName } from '../../scripts/sweep/pairs.ts'
import { executes, reachOf, reachPage, readReachPage, venuesByKind } from '../../scripts/sweep/reach.ts'
import { runSweep, SWEEP_ENVIRONMENT, type Trial } from '../../scripts/sweep/runSweep.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { withBench } from './everyVenue.ts'

/** The reach is what each venue quoted and executed in the last complete `npm run sweep`. */

const baseline = readBaseline()
const reach = reachOf(baseline)

const profiles = new Map<string, VenueProfile>()
for (const definition of VENUE_DEFINITIONS)
  await withBench(definition, async ({ venue }) => void profiles.set(definition.id, venue.profile))

const profileOf = (venue: string): VenueProfile => {
  const profile = profiles.get(venue)
  if (!profile) throw new Error(`no such venue: ${venue}`)
  return profile
}

const assetOf = ({ chainId, address }: SimToken) => {
  const asset = parseAsset(chainId as ChainId, address)
  if (!asset) throw new Error(`not a token: ${address}`)
  return asset
}

const routeOf = ({ from, to }: Pair) => ({ input: assetOf(from), output: assetOf(to) })

describe('the venues together', () => {
  it('match the documented reach page [venue-reach-page]', () => {
    expect(readReachPage()).toBe(reachPage(baseline))
  })

  it('receive no request outside the routes of their profiles', () => {
    const served = allPairs().flatMap((pair) =>
      [...profiles.keys()].filter((venue) => executes(baseline, venue, pair)).map((venue) => ({ venue, pair })),
    )
    expect(served.length).toBeGreaterThan(1_000)
    const odd = served.filter(({ venue, pair }) => !profileOf(venue).serves(routeOf(pair)))
    expect(odd.map(({ venue, pair }) => `${venue}: ${pairName(pair)}`)).toEqual([])
  })

  it.each(CHAIN_IDS.map((chainId) => [chainId]))('serve chain %i as input and output', (chainId) => {
    const served = reach.filter(({ venues }) => venues.length > 0)
    expect(served.some(({ from }) => from === chainId)).toBe(true)
    expect(served.some(({ to }) => to === chainId)).toBe(true)
  })

  it.each(Object.entries(venuesByKind(reach)))('serve swaps of kind %s by two or more [venue-reach-page]', (_name, venues) => {
    expect(venues.length).toBeGreaterThanOrEqual(2)
  })

  it('can be tested in sandboxes: each served token has a venue with one [venue-reach-page]', () => {
    const withSandbox = [...profiles.values()].filter(({ hasSandbox }) => hasSandbox).map(({ id }) => id)
    const without = [...profiles.values()].filter(({ hasSandbox }) => !hasSandbox).map(({ id }) => id)
    const alone = allPairs().filter(
      (pair) =>
        without.some((venue) => executes(baseline, venue, pair)) && !withSandbox.some((venue) => executes(baseline, venue, pair)),
    )
    expect([...new Set(alone.map(({ from }) => tokenName(from)))]).toEqual([])
  })
})

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
    process.stdout.write(`${tallyTable(trials, baseline)}\n`)
  }, 120_000)
  afterAll(() => service.close())

  it('ends no pair in a fault of the service or an adapter', () => {
    expect(faultsOf(trials)).toEqual([])
  })

  it('serves every pair that each venue served before [venue-sweep-no-loss]', () => {
    expect(lossesOf(trials, baseline)).toEqual([])
  })

  it('quotes and executes at least one pair with every venue', () => {
    const venuesOf = (reached: readonly Trial[]) => [...new Set(reached.map(({ venue }) => venue))]
    expect(venuesOf(trials.filter(isQuoted))).toEqual(venues)
    expect(venuesOf(trials.filter(isExecuted))).toEqual(venues)
  })
})
