import { Secret } from '../core/secret.ts'
import type { Reader } from './reader.ts'

export type QuoteConfig = {
  /** The latest end of the race. */
  readonly deadlineMs: number
  /** The race ends here once an executable offer has arrived. */
  readonly softDeadlineMs: number
  /** The lifetime of a quote whose venue states no expiry. */
  readonly lifetimeMs: number
  /** The least lifetime of every quote, whatever its venue states. 0 on mainnet, where prices move. */
  readonly lifetimeMsMin: number
  /** The maximum of a venue's own default slippage when the caller gives none, basis points. */
  readonly slippageBpsMaxDefault: number
  /** An offer above this many times the median of the others is dropped. */
  readonly outlierFactor: number
  /** The first key mints, all open. Empty: one is created and stored in the data folder. */
  readonly tokenKeys: readonly Secret[]
}

const TOKEN_KEY = /^[0-9a-fA-F]{64}$/

const readTokenKeys = (reader: Reader): readonly Secret[] => {
  const keys = reader.secrets('QUOTE_TOKEN_KEYS')
  if (keys.length > 2 || !keys.every((key) => TOKEN_KEY.test(key)))
    reader.problems.push('QUOTE_TOKEN_KEYS must be one or two keys of 64 hex digits, separated by a comma')
  return keys.map((key) => new Secret(key.toLowerCase()))
}

export const readQuote = (reader: Reader): QuoteConfig => {
  const deadlineMs = reader.integer('QUOTE_DEADLINE_MS', 4_000, { min: 50, max: 60_000 })
  const softDeadlineMs = reader.integer('QUOTE_SOFT_DEADLINE_MS', 1_500, { min: 0, max: 60_000 })
  const isOffline = reader.isOffline()
  const lifetimeMs = reader.integer('QUOTE_LIFETIME_MS', isOffline ? 600_000 : 60_000, { min: 1_000, max: 3_600_000 })
  if (softDeadlineMs > deadlineMs) reader.problems.push('QUOTE_SOFT_DEADLINE_MS must not exceed QUOTE_DEADLINE_MS')
  return {
    deadlineMs,
    softDeadlineMs,
    lifetimeMs,
    lifetimeMsMin: isOffline ? lifetimeMs : 0,
    slippageBpsMaxDefault: reader.integer('QUOTE_SLIPPAGE_BPS_MAX_DEFAULT', 300, { min: 10, max: 5_000 }),
    outlierFactor: reader.integer('QUOTE_OUTLIER_FACTOR', 2, { min: 2, max: 100 }),
    tokenKeys: readTokenKeys(reader),
  }
}
