import type { PayoutEcosystem } from '../core/partner.ts'
import type { PayoutAddress } from '../store/partners.ts'

/** `counts`: where a partner is paid now; `awaited`: where he will be, unless it is changed again before. Null: none. */
export type PayoutStanding = { readonly counts: PayoutAddress | null; readonly awaited: PayoutAddress | null }

/**
 * Where a partner is paid in an ecosystem, from all that he ever set, in the order he set it. What was replaced before its time
 * came never counts: else a mistake, or a thief's address, would still be paid to after it was replaced.
 */
export const payoutStanding = (history: readonly PayoutAddress[], ecosystem: PayoutEcosystem, now: number): PayoutStanding => {
  let standing: PayoutStanding = { counts: null, awaited: null }
  const reach = (at: number): void => {
    if (standing.awaited && standing.awaited.countsFrom <= at) standing = { counts: standing.awaited, awaited: null }
  }
  for (const set of history.filter((one) => one.ecosystem === ecosystem && one.replacedAt === null)) {
    reach(set.createdAt)
    standing = { ...standing, awaited: set }
    reach(set.createdAt)
  }
  reach(now)
  return standing
}

/** The same as it stood at a time that is past. */
export const payoutStandingAt = (history: readonly PayoutAddress[], ecosystem: PayoutEcosystem, at: number): PayoutStanding => {
  const known = history.filter(({ createdAt, replacedAt }) => createdAt <= at && (replacedAt === null || replacedAt > at))
  return payoutStanding(
    known.map((one) => ({ ...one, replacedAt: null })),
    ecosystem,
    at,
  )
}

/**
 * From when on an address counts that is set now; null: nothing changes. The first counts at once, another after the hold, and
 * the one that counts already is taken back to without one.
 */
export const countsFrom = (
  { counts, awaited }: PayoutStanding,
  address: string,
  { now, holdMs }: { readonly now: number; readonly holdMs: number },
): number | null => {
  if (address === (awaited ?? counts)?.address) return null
  return counts === null || address === counts.address ? now : now + holdMs
}

/** Which of those that stand may count no more once another is set. */
export const replacedBy = ({ counts, awaited }: PayoutStanding, countsFrom: number, now: number): readonly PayoutAddress[] =>
  [awaited, countsFrom <= now ? counts : null].filter((replaced) => replaced !== null)
