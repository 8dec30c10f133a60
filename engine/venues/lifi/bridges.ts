import type { ChainId } from '../../core/chain.ts'
import type { VenueId } from '../../core/offer.ts'
import { BRIDGES_OF_VENUES, facetsBetween, TOOLS_OF } from './published.ts'

/** What an operator denies, by LI.FI's keys; null: the bridges of the venues that we ask ourselves, while they are well. */
export const parseDenied = (text: string | null): readonly string[] | null =>
  text === null ? null : text.split(',').filter((key) => key !== 'none')

/**
 * The bridges to allow between two chains. What another of our venues sells is not bought here with LI.FI's fee on top of it,
 * unless that venue is out of order.
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
