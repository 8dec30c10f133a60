import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { BroadcastsTable, Database, Schema } from './schema.ts'

/** The final result of a transaction: executed, failed in a block, or expired without a block. */
export type BroadcastFate = 'succeeded' | 'failed' | 'lapsed'

/** The one signed transaction of a swap that the service broadcasts. */
export type Broadcast = {
  readonly txHash: string
  /** The transaction expires above this block height. */
  readonly untilHeight: number
  /** Epoch ms at which a node accepted it; null while that is unknown. */
  readonly acceptedAt: number | null
  /** Null until the result is certain. */
  readonly fate: BroadcastFate | null
}

export type BroadcastClaim = Pick<Broadcast, 'txHash' | 'untilHeight'>

/** Signed transactions that the service broadcasts for its callers. Every call may reject with StoreError. */
export interface BroadcastStore {
  /** Null before the first post, and after the only post was rejected. */
  find(swapId: number): Promise<Broadcast | null>
  /**
   * Reserves the swap for one signed transaction before it is sent, so that concurrent posts broadcast only one. Returns the
   * reservation and whether it is new. A second post of the same transaction joins it.
   */
  claim(swapId: number, claim: BroadcastClaim): Promise<{ readonly broadcast: Broadcast; readonly isNew: boolean }>
  /** Records that a node accepted the transaction, even if the reservation is gone. */
  setAccepted(swapId: number, claim: BroadcastClaim): Promise<void>
  setFate(swapId: number, txHash: string, fate: BroadcastFate): Promise<void>
  /** Releases the reservation because the transaction was not sent. False if another post joined it and may still send it. */
  release(swapId: number, txHash: string): Promise<boolean>
}

const toBroadcast = (row: Selectable<BroadcastsTable>): Broadcast => ({
  txHash: row.tx_hash,
  untilHeight: row.until_height,
  acceptedAt: row.accepted_at,
  fate: row.fate as BroadcastFate | null,
})

/** Counts one more post of the same transaction. */
const joined = (txHash: string) => (eb: ExpressionBuilder<Schema, 'broadcasts'>) => ({
  posts: eb('broadcasts.posts', '+', eb.case().when('broadcasts.tx_hash', '=', txHash).then(1).else(0).end()),
})

export const createBroadcastStore = (database: Database, clock: Clock): BroadcastStore => {
  const rowOf = (swapId: number, { txHash, untilHeight }: BroadcastClaim, acceptedAt: number | null) => ({
    swap_id: swapId,
    tx_hash: txHash,
    until_height: untilHeight,
    accepted_at: acceptedAt,
    posts: 1,
    fate: null,
    created_at: clock.now(),
  })
  return {
    find: async (swapId) => {
      const row = await database.selectFrom('broadcasts').selectAll().where('swap_id', '=', swapId).executeTakeFirst()
      return row ? toBroadcast(row) : null
    },
    claim: async (swapId, claim) => {
      const row = await database
        .insertInto('broadcasts')
        .values(rowOf(swapId, claim, null))
        .onConflict((conflict) => conflict.column('swap_id').doUpdateSet(joined(claim.txHash)))
        .returningAll()
        .executeTakeFirstOrThrow()
      return { broadcast: toBroadcast(row), isNew: row.tx_hash === claim.txHash && row.posts === 1 }
    },
    setAccepted: async (swapId, claim) => {
      const { txHash, untilHeight } = claim
      const acceptedAt = clock.now()
      await database
        .insertInto('broadcasts')
        .values(rowOf(swapId, claim, acceptedAt))
        .onConflict((conflict) =>
          conflict.column('swap_id').doUpdateSet({ tx_hash: txHash, until_height: untilHeight, accepted_at: acceptedAt }),
        )
        .execute()
    },
    setFate: async (swapId, txHash, fate) => {
      await database.updateTable('broadcasts').set({ fate }).where('swap_id', '=', swapId).where('tx_hash', '=', txHash).execute()
    },
    release: async (swapId, txHash) => {
      const { numDeletedRows } = await database
        .deleteFrom('broadcasts')
        .where('swap_id', '=', swapId)
        .where('tx_hash', '=', txHash)
        .where('posts', '=', 1)
        .where('accepted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
  }
}
