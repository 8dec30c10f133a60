import type { Address } from '../core/address.ts'
import type { Asset } from '../core/asset.ts'

/** What one transaction paid to one address. */
export type Payments = {
  /** Smallest units of the asset asked about; 0 when it paid none of it. */
  readonly amount: bigint
  /** True when it paid that address anything at all, in whatever token. */
  readonly isAnything: boolean
}

export type PaymentQuery = { readonly asset: Asset; readonly recipient: Address; readonly txHash: string }
