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

/** What an order's input is worth in its output token by one venue's own price list. */
export type PublishedWorth = { readonly venue: string; readonly amount: bigint }

/** True when an amount is further from `middle` than another witness is: two agree, and it is the odd one. */
const isOddOneOut = (amount: bigint, middle: bigint, others: readonly bigint[]): boolean =>
  others.some((other) => (other <= middle ? middle * middle < amount * other : other < amount))

/**
 * Splits off offers that promise more than `factor` times the median of what others say: a venue that mistakes a token's
 * decimals or quotes a broken pool must not win by it.
 *
 * Every venue is one witness, by its offer. It takes two to overrule an offer, and they must be nearer to each other than
 * it is to them: against a single one there is no telling which of the two is wrong, and dropping the higher would hand the
 * caller a thin venue's bad price as the best. Price lists are heard only where there is a single other offer: those of
 * venues that made none then count together as the second witness. They never overrule an offer alone.
 */
export const dropOutliers = (
  candidates: readonly Candidate[],
  { factor, published }: { readonly factor: number; readonly published: readonly PublishedWorth[] },
): { readonly kept: readonly Candidate[]; readonly dropped: readonly Candidate[] } => {
  const lists = published.filter(({ venue }) => candidates.every(({ offer }) => offer.venue !== venue))
  const byLists = lists.length > 0 ? [upperMedian(lists.map(({ amount }) => amount))] : []
  const isOutlier = (candidate: Candidate): boolean => {
    const amount: bigint = candidate.offer.outputAmount
    const others: readonly bigint[] = candidates.filter((other) => other !== candidate).map(({ offer }) => offer.outputAmount)
    const witnesses = others.length === 1 ? [...others, ...byLists] : others
    if (witnesses.length < 2) return false
    const middle = upperMedian(witnesses)
    return amount > middle * BigInt(factor) && isOddOneOut(amount, middle, witnesses.toSpliced(witnesses.indexOf(middle), 1))
  }
  const dropped = candidates.filter(isOutlier)
  return { kept: candidates.filter((candidate) => !dropped.includes(candidate)), dropped }
}
