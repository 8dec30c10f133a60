import type { Address } from '../core/address.ts'
import { nativeAsset } from '../core/asset.ts'
import { BITCOIN, type ChainId } from '../core/chain.ts'
import type { Clock } from '../core/clock.ts'
import { withDeadline } from '../net/deadline.ts'
import { createKeptList, type KeptList } from '../net/keptList.ts'
import type { ObserveRequest } from '../observe/observe.ts'
import type { GuardedVenue } from './guard.ts'
import { VenueError } from './venueError.ts'

/** How many venues can serve each token of a chain from native bitcoin, by the lists that they publish. */
export type BitcoinCoverage = {
  readonly chainId: ChainId
  /** False: every list was unavailable, so nothing is known. True: the counts use the available lists, and may be too low. */
  readonly isFiltered: boolean
  readonly venuesByToken: ReadonlyMap<Address, number>
}

export type BitcoinCoveragePorts = { readonly venues: readonly GuardedVenue[]; readonly clock: Clock }

/** Published lists change from day to day. Only a quote shows whether a venue serves a token now. */
const FRESH_MS = 5 * 60_000
/** The first requests wait for the lists, at most this long. */
const DEADLINE_MS = 4_000
/** The longest known list of one chain has some hundreds of tokens. */
const TOKENS_MAX = 5_000

const BTC = nativeAsset(BITCOIN)

type Asked = { readonly chainId: ChainId; readonly observe: ObserveRequest }

/** The lists of the venues by chain: an old list serves while it is renewed in the background, or cannot be. */
const createLists = (clock: Clock) => {
  const lists = new Map<string, KeptList<readonly Address[]>>()
  /** A list outlives the request that it was first read for, and is renewed for a later one. */
  let observing: ObserveRequest
  const load = async ({ bitcoinReach, profile }: GuardedVenue, chainId: ChainId, signal: AbortSignal) => {
    const tokens = await bitcoinReach?.tokens(chainId, { observe: observing, signal })
    if (!tokens) throw new VenueError('unavailable', 'no list could be had')
    return tokens.slice(0, TOKENS_MAX).filter((address) => profile.serves({ input: BTC, output: { chainId, address } }))
  }
  return (venue: GuardedVenue, { chainId, observe }: Asked): KeptList<readonly Address[]> => {
    observing = observe
    const key = `${venue.profile.id}:${chainId}`
    const list =
      lists.get(key) ??
      createKeptList({ load: (signal) => load(venue, chainId, signal), clock, freshMs: FRESH_MS, isAwaitedOnce: true })
    lists.set(key, list)
    return list
  }
}

const count = (lists: readonly (readonly Address[])[]): ReadonlyMap<Address, number> => {
  const venues = new Map<Address, number>()
  for (const list of lists) for (const token of new Set(list)) venues.set(token, (venues.get(token) ?? 0) + 1)
  return venues
}

/** Counts by the lists of the enabled venues. Never fails, even if all lists do. */
export const createBitcoinCoverage = ({ venues, clock }: BitcoinCoveragePorts) => {
  const listOf = createLists(clock)
  return async (asked: Asked): Promise<BitcoinCoverage> => {
    const { chainId } = asked
    // Bitcoin is never swapped for itself, so no venue is asked.
    if (chainId === BITCOIN) return { chainId, isFiltered: true, venuesByToken: new Map() }
    const reaching = venues.filter(({ isEnabled, bitcoinReach }) => isEnabled && bitcoinReach !== null)
    const outcomes = await withDeadline(DEADLINE_MS, (signal) =>
      Promise.allSettled(reaching.map((venue) => listOf(venue, asked).read(signal))),
    )
    const lists = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    return { chainId, isFiltered: lists.length > 0, venuesByToken: count(lists) }
  }
}
