import type { Clock } from '../core/clock.ts'
import type { Database } from './schema.ts'

/** The one signed transaction of a swap that the service sends, or may have sent. */
export type Broadcast = {
  readonly txHash: string
  /** No block above this height can take it. */
  readonly untilHeight: number
  /** When a node took it, epoch ms; null while nobody knows whether one did. */
  readonly acceptedAt: number | null
}

export type BroadcastClaim = Pick<Broadcast, 'txHash' | 'untilHeight'>

/** The signed transactions the service sends for its callers. Every call may reject when the disk is in trouble. */
export interface BroadcastStore {
  /** Null until a signed transaction is about to be sent, and again once it is certain that none can land. */
  find(swapId: number): Promise<Broadcast | null>
  /**
   * Reserves a swap for one signed transaction, before it is sent: of two that are posted at once only one may go out.
   * Answers with the one that stands, and whether it is new.
   */
  claim(swapId: number, claim: BroadcastClaim): Promise<{ readonly broadcast: Broadcast; readonly isNew: boolean }>
  /** Records that a node took the transaction, whatever has become of its reservation. */
  setAccepted(swapId: number, claim: BroadcastClaim): Promise<void>
  /** Gives the reservation up: this transaction was not sent, or can no longer land. */
  release(swapId: number, txHash: string): Promise<void>
}

export const createBroadcastStore = (database: Database, clock: Clock): BroadcastStore => {
  const find: BroadcastStore['find'] = async (swapId) => {
    const row = await database.selectFrom('broadcasts').selectAll().where('swap_id', '=', swapId).executeTakeFirst()
    return row ? { txHash: row.tx_hash, untilHeight: row.until_height, acceptedAt: row.accepted_at } : null
  }
  const rowOf = (swapId: number, { txHash, untilHeight }: BroadcastClaim, acceptedAt: number | null) => ({
    swap_id: swapId,
    tx_hash: txHash,
    until_height: untilHeight,
    accepted_at: acceptedAt,
    created_at: clock.now(),
  })
  return {
    find,
    claim: async (swapId, claim) => {
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('broadcasts')
        .values(rowOf(swapId, claim, null))
        .onConflict((conflict) => conflict.column('swap_id').doNothing())
        .executeTakeFirstOrThrow()
      const broadcast = await find(swapId)
      if (!broadcast) throw new Error('a broadcast was reserved and is not there')
      return { broadcast, isNew: (numInsertedOrUpdatedRows ?? 0n) > 0n }
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
    release: async (swapId, txHash) => {
      await database.deleteFrom('broadcasts').where('swap_id', '=', swapId).where('tx_hash', '=', txHash).execute()
    },
  }
}
