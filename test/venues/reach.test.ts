import { describe, expect, it } from 'vitest'
import { parseAsset } from '../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId } from '../../engine/core/chain.ts'
import type { SimToken } from '../../engine/simnet/kit/tokens.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import type { VenueProfile } from '../../engine/venues/venue.ts'
import { readBaseline } from '../../scripts/sweep/baseline.ts'
import { allPairs, type Pair, pairName, tokenName } from '../../scripts/sweep/pairs.ts'
import { executes, reachOf, reachPage, readReachPage, venuesByKind } from '../../scripts/sweep/reach.ts'
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
