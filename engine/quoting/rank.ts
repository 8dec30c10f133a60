import type { Offer } from '../core/offer.ts'
import type { RankingMode } from '../core/order.ts'

/** An offer in the running. */
export type Candidate = { readonly offer: Offer; readonly isExecutable: boolean }

/** Negative when `a` is better. */
type Comparison = (a: Candidate, b: Candidate) => number

const descending = (a: bigint, b: bigint): number => (a === b ? 0 : a > b ? -1 : 1)

const byExecutable: Comparison = (a, b) => Number(b.isExecutable) - Number(a.isExecutable)
const byOutput: Comparison = (a, b) => descending(a.offer.outputAmount, b.offer.outputAmount)
/** No bound counts as no guarantee at all. */
const byGuarantee: Comparison = (a, b) => descending(a.offer.slippage?.guaranteedMin ?? 0n, b.offer.slippage?.guaranteedMin ?? 0n)

/** A venue that does not say how long it takes comes after those that do. */
const secondsOf = ({ offer }: Candidate): number => offer.estimatedTimeSeconds ?? Number.MAX_SAFE_INTEGER
const byTime: Comparison = (a, b) => secondsOf(a) - secondsOf(b)
/** Only so that equal offers always come out in the same order. */
const byVenue: Comparison = (a, b) => (a.offer.venue < b.offer.venue ? -1 : 1)

const ORDER_OF: { readonly [mode in RankingMode]: readonly Comparison[] } = {
  best_output: [byExecutable, byOutput, byGuarantee, byTime, byVenue],
  fastest: [byExecutable, byTime, byOutput, byGuarantee, byVenue],
}

/** Best first. Executable offers always come before previews. Pure: the same offers rank the same in any order. */
export const rank = (candidates: readonly Candidate[], mode: RankingMode): readonly Candidate[] =>
  [...candidates].sort((a, b) => {
    for (const compare of ORDER_OF[mode]) {
      const difference = compare(a, b)
      if (difference !== 0) return difference
    }
    return 0
  })

/** The middle one; the higher of the two middle ones where the count is even. */
const upperMedian = (values: readonly bigint[]): bigint => {
  const sorted = [...values].sort((a, b) => descending(b, a))
  return sorted[Math.floor(sorted.length / 2)] ?? 0n
}

/**
 * Splits off offers that promise more than `factor` times the median of the others: a venue that mistakes a token's
 * decimals or quotes a broken pool must not win by it. `reference` is what the input is worth in the output token at
 * published prices, and counts as one more of the others when it is known.
 *
 * It takes two witnesses to overrule an offer. Against a single other one there is no telling which of the two is
 * wrong, and dropping the higher would hand the caller a thin venue's bad price as the best.
 */
export const dropOutliers = (
  candidates: readonly Candidate[],
  { factor, reference }: { readonly factor: number; readonly reference: bigint | null },
): { readonly kept: readonly Candidate[]; readonly dropped: readonly Candidate[] } => {
  const isOutlier = (candidate: Candidate): boolean => {
    const others = candidates.filter((other) => other !== candidate).map(({ offer }) => offer.outputAmount as bigint)
    const witnesses = others.length > 0 && reference !== null ? [...others, reference] : others
    return witnesses.length >= 2 && candidate.offer.outputAmount > upperMedian(witnesses) * BigInt(factor)
  }
  const dropped = candidates.filter(isOutlier)
  return { kept: candidates.filter((candidate) => !dropped.includes(candidate)), dropped }
}
