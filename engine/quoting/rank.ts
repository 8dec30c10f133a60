import type { Offer } from '../core/offer.ts'
import type { RankingMode } from '../core/order.ts'

/** An offer in the ranking. */
export type Candidate = { readonly offer: Offer; readonly isExecutable: boolean }

/** The worth of an offer's fee beside the input in the output token; null when it cannot be priced. */
export type NativeFeeWorth = (offer: Offer) => bigint | null

type Contender = Candidate & { readonly worth: bigint | null }

/** Negative when `a` is better. */
type Comparison = (a: Contender, b: Contender) => number

const descending = (a: bigint, b: bigint): number => (a === b ? 0 : a > b ? -1 : 1)

const byExecutable: Comparison = (a, b) => Number(b.isExecutable) - Number(a.isExecutable)
/** An offer whose fee cannot be priced ranks after offers of known cost. */
const byPriced: Comparison = (a, b) => Number(a.worth === null) - Number(b.worth === null)
const byOutput: Comparison = (a, b) => descending(a.offer.outputAmount - (a.worth ?? 0n), b.offer.outputAmount - (b.worth ?? 0n))
/** No bound counts as no guarantee at all. */
const guaranteeOf = ({ offer, worth }: Contender): bigint => (offer.slippage?.guaranteedMin ?? 0n) - (worth ?? 0n)
const byGuarantee: Comparison = (a, b) => descending(guaranteeOf(a), guaranteeOf(b))

/** A venue that reports no duration ranks after those that do. */
const secondsOf = ({ offer }: Contender): number => offer.estimatedTimeSeconds ?? Number.MAX_SAFE_INTEGER
const byTime: Comparison = (a, b) => secondsOf(a) - secondsOf(b)
/** Only so that equal offers always come out in the same order. */
const byVenue: Comparison = (a, b) => (a.offer.venue < b.offer.venue ? -1 : 1)

const ORDER_OF: { readonly [mode in RankingMode]: readonly Comparison[] } = {
  best_output: [byExecutable, byPriced, byOutput, byGuarantee, byTime, byVenue],
  fastest: [byExecutable, byPriced, byTime, byOutput, byGuarantee, byVenue],
}

/**
 * Best first by the mode; amounts count after the fee beside the input. Executable offers always come before previews. Pure: the
 * same offers rank the same in any order.
 */
export const rank = (candidates: readonly Candidate[], mode: RankingMode, worthOf: NativeFeeWorth): readonly Candidate[] => {
  const contenders = candidates.map((candidate) => ({ ...candidate, candidate, worth: worthOf(candidate.offer) }))
  contenders.sort((a, b) => {
    for (const compare of ORDER_OF[mode]) {
      const difference = compare(a, b)
      if (difference !== 0) return difference
    }
    return 0
  })
  return contenders.map(({ candidate }) => candidate)
}

/** The middle ones; one of them twice where the count is odd. */
const mediansOf = (values: readonly bigint[]): { readonly upper: bigint; readonly lower: bigint } => {
  const sorted = [...values].sort((a, b) => descending(b, a))
  const at = (index: number) => sorted[Math.floor(index)] ?? 0n
  return { upper: at(sorted.length / 2), lower: at((sorted.length - 1) / 2) }
}

/** The worth of an order's input in its output token by one venue's own price list. */
export type PublishedWorth = { readonly venue: string; readonly amount: bigint }

/** The median of the amounts by several lists; of two middle ones the higher. Null without a list. */
export const medianWorth = (lists: readonly PublishedWorth[]): bigint | null =>
  lists.length === 0 ? null : mediansOf(lists.map(({ amount }) => amount)).upper

/** True when two amounts are nearer to each other, as a ratio, than the first is to a third. */
const isNearer = (middle: bigint, other: bigint, amount: bigint): boolean => {
  const [low, high] = middle < other ? [middle, other] : [other, middle]
  const [least, most] = middle < amount ? [middle, amount] : [amount, middle]
  return high * least < most * low
}

type OutlierRules = {
  readonly factor: number
  readonly published: readonly PublishedWorth[]
  readonly mode: RankingMode
}

/**
 * Splits off offers that promise more than `factor` times the median of the others. A venue that mistakes a token's decimals or
 * quotes a broken pool must not win by it. Where the quickest wins, it also splits off offers that promise too little by this
 * factor: to be quick with next to nothing is cheap.
 *
 * Every venue is one witness, by its offer. Only two witnesses overrule an offer: a single one does not show which of the two is
 * wrong. Dropping the higher would hand the caller a thin venue's bad price as the best. The higher offer is then kept, and
 * reported as unwitnessed. Price lists count only where there is a single other offer. The lists of venues without an offer then
 * form the second witness, if both witnesses are nearer to each other than to the offer. They never overrule an offer alone. For
 * too little the witnesses must agree like that in any case.
 */
export const dropOutliers = (
  candidates: readonly Candidate[],
  { factor, published, mode }: OutlierRules,
): {
  readonly kept: readonly Candidate[]
  readonly dropped: readonly Candidate[]
  readonly unwitnessed: readonly Candidate[]
} => {
  const lists = published.filter(({ venue }) => candidates.every(({ offer }) => offer.venue !== venue))
  const byLists = medianWorth(lists)
  const othersOf = (candidate: Candidate): readonly bigint[] =>
    candidates.filter((other) => other !== candidate).map(({ offer }) => offer.outputAmount)
  const isOutlier = (candidate: Candidate): boolean => {
    const amount: bigint = candidate.offer.outputAmount
    const others = othersOf(candidate)
    const isByLists = others.length === 1 && byLists !== null
    const witnesses = isByLists ? [...others, byLists] : others
    if (witnesses.length < 2) return false
    const { upper, lower } = mediansOf(witnesses)
    const isOddOneOut = (middle: bigint): boolean =>
      witnesses.toSpliced(witnesses.indexOf(middle), 1).some((other) => isNearer(middle, other, amount))
    if (amount > upper * BigInt(factor)) return !isByLists || isOddOneOut(upper)
    return mode === 'fastest' && amount * BigInt(factor) < lower && isOddOneOut(lower)
  }
  const dropped = candidates.filter(isOutlier)
  const kept = candidates.filter((candidate) => !dropped.includes(candidate))
  const unwitnessed = kept.filter((candidate) => {
    const others = othersOf(candidate)
    return others.length === 1 && others.every((other) => candidate.offer.outputAmount > other * BigInt(factor))
  })
  return { kept, dropped, unwitnessed }
}
