import type { Address } from './address.ts'
import type { ChainId } from './chain.ts'
import type { TransactionId } from './transactionId.ts'

/**
 * `input`: the wallet's payment. `output`: the delivery. `extra`: another payment beside the input. `fee`: the integrator fee,
 * paid by the venue to its recipient; only the ledger uses it.
 */
export type PaymentKind = 'input' | 'output' | 'refund' | 'extra' | 'fee'

/** A payment of one swap, observed on a chain. */
export type Payment = {
  readonly kind: PaymentKind
  readonly chainId: ChainId
  readonly txHash: TransactionId
  /** Its unique place on its chain: its transaction and number, or the block of a sum of balances. */
  readonly place: string
  readonly token: Address
  /** The recipient of the payment. */
  readonly recipient: Address
  /** Smallest units. Null where the chain shows the payment but no longer its amount. */
  readonly amount: bigint | null
  /** The order's id in the venue's contracts; null where they name none. */
  readonly orderId: string | null
  /** By the time of its block: epoch ms, or null. */
  readonly paidAt: number | null
  /** No reorganization can remove it. */
  readonly isFinal: boolean
}

/** A payment of the user: all kinds except the integrator fee. */
export type SwapPayment = Payment & { readonly kind: Exclude<PaymentKind, 'fee'> }

export const isOfSwap = (payment: Payment): payment is SwapPayment => payment.kind !== 'fee'
