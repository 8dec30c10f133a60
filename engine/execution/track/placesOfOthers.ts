import type { SeenTransaction } from '../../chains/seen.ts'
import type { GuardedVenue } from '../../venues/guard.ts'

/** All venues by id, with the events by which their contracts identify payments. */
export type NamingVenues = ReadonlyMap<string, Pick<GuardedVenue, 'profile' | 'events'>>

/** The places in a transaction that other venues' contracts paid, and those that the swap's own venue paid for other orders. */
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
