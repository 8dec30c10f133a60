import type { SeenTransaction } from '../../chains/seen.ts'
import type { GuardedVenue } from '../../venues/guard.ts'

/** All venues by their ids, as far as their contracts tell whose money it is. */
export type NamingVenues = ReadonlyMap<string, Pick<GuardedVenue, 'profile' | 'events'>>

/** What contracts of other venues than a swap's own say they paid in a transaction, and those of its own for orders of another kind. */
export const placesOfOthers = async (
  venues: NamingVenues,
  seen: SeenTransaction,
  venueId: string,
): Promise<ReadonlySet<string>> => {
  const named = await Promise.all(
    [...venues].map(async ([id, { events }]) => (id === venueId ? events?.namedApart?.(seen) : events?.named(seen)) ?? []),
  )
  return new Set(named.flat())
}
