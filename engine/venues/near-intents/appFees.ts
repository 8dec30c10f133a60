import { type NearIntentsSettings, toAccount } from './settings.ts'
import type { AppFee } from './wire.ts'

/** What the echoed fee list says will be taken from the input, in basis points. */
export type AppliedFee = {
  /** To our account. */
  readonly bps: number
  /** Everything together, the venue's own share included. */
  readonly totalBps: number
}

/**
 * The fee list as its recipients go: to our account, and to accounts that are neither ours nor known as the venue's. The
 * list is not signed, and the venue's own account has not always been the same one.
 */
export const sortFees = (fees: readonly AppFee[], { feeAccount, venueFeeAccount }: NearIntentsSettings) => ({
  ours: fees.filter(({ recipient, fee }) => toAccount(recipient) === feeAccount && fee > 0),
  unknown: fees.filter(({ recipient }) => ![feeAccount, venueFeeAccount].includes(toAccount(recipient))),
})

/**
 * What the venue leaves us at the least of a fee: half of it, rounded down, by default.
 * https://docs.near-intents.org/integration/distribution-channels/1click-api/fee-config
 */
const leastShareBps = (askedBps: number): number => Math.floor(askedBps / 2)

/**
 * Reads the echoed fee list against what was asked for; null when it takes a fee of ours that was not asked for, leaves our
 * account out, or names somebody else beside it. Where nothing was asked for there is no fee of ours to divert: accounts
 * that nobody knows are then the venue's own, taken out of the price like all its fees.
 */
export const readAppFees = (fees: readonly AppFee[], askedBps: number, settings: NearIntentsSettings): AppliedFee | null => {
  const totalBps = fees.reduce((sum, { fee }) => sum + fee, 0)
  const { ours, unknown } = sortFees(fees, settings)
  const bps = ours[0]?.fee ?? 0
  const isDiverted = askedBps > 0 && unknown.length > 0
  const isOurShare = ours.length <= 1 && bps <= askedBps && (bps > 0 || leastShareBps(askedBps) === 0)
  return totalBps < 10_000 && isOurShare && !isDiverted ? { bps, totalBps } : null
}
