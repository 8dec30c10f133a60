import type { Movement, SeenTransaction } from '../../chains/seen.ts'

/** One payment in a transaction. */
export type Share = Pick<Movement, 'place' | 'amount'> & { readonly seen: SeenTransaction }

/** What payments must come to. */
export type Measure = {
  readonly least: bigint
  /** Null: nothing says how much it can be at most. */
  readonly most: bigint | null
  /** What the venue says it is; null where it says nothing. */
  readonly told: bigint | null
}

const byAmount = (a: Share, b: Share): number => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : 0)

/** The one that the venue tells of; else that next to what it cannot exceed, and where nothing says that the smallest. */
const nearest = (enough: readonly Share[], { most, told }: Measure): Share | null => {
  const bySize = enough.toSorted(byAmount)
  return bySize.find(({ amount }) => amount === told) ?? (most === null ? bySize.at(0) : bySize.at(-1)) ?? null
}

/** The largest that fit together until they come to enough. */
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

/** The payments that come to enough: one where one does, which leaves the others to the swaps they are of. None where none do. */
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
