import type { Clock } from '../core/clock.ts'
import type { TransactionId } from '../core/transactionId.ts'
import type { Database } from './schema.ts'

/** That a transaction is what delivered a swap. */
export type PayoutClaim = {
  readonly swapId: number
  readonly txHash: TransactionId
  /** To whom, and in what: one transaction may deliver to several. */
  readonly payee: string
  /** The least the swap must have been paid by it, smallest units. */
  readonly least: bigint
}

/** Which transactions delivered which swaps: one may be a batch, yet it proves no more than it paid. */
export interface PayoutClaimStore {
  /**
   * Notes a claim, and gives what the transaction owes to the swaps that claimed it for the same payee before. A claim
   * made again keeps its place. May reject when the disk is in trouble.
   */
  claim(claim: PayoutClaim): Promise<bigint>
  /** What the transaction owes to all the swaps that claimed it for that payee. May reject likewise. */
  owed(txHash: TransactionId, payee: string): Promise<bigint>
}

const sum = (claims: readonly { readonly least: string }[]): bigint =>
  claims.reduce((total, claim) => total + BigInt(claim.least), 0n)

export const createPayoutClaimStore = (database: Database, clock: Clock): PayoutClaimStore => {
  const claimsOf = (txHash: TransactionId, payee: string) =>
    database
      .selectFrom('deliveries')
      .select(['swap_id', 'least'])
      .where('tx_hash', '=', txHash)
      .where('payee', '=', payee)
      .orderBy('id')
      .execute()
  return {
    claim: async ({ swapId, txHash, payee, least }) => {
      // Written before the others are read: of two at once, one sees the other.
      await database
        .insertInto('deliveries')
        .values({ swap_id: swapId, tx_hash: txHash, payee, least: least.toString(), created_at: clock.now() })
        .onConflict((conflict) => conflict.columns(['tx_hash', 'swap_id']).doNothing())
        .execute()
      const claims = await claimsOf(txHash, payee)
      return sum(
        claims.slice(
          0,
          claims.findIndex((claim) => claim.swap_id === swapId),
        ),
      )
    },
    owed: async (txHash, payee) => sum(await claimsOf(txHash, payee)),
  }
}
