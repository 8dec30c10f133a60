import { bpsOf } from '../../core/amount.ts'
import type { SealedOffer } from '../../core/swap.ts'
import type { SlippageRule } from '../venue.ts'

/** A venue's current price, in smallest units of the output. */
export type Repriced = { readonly expected: bigint; readonly minimum: bigint }

/**
 * The tighter slippage with which today's price still guarantees the quoted minimum. Null when the order's own slippage still
 * does, or when the price has fallen too far. `leastBps`: the least that the venue takes.
 */
export const tighterSlippageBps = (
  { expected, minimum }: Repriced,
  quotedMinimum: bigint,
  { leastBps }: { readonly leastBps: number },
): number | null => {
  if (minimum >= quotedMinimum || expected < quotedMinimum) return null
  const bps = Number(((expected - quotedMinimum) * 10_000n) / expected)
  return bps >= leastBps ? bps : null
}

/**
 * Opens a sealed quote at the venue, by the slippage of the order. It opens once more with a tighter slippage where the price
 * fell within its bound and the quoted minimum still holds. The first result is then discarded.
 */
export const openWithin = async <T>(
  { order, offer }: SealedOffer,
  { minBps }: SlippageRule,
  { open, priceOf }: { open(slippageBps: number): Promise<T>; priceOf(opened: T): Repriced },
): Promise<T> => {
  const first = await open(order.slippageBps)
  const tighter = tighterSlippageBps(priceOf(first), offer.slippage?.guaranteedMin ?? 0n, { leastBps: minBps })
  return tighter === null ? first : open(tighter)
}

/** The least output after slippage, rounded down as the venues' contracts do. */
export const leastOf = (amount: bigint, slippageBps: number): bigint => bpsOf(amount, 10_000 - slippageBps)

/**
 * The value in output of a fee on the input: grossed up from the output after all fees of `totalBps`, rounded down. `totalBps` is
 * below 10,000.
 */
export const grossUp = (netOutput: bigint, bps: number, totalBps: number): bigint =>
  (netOutput * BigInt(bps)) / BigInt(10_000 - totalBps)
