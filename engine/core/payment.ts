import type { Address } from './address.ts'
import type { ChainId } from './chain.ts'
import type { TransactionId } from './transactionId.ts'

/**
 * `input`: what the wallet paid in. `output`: the delivery. `extra`: paid in beside the input, by another payment. `fee`: the
 * integrator fee, to whom the venue pays it; told to nobody but the ledger.
 */
export type PaymentKind = 'input' | 'output' | 'refund' | 'extra' | 'fee'

/** Money of one swap that was seen on a chain. */
export type Payment = {
  readonly kind: PaymentKind
  readonly chainId: ChainId
  readonly txHash: TransactionId
  /** What sets it apart on its chain: its transaction and its number in it, or the block of a sum of balances. */
  readonly place: string
  readonly token: Address
  /** Who was paid. */
  readonly recipient: Address
  /** Smallest units. Null where the chain shows that it came and no longer how much. */
  readonly amount: bigint | null
  /** What the venue's contracts know the order by; null where they give it no name. */
  readonly orderId: string | null
  /** By the time of its block: epoch ms, or null. */
  readonly paidAt: number | null
  /** Nothing takes it away any more. */
  readonly isFinal: boolean
}

/** A payment of whoever swaps: all but the fee, which is nobody's but the integrator's. */
export type SwapPayment = Payment & { readonly kind: Exclude<PaymentKind, 'fee'> }

export const isOfSwap = (payment: Payment): payment is SwapPayment => payment.kind !== 'fee'
