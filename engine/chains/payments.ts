import type { Address } from '../core/address.ts'
import type { Asset } from '../core/asset.ts'
import type { TransactionId } from '../core/transactionId.ts'

/** What one transaction paid to one address, less what it took from it. */
export type Payments = {
  /** Smallest units of the asset asked about; 0 when it paid none of it. */
  readonly amount: bigint
  /** Every token it paid any of, the native marker for coins; where it paid tokens, coins are told only when asked about. */
  readonly paidIn: readonly Address[]
  /** By the time of its block, which is rough: epoch ms. Null where the node has none. */
  readonly paidAt: number | null
}

export type PaymentQuery = { readonly asset: Asset; readonly recipient: Address; readonly txHash: TransactionId }
