import type { ChainId } from '../../core/chain.ts'
import type { VenueId } from '../../core/offer.ts'
import { BRIDGES_OF_VENUES, facetsBetween, TOOLS_OF } from './published.ts'

/** The operator's denied bridges, by LI.FI's keys; null: the bridges of our own venues, while these are healthy. */
export const parseDenied = (text: string | null): readonly string[] | null =>
  text === null ? null : text.split(',').filter((key) => key !== 'none')

/**
 * The allowed bridges between two chains. A bridge of another enabled venue would cost LI.FI's fee on top, so it is denied unless
 * that venue is failing.
 */
export const allowedBridges = (
  [from, to]: readonly [ChainId, ChainId],
  denied: readonly string[] | null,
  wellVenues: readonly VenueId[],
): readonly string[] => {
  const left = denied ?? wellVenues.flatMap((venue) => BRIDGES_OF_VENUES[venue] ?? [])
  return facetsBetween(from, to)
    .flatMap((facet) => TOOLS_OF[facet])
    .filter((tool) => !left.includes(tool))
}
