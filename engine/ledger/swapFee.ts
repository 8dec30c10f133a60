import type { Address } from '../core/address.ts'
import { isNative } from '../core/asset.ts'
import { type ChainId, ecosystemOf, isEvmChainId } from '../core/chain.ts'
import { believedFee, type FeeCustody, feeShare, ROUNDING_UNITS } from '../core/fee.ts'
import type { PayoutEcosystem } from '../core/partner.ts'
import type { Payment } from '../core/payment.ts'
import type { ExecutedSwap } from '../core/swap.ts'

/** The integrator fee of a swap, or of an extra payment of it. */
export type SwapFee = {
  readonly custody: FeeCustody
  readonly chainId: ChainId
  readonly token: Address
  readonly ecosystem: PayoutEcosystem
  /** Smallest units. */
  readonly amount: bigint
  /** The source of the amount: a transfer, a payload that ran by the chain, or the quote in proportion to the input. */
  readonly basis: 'transfer' | 'payload' | 'quote'
  /** The place of the evidence on the chain; null for a quote. */
  readonly place: string | null
}

type ExpectedFee = Pick<SwapFee, 'custody' | 'chainId' | 'token' | 'amount'>

/** The swap (`orderId` null) or an extra payment of it, and all payments of the swap. */
type Paid = { readonly payments: readonly Payment[]; readonly orderId: string | null }

/** Payments of coins by an EVM contract leave no log. */
export const leavesNoLog = (fee: Pick<SwapFee, 'chainId' | 'token'>): boolean =>
  isEvmChainId(fee.chainId) && isNative({ chainId: fee.chainId, address: fee.token })

/** The payment for a swap's own delivery, or for that of an extra payment by its order. */
const paidFor = (payments: readonly Payment[], orderId: string | null): Payment | null =>
  payments.find(({ kind, orderId: of }) => (orderId === null ? kind === 'input' : kind === 'extra' && of === orderId)) ?? null

const sumOf = (payments: readonly Payment[]): bigint | null =>
  payments.reduce<bigint | null>((sum, { amount }) => (sum === null || amount === null ? null : sum + amount), 0n)

/** The input that was paid and not refunded; null where it is unknown. */
const keptOf = (payments: readonly Payment[], paid: Payment | null, orderId: string | null): bigint | null => {
  const isOf = (one: Payment): boolean => (orderId === null ? one.kind === paid?.kind : one === paid)
  const whole = paid && sumOf(payments.filter(isOf))
  const back = sumOf(
    payments.filter(
      (one) => one.kind === 'refund' && one.orderId === orderId && one.chainId === paid?.chainId && one.token === paid.token,
    ),
  )
  if (whole === null || back === null) return null
  return whole > back ? whole - back : 0n
}

const deliveredOf = ({ payments, orderId }: Paid): bigint | null =>
  sumOf(payments.filter((one) => one.kind === 'output' && one.orderId === orderId))

const BPS = 10_000n

const payoutEcosystem = (chainId: ChainId): PayoutEcosystem => {
  const ecosystem = ecosystemOf(chainId)
  return ecosystem === 'bitcoin' ? 'thorchain' : ecosystem
}

/** The quoted fee, in proportion to the paid input. */
const quotedFee = (
  { order, offer }: ExecutedSwap,
  custody: FeeCustody,
  { payments, orderId }: Paid,
): Pick<SwapFee, 'chainId' | 'token' | 'amount'> => {
  const { input, output, inputAmount } = order
  const bps = BigInt(offer.fee.bps)
  const paid = paidFor(payments, orderId)
  const kept = keptOf(payments, paid, orderId)
  const isInput = paid === null || paid.token === input.address
  const isSwappedFirst = custody.from === 'taken' && !isInput && kept !== null
  if (isSwappedFirst) return { chainId: paid.chainId, token: paid.token, amount: (kept * bps) / BPS }
  const base = isInput && kept !== null ? kept : inputAmount
  if (custody.from === 'output') {
    const delivered = deliveredOf({ payments, orderId })
    const told = (offer.fee.amount * base) / inputAmount
    return {
      chainId: output.chainId,
      token: output.address,
      amount: delivered ? believedFee(told, offer.fee.bps, delivered) : told,
    }
  }
  return { chainId: input.chainId, token: input.address, amount: (base * bps) / BPS }
}

/** The quoted fee, in the token and on the chain where its venue takes it. Null for a swap without a fee. */
export const expectedFee = (swap: ExecutedSwap, payments: readonly Payment[], orderId: string | null): ExpectedFee | null => {
  const { feeCustody: custody } = swap
  if (custody === undefined) return null
  const quoted = quotedFee(swap, custody, { payments, orderId })
  return quoted.amount > 0n ? { custody, ...quoted } : null
}

/** The fee that a payload makes its contract pay. The payload proof has compared its share with the quoted one. */
const payloadFee = ({ offer }: ExecutedSwap, { custody, amount }: ExpectedFee, paid: Paid): bigint =>
  custody.from === 'output' ? feeShare(deliveredOf(paid) ?? 0n, offer.fee.bps) : amount

/** A transfer, as far as it is due: the quoted fee, or its share of the payload's input or of the delivery. */
const transferFee = (swap: ExecutedSwap, expected: ExpectedFee, paid: Paid, moved: bigint): bigint => {
  const ofInput = (swap.order.inputAmount * BigInt(swap.offer.fee.bps)) / BPS
  const share = expected.custody.from === 'output' ? payloadFee(swap, expected, paid) : ofInput
  const most = share > expected.amount ? share : expected.amount
  return moved > most + ROUNDING_UNITS ? most : moved
}

/**
 * The fee of a swap (`orderId` null), or of an extra payment of it. A fee that the venue pays to an account needs evidence: a
 * transfer. For coins without a log the payload that ran is the evidence. Null without a fee, and without evidence.
 */
export const swapFee = (swap: ExecutedSwap, payments: readonly Payment[], orderId: string | null): SwapFee | null => {
  const expected = expectedFee(swap, payments, orderId)
  if (expected === null) return null
  const { custody, chainId, amount: quoted } = expected
  const fee = { ...expected, ecosystem: custody.ecosystem ?? payoutEcosystem(chainId), place: null }
  if (custody.seen === null) return { ...fee, basis: 'quote', amount: quoted }
  const evidence = payments.find((one) => one.kind === 'fee' && one.orderId === orderId)
  if (evidence === undefined) return null
  const { place } = evidence
  const paid = { payments, orderId }
  if (evidence.amount !== null)
    return { ...fee, basis: 'transfer', amount: transferFee(swap, expected, paid, evidence.amount), place }
  const amount = payloadFee(swap, expected, paid)
  return amount > 0n ? { ...fee, basis: 'payload', amount, place } : null
}
