import { blockOf, placeOf, type SeenTransaction } from '../../chains/seen.ts'
import type { Payment } from '../../core/payment.ts'
import { swapFee } from '../../ledger/swapFee.ts'
import type { PaymentStore } from '../../store/payments.ts'
import type { SwapRecord } from '../../store/swaps.ts'

/** Whose fee is looked for, and where. */
export type FeeQuery = {
  readonly record: SwapRecord
  /** That of an extra payment; null for the swap itself. */
  readonly orderId: string | null
  readonly in: 'input' | 'output'
  readonly seen: SeenTransaction
  /** What is the swap's of that transaction, or is about to be. */
  readonly own: readonly Payment[]
}

/** How far a fee may be from what was quoted for what was paid in: what is further off is another swap's. */
const isLike = (amount: bigint, quoted: bigint): boolean => amount * 2n >= quoted && amount <= quoted * 2n

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a)

/**
 * The transfer of an integrator fee in a transaction that pays a swap in or out, and that no other swap has; none where nothing
 * there is such. Of several that next to what was quoted.
 */
export const feeTransferIn = async (
  { record, orderId, in: side, seen, own }: FeeQuery,
  payments: PaymentStore,
): Promise<readonly Payment[]> => {
  const transfer = record.swap.feeCustody?.seen
  if (!transfer || transfer.in !== side || record.isSandbox) return []
  const kept = (await payments.ofSwap(record.id)).filter(({ kind }) => kind !== 'fee')
  const fee = swapFee(record.swap, [...kept, ...own], orderId)
  if (fee === null || fee.chainId !== seen.chainId) return []
  const taken = await payments.takenFrom(record.id, { chainId: seen.chainId, txHash: seen.hash }, blockOf(seen))
  const places = [...taken, ...kept, ...own].map(({ place }) => place)
  const [nearest] = seen.movements
    .filter(({ token, from, to }) => token === fee.token && to === transfer.payee && from !== to)
    .filter(({ place, amount }) => isLike(amount, fee.amount) && !places.includes(placeOf(seen, place)))
    .toSorted((a, b) => (distance(a.amount, fee.amount) < distance(b.amount, fee.amount) ? -1 : 1))
  if (nearest === undefined) return []
  const payment: Payment = {
    kind: 'fee',
    chainId: seen.chainId,
    txHash: seen.hash,
    place: placeOf(seen, nearest.place),
    token: nearest.token,
    recipient: transfer.payee,
    amount: nearest.amount,
    orderId,
    paidAt: seen.at,
    isFinal: seen.standing === 'final',
  }
  return [payment]
}

/** Keeps payments as a swap's own, with the transfer of its fee where that is no other's by now, which takes nothing from them. */
export const claimWithFee = async (
  swapId: number,
  { own, fee }: { readonly own: readonly Payment[]; readonly fee: readonly Payment[] },
  payments: PaymentStore,
): Promise<boolean> => (fee.length > 0 && (await payments.claim(swapId, [...own, ...fee]))) || payments.claim(swapId, own)
