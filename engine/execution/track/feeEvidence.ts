import { blockOf, placeOf, type SeenTransaction } from '../../chains/seen.ts'
import type { Payment } from '../../core/payment.ts'
import { expectedFee, leavesNoLog } from '../../ledger/swapFee.ts'
import type { PaymentStore } from '../../store/payments.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { InputEvent } from '../../venues/venue.ts'
import { type NamingVenues, placesOfOthers } from './placesOfOthers.ts'

/** The swap whose fee is searched, and the transaction. */
export type FeeQuery = {
  readonly record: SwapRecord
  /** The order of an extra payment; null for the swap itself. */
  readonly orderId: string | null
  readonly in: 'input' | 'output'
  readonly seen: SeenTransaction
  /** The input of the swap's own call, by the venue's events. Absent: only the whole payload shows the fee. */
  readonly paid?: InputEvent['paid']
  /** Identifies the payload in the transaction that runs it, to its last byte; null if it cannot. */
  readonly payloadIn: () => Promise<string | null>
  /** Payments of the transaction that belong to the swap, or are about to. */
  readonly own: readonly Payment[]
}

/** The range of plausible fees. A fee outside of it belongs to another swap. */
const isLike = (amount: bigint, quoted: bigint): boolean => amount * 2n >= quoted && amount <= quoted * 2n

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a)

/**
 * Evidence of an integrator fee in a transaction that pays a swap in or out, unless another swap has it. Chooses the transfer
 * closest to the quoted fee. Coins leave no log: the evidence is then the payload that ran, with amount null.
 */
export const feeEvidenceIn = async (
  { record, orderId, in: side, seen, paid, payloadIn, own }: FeeQuery,
  { payments, venues }: { readonly payments: PaymentStore; readonly venues: NamingVenues },
): Promise<readonly Payment[]> => {
  const expects = record.swap.feeCustody?.seen
  if (!expects || record.isSandbox) return []
  const kept = (await payments.ofSwap(record.id)).filter(({ kind }) => kind !== 'fee')
  const fee = expectedFee(record.swap, [...kept, ...own], orderId)
  if (fee === null) return []
  const evidenceAt = (place: string, amount: bigint | null): readonly Payment[] => [
    {
      kind: 'fee',
      chainId: seen.chainId,
      txHash: seen.hash,
      place: placeOf(seen, place),
      token: fee.token,
      recipient: expects.payee,
      amount,
      orderId,
      paidAt: seen.at,
      isFinal: seen.standing === 'final',
    },
  ]
  if (leavesNoLog(fee)) {
    const place = await payloadIn()
    return place === null ? [] : evidenceAt(place, null)
  }
  if (expects.in !== side || fee.chainId !== seen.chainId) return []
  // Other calls of the transaction may pay the same account: their fees are not this swap's.
  if (paid === undefined && (await payloadIn()) === null) return []
  const others = await placesOfOthers(venues, seen, record.swap.offer.venue)
  const taken = await payments.takenFrom(record.id, { chainId: seen.chainId, txHash: seen.hash }, blockOf(seen))
  const places = [...taken, ...kept, ...own].map(({ place }) => place)
  const [nearest] = seen.movements
    .filter(({ token, from, to }) => token === fee.token && to === expects.payee && from !== to)
    .filter(({ place }) => (paid?.includes(place) ?? true) && !others.has(place))
    .filter(({ place, amount }) => isLike(amount, fee.amount) && !places.includes(placeOf(seen, place)))
    .toSorted((a, b) => (distance(a.amount, fee.amount) < distance(b.amount, fee.amount) ? -1 : 1))
  return nearest === undefined ? [] : evidenceAt(nearest.place, nearest.amount)
}

/** Records payments of a swap, with the evidence of its fee unless another swap has it. */
export const claimWithFee = async (
  swapId: number,
  { own, fee }: { readonly own: readonly Payment[]; readonly fee: readonly Payment[] },
  payments: PaymentStore,
): Promise<boolean> => (fee.length > 0 && (await payments.claim(swapId, [...own, ...fee]))) || payments.claim(swapId, own)
