import { type NearIntentsSettings, toAccount } from './settings.ts'
import type { AppFee } from './wire.ts'

/** What the echoed fee list says will be taken from the input, in basis points. */
export type AppliedFee = {
  /** To our account. */
  readonly bps: number
  /** Everything together, the venue's own share included. */
  readonly totalBps: number
}

const isTo =
  (account: string | null) =>
  (fee: AppFee): boolean =>
    toAccount(fee.recipient) === account

/** Fees for anybody but the venue itself. */
export const integratorFees = (fees: readonly AppFee[], { venueFeeAccount }: NearIntentsSettings): readonly AppFee[] =>
  fees.filter((fee) => !isTo(venueFeeAccount)(fee))

/**
 * Reads the echoed fee list against what was asked for; null when it takes a fee that was not asked for, names somebody
 * else, or leaves our account out. Ours may be less than asked: by default the venue keeps half, and says so here.
 * https://docs.near-intents.org/integration/distribution-channels/1click-api/fee-config
 */
export const readAppFees = (fees: readonly AppFee[], askedBps: number, settings: NearIntentsSettings): AppliedFee | null => {
  const totalBps = fees.reduce((sum, { fee }) => sum + fee, 0)
  const integrators = integratorFees(fees, settings)
  if (totalBps >= 10_000) return null
  if (askedBps === 0) return integrators.length === 0 ? { bps: 0, totalBps } : null
  const [ours, ...others] = integrators
  if (!ours || others.length > 0 || !isTo(settings.feeAccount)(ours)) return null
  return ours.fee > 0 && ours.fee <= askedBps ? { bps: ours.fee, totalBps } : null
}
