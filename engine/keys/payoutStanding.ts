import type { PayoutEcosystem } from '../core/partner.ts'
import type { PayoutAddress } from '../store/partners.ts'

/** `counts`: the partner's current address; `awaited`: the next one, unless it is changed again. Null: no address. */
export type PayoutStanding = { readonly counts: PayoutAddress | null; readonly awaited: PayoutAddress | null }

/**
 * The payout address of a partner in an ecosystem, from all addresses in the order of their changes. An address that was replaced
 * before its start never counts. Else a mistake, or a thief's address, would still be paid after its replacement.
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

/** The same at a past time. */
export const payoutStandingAt = (history: readonly PayoutAddress[], ecosystem: PayoutEcosystem, at: number): PayoutStanding => {
  const known = history.filter(({ createdAt, replacedAt }) => createdAt <= at && (replacedAt === null || replacedAt > at))
  return payoutStanding(
    known.map((one) => ({ ...one, replacedAt: null })),
    ecosystem,
    at,
  )
}

/**
 * From when on a newly set address counts; null: no change. The first address counts at once, another one after the hold.
 * Returning to the current one needs no hold.
 */
export const countsFrom = (
  { counts, awaited }: PayoutStanding,
  address: string,
  { now, holdMs }: { readonly now: number; readonly holdMs: number },
): number | null => {
  if (address === (awaited ?? counts)?.address) return null
  return counts === null || address === counts.address ? now : now + holdMs
}

/** The addresses that another change replaces. */
export const replacedBy = ({ counts, awaited }: PayoutStanding, countsFrom: number, now: number): readonly PayoutAddress[] =>
  [awaited, countsFrom <= now ? counts : null].filter((replaced) => replaced !== null)
