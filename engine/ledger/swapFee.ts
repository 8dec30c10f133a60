import { type ChainId, ecosystemOf } from '../core/chain.ts'
import { believedFee, type FeeCustody } from '../core/fee.ts'
import type { PayoutEcosystem } from '../core/partner.ts'
import type { Payment } from '../core/payment.ts'
import type { ExecutedSwap } from '../core/swap.ts'

/** The integrator fee of a swap, or of an extra payment of it. */
export type SwapFee = {
  readonly custody: FeeCustody
  readonly chainId: ChainId
  readonly token: string
  readonly ecosystem: PayoutEcosystem
  /** Smallest units. */
  readonly amount: bigint
  /** The transfer that moved it; null: none was seen, and the amount is what was quoted for what was paid in. */
  readonly transfer: Payment | null
}

/** What a swap was paid for its own delivery, or for that of an extra payment by its order. */
const paidFor = (payments: readonly Payment[], orderId: string | null): Payment | null =>
  payments.find(({ kind, orderId: of }) => (orderId === null ? kind === 'input' : kind === 'extra' && of === orderId)) ?? null

const sumOf = (payments: readonly Payment[]): bigint | null =>
  payments.reduce<bigint | null>((sum, { amount }) => (sum === null || amount === null ? null : sum + amount), 0n)

/** What was paid in and did not come back; null where nobody can tell. */
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

const BPS = 10_000n

const payoutEcosystem = (chainId: ChainId): PayoutEcosystem => {
  const ecosystem = ecosystemOf(chainId)
  return ecosystem === 'bitcoin' ? 'thorchain' : ecosystem
}

/** As it was quoted, in proportion to what was paid in. */
const quotedFee = (
  { order, offer }: ExecutedSwap,
  custody: FeeCustody,
  { payments, orderId }: { readonly payments: readonly Payment[]; readonly orderId: string | null },
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
    const delivered = sumOf(payments.filter((one) => one.kind === 'output' && one.orderId === orderId))
    const told = (offer.fee.amount * base) / inputAmount
    return {
      chainId: output.chainId,
      token: output.address,
      amount: delivered ? believedFee(told, offer.fee.bps, delivered) : told,
    }
  }
  return { chainId: input.chainId, token: input.address, amount: (base * bps) / BPS }
}

/**
 * The fee of a swap (`orderId` null), or of an extra payment of it: the transfer that was seen, else what was quoted, in the token
 * and on the chain where its venue takes it. Null where it has none.
 */
export const swapFee = (swap: ExecutedSwap, payments: readonly Payment[], orderId: string | null): SwapFee | null => {
  const { feeCustody: custody } = swap
  if (custody === undefined) return null
  const quoted = quotedFee(swap, custody, { payments, orderId })
  const transfer = payments.find((one) => one.kind === 'fee' && one.orderId === orderId && one.amount !== null) ?? null
  const amount = transfer?.amount ?? quoted.amount
  if (amount <= 0n) return null
  return { custody, ...quoted, ecosystem: custody.ecosystem ?? payoutEcosystem(quoted.chainId), amount, transfer }
}
