import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { BroadcastsTable, Database, Schema } from './schema.ts'

/** How a transaction ended, for good: final in a block, in which it did what it should or failed; or in none, for ever. */
export type BroadcastFate = 'succeeded' | 'failed' | 'lapsed'

/** The one signed transaction of a swap that the service sends, or may have sent. */
export type Broadcast = {
  readonly txHash: string
  /** No block above this height can take it. */
  readonly untilHeight: number
  /** When a node took it, epoch ms; null while nobody knows whether one did. */
  readonly acceptedAt: number | null
  /** Null until it is known for certain. */
  readonly fate: BroadcastFate | null
}

export type BroadcastClaim = Pick<Broadcast, 'txHash' | 'untilHeight'>

/** The signed transactions the service sends for its callers. Every call may reject when the disk is in trouble. */
export interface BroadcastStore {
  /** Null until a signed transaction is about to be sent, and again when the only post of it was refused. */
  find(swapId: number): Promise<Broadcast | null>
  /**
   * Reserves a swap for one signed transaction, before it is sent: of two that are posted at once only one may go out.
   * Answers with the one that stands, and whether it is new. One that stands for this transaction is joined: it is then
   * this caller's as well.
   */
  claim(swapId: number, claim: BroadcastClaim): Promise<{ readonly broadcast: Broadcast; readonly isNew: boolean }>
  /** Records that a node took the transaction, whatever has become of its reservation. */
  setAccepted(swapId: number, claim: BroadcastClaim): Promise<void>
  setFate(swapId: number, txHash: string, fate: BroadcastFate): Promise<void>
  /**
   * Gives the reservation up: this transaction was not sent. False when it stands, because another post of it joined
   * and may send it, in this process or another.
   */
  release(swapId: number, txHash: string): Promise<boolean>
}

const toBroadcast = (row: Selectable<BroadcastsTable>): Broadcast => ({
  txHash: row.tx_hash,
  untilHeight: row.until_height,
  acceptedAt: row.accepted_at,
  fate: row.fate as BroadcastFate | null,
})

/** One more post, if it is of the transaction the row is for. */
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
