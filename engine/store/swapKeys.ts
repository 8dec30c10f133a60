import type { Clock } from '../core/clock.ts'
import type { VenueId } from '../core/offer.ts'
import type { SwapKey } from '../core/swap.ts'
import type { Database } from './schema.ts'

/** That a swap is told apart by a key at its venue. */
export type SwapKeyClaim = SwapKey & {
  readonly swapId: number
  readonly venue: VenueId
  /** Epoch ms; null: for ever. */
  readonly until: number | null
}

/** By what the venues tell swaps apart: no two have the same. */
export interface SwapKeyStore {
  /**
   * Takes a key for a swap, and answers with the swap whose it is: that one, or another that has it still. May reject when
   * the disk is in trouble.
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
