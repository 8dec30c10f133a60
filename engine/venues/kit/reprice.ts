import type { SealedOffer } from '../../core/swap.ts'
import type { SlippageRule } from '../venue.ts'

/** A venue's price now, in smallest units of the output. */
export type Repriced = { readonly expected: bigint; readonly minimum: bigint }

/**
 * The tolerance with which today's price still guarantees what was quoted, when the one that was asked with no longer
 * does; null when it still does, or when the price has fallen too far for any. `leastBps`: the least the venue takes.
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
 * What the venue opens for a sealed quote: by the tolerance of the order, or once more by a tighter one where the price has
 * slipped within its bound and the venue can still be held to the quoted minimum. What was opened first is shown to nobody.
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

/**
 * What a fee taken from the input is worth in output: grossed up from what is left after all fees of `totalBps`, rounded
 * down. `totalBps` is below 10,000.
 */
export const grossUp = (netOutput: bigint, bps: number, totalBps: number): bigint =>
  (netOutput * BigInt(bps)) / BigInt(10_000 - totalBps)
