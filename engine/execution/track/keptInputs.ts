import { placeOf, type SeenTransaction } from '../../chains/seen.ts'
import type { Clock } from '../../core/clock.ts'
import type { Payment } from '../../core/payment.ts'
import type { PaymentStore } from '../../store/payments.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { InputEvent } from '../../venues/venue.ts'
import type { InputSight } from './judge.ts'
import type { NamingVenues } from './placesOfOthers.ts'
import { type EvidencePorts, isRemembered, readTransaction } from './readEvidence.ts'

export type InputPorts = EvidencePorts & { readonly payments: PaymentStore; readonly clock: Clock; readonly venues: NamingVenues }

export const isPaidIn = ({ kind }: Payment): boolean => kind === 'input' || kind === 'extra'

/** The sum of the payments; null if an amount is unknown. */
export const amountOf = (inputs: readonly Payment[]): bigint | null =>
  inputs.reduce<bigint | null>((sum, { amount }) => (sum === null || amount === null ? null : sum + amount), 0n)

/** The evidence of the recorded input of a swap; null without a record. */
export const inputIn = (kept: readonly Payment[]): InputSight | null => {
  const inputs = kept.filter(({ kind }) => kind === 'input')
  return inputs.length === 0 ? null : { kind: 'paid', amount: amountOf(inputs) }
}

/** Converts an event into a payment record. */
export const toPayment = (
  seen: SeenTransaction,
  { place, orderId, took }: InputEvent,
  rest: Pick<Payment, 'kind' | 'recipient'>,
): Payment => ({
  ...rest,
  chainId: seen.chainId,
  txHash: seen.hash,
  place: placeOf(seen, place),
  token: took.token,
  amount: took.amount,
  orderId,
  paidAt: seen.at,
  isFinal: seen.standing === 'final',
})

export const isPayout = ({ kind }: Payment): boolean => kind === 'output' || kind === 'refund'

/** The payouts of an extra payment carry its order; those of the swap itself carry none. */
export const isOfExtra = (payment: Payment): boolean => isPayout(payment) && payment.orderId !== null

/**
 * Extra payments whose orders the venue's contracts name and whose payouts are not final yet. The service tracks each by its own
 * transaction.
 */
export const openExtras = (kept: readonly Payment[]): readonly Payment[] => {
  const isDelivered = ({ orderId }: Payment): boolean => {
    const payouts = kept.filter((payment) => isPayout(payment) && payment.orderId === orderId)
    return payouts.length > 0 && payouts.every(({ isFinal }) => isFinal)
  }
  return kept.filter((payment) => payment.kind === 'extra' && payment.orderId !== null && !isDelivered(payment))
}

/** The recorded payments. Reads those of `isMeant` that are not final on chain again and drops the ones that a reorg removed. */
export const readKept = async (
  { id, createdAt }: SwapRecord,
  ports: InputPorts,
  isMeant: (payment: Payment) => boolean = isPaidIn,
): Promise<readonly Payment[]> => {
  const { payments, clock } = ports
  const kept = await payments.ofSwap(id)
  const gone = new Set<Payment>()
  for (const payment of kept.filter((one) => isMeant(one) && !one.isFinal)) {
    if (!isRemembered(payment.paidAt ?? createdAt, clock)) continue
    const seen = await readTransaction(ports, payment)
    if (seen === 'unreadable') continue
    if (seen?.isSuccess && seen.standing === 'final') await payments.setFinal(id, payment)
    if (seen?.isSuccess) continue
    await payments.drop(id, payment)
    gone.add(payment)
  }
  return kept.filter((payment) => !gone.has(payment))
}
