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
      .selectFrom('payout_claims')
      .select(['swap_id', 'least'])
      .where('tx_hash', '=', txHash)
      .where('payee', '=', payee)
      .orderBy('place')
      .execute()

  /** False when another claim took the place, which then can be read. */
  const take = async ({ swapId, txHash, payee, least }: PayoutClaim, place: number): Promise<boolean> => {
    const row = { swap_id: swapId, tx_hash: txHash, payee, least: least.toString(), place, created_at: clock.now() }
    const taken = await database
      .insertInto('payout_claims')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    return taken !== undefined
  }

  return {
    claim: async (claim) => {
      for (;;) {
        const claims = await claimsOf(claim.txHash, claim.payee)
        const own = claims.findIndex(({ swap_id }) => swap_id === claim.swapId)
        if (own >= 0) return sum(claims.slice(0, own))
        // The next free place: of two claims at once one gets it, and the other looks again and finds it taken.
        if (await take(claim, claims.length)) return sum(claims)
      }
    },
    owed: async (txHash, payee) => sum(await claimsOf(txHash, payee)),
  }
}
