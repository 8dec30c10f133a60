import { type NearIntentsSettings, toAccount } from './settings.ts'
import type { AppFee } from './wire.ts'

/** The fees on the input by the echoed list, in basis points. */
export type AppliedFee = {
  /** To our account. */
  readonly bps: number
  /** All fees together, the venue's own share included. */
  readonly totalBps: number
}

/**
 * The fee list by recipients: our account, and accounts that are neither ours nor known as the venue's. The list is not signed,
 * and the venue's own account has changed before.
 */
export const sortFees = (fees: readonly AppFee[], { feeAccount, venueFeeAccount }: NearIntentsSettings) => ({
  ours: fees.filter(({ recipient, fee }) => toAccount(recipient) === feeAccount && fee > 0),
  unknown: fees.filter(({ recipient }) => ![feeAccount, venueFeeAccount].includes(toAccount(recipient))),
})

/**
 * The least part of a fee that the venue leaves us: half of it, rounded down, by default.
 * https://docs.near-intents.org/integration/distribution-channels/1click-api/fee-config
 */
const leastShareBps = (askedBps: number): number => Math.floor(askedBps / 2)

/**
 * Checks the echoed fee list against the request. Null for a fee of ours beyond the request, for a list without our account, and
 * for an unknown account beside ours. Without a requested fee, unknown accounts are the venue's own, and their fee is part of the
 * price like all its fees.
 */
export const readAppFees = (fees: readonly AppFee[], askedBps: number, settings: NearIntentsSettings): AppliedFee | null => {
  const totalBps = fees.reduce((sum, { fee }) => sum + fee, 0)
  const { ours, unknown } = sortFees(fees, settings)
  const bps = ours[0]?.fee ?? 0
  const isDiverted = askedBps > 0 && unknown.length > 0
  const isOurShare = ours.length <= 1 && bps <= askedBps && (bps > 0 || leastShareBps(askedBps) === 0)
  return totalBps < 10_000 && isOurShare && !isDiverted ? { bps, totalBps } : null
}
