import type { Clock } from '../core/clock.ts'
import type { VenueId } from '../core/offer.ts'
import type { SwapKey } from '../core/swap.ts'
import type { Database } from './schema.ts'

/** A key that identifies a swap at its venue. */
export type SwapKeyClaim = SwapKey & {
  readonly swapId: number
  readonly venue: VenueId
  /** When the claim expires, epoch ms; null: never. */
  readonly until: number | null
}

/** The keys that identify swaps at the venues, each unique. */
export interface SwapKeyStore {
  /**
   * Claims a key for a swap. Returns the id of the swap that has the key: this one, or another whose claim has not expired.
   * Rejects with StoreError if the store fails.
   */
  claim(claim: SwapKeyClaim): Promise<number>
}

export const createSwapKeyStore = (database: Database, clock: Clock): SwapKeyStore => ({
  claim: async ({ swapId, venue, kind, value, until }) => {
    const now = clock.now()
    const key = { venue, kind, value }
    await database
      .insertInto('swap_keys')
      .values({ ...key, swap_id: swapId, until, created_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['venue', 'kind', 'value'])
          .doUpdateSet({ swap_id: swapId, until, created_at: now })
          .where((where) => where.or([where('swap_keys.swap_id', '=', swapId), where('swap_keys.until', '<=', now)])),
      )
      .execute()
    const query = database.selectFrom('swap_keys').select('swap_id').where('venue', '=', venue)
    return (await query.where('kind', '=', kind).where('value', '=', value).executeTakeFirstOrThrow()).swap_id
  },
})
