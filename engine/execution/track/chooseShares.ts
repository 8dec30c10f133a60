import type { Movement, SeenTransaction } from '../../chains/seen.ts'

/** One payment in a transaction. */
export type Share = Pick<Movement, 'place' | 'amount'> & { readonly seen: SeenTransaction }

/** The required sum of payments. */
export type Measure = {
  readonly least: bigint
  /** Null if there is no upper bound. */
  readonly most: bigint | null
  /** The amount that the venue reports; null if it reports none. */
  readonly told: bigint | null
}

const byAmount = (a: Share, b: Share): number => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : 0)

/** The payment that the venue reports; else the largest within the upper bound, or without a bound the smallest. */
const nearest = (enough: readonly Share[], { most, told }: Measure): Share | null => {
  const bySize = enough.toSorted(byAmount)
  return bySize.find(({ amount }) => amount === told) ?? (most === null ? bySize.at(0) : bySize.at(-1)) ?? null
}

/** The largest payments within the bound, until their sum is enough. */
const together = (shares: readonly Share[], { least, most }: Measure): readonly Share[] => {
  if (most === null) return shares
  const chosen: Share[] = []
  let sum = 0n
  for (const share of shares.toSorted(byAmount).reverse()) {
    if (sum >= least || sum + share.amount > most) continue
    sum += share.amount
    chosen.push(share)
  }
  return chosen
}

export const sumOf = (shares: readonly Pick<Share, 'amount'>[]): bigint => shares.reduce((sum, { amount }) => sum + amount, 0n)

/** Selects payments that reach the required sum: one if possible, so that other swaps keep theirs. Empty if none do. */
export const chooseShares = (shares: readonly Share[], measure: Measure): readonly Share[] => {
  const { least, most } = measure
  const fitting = shares.filter(({ amount }) => amount > 0n && (most === null || amount <= most))
  const one = nearest(
    fitting.filter(({ amount }) => amount >= least),
    measure,
  )
  const chosen = one ? [one] : together(fitting, measure)
  return sumOf(chosen) >= least ? chosen : []
}
