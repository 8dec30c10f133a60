import type { Clock } from '../core/clock.ts'
import type { TransactionId } from '../core/transactionId.ts'
import type { Database } from './schema.ts'

/** That a transaction is what delivered a swap. */
export type DeliveryClaim = {
  readonly swapId: number
  readonly txHash: TransactionId
  /** To whom, and in what: one transaction may deliver to several. */
  readonly payee: string
  /** The least the swap must have been paid by it, smallest units. */
  readonly least: bigint
}

/** Which transactions delivered which swaps: one may be a batch, yet it proves no more than it paid. */
export interface DeliveryStore {
  /**
   * Notes a claim, and gives what the transaction owes to the swaps that claimed it for the same payee before. A claim
   * made again keeps its place. May reject when the disk is in trouble.
   */
  claim(claim: DeliveryClaim): Promise<bigint>
}

export const createDeliveryStore = (database: Database, clock: Clock): DeliveryStore => ({
  claim: async ({ swapId, txHash, payee, least }) => {
    // Written before the others are read: of two at once, one sees the other.
    await database
      .insertInto('deliveries')
      .values({ swap_id: swapId, tx_hash: txHash, payee, least: least.toString(), created_at: clock.now() })
      .onConflict((conflict) => conflict.columns(['tx_hash', 'swap_id']).doNothing())
      .execute()
    const claims = await database
      .selectFrom('deliveries')
      .select(['swap_id', 'least'])
      .where('tx_hash', '=', txHash)
      .where('payee', '=', payee)
      .orderBy('id')
      .execute()
    const own = claims.findIndex((claim) => claim.swap_id === swapId)
    return claims.slice(0, own).reduce((sum, claim) => sum + BigInt(claim.least), 0n)
  },
})
