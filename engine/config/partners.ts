import { Secret } from '../core/secret.ts'
import type { Reader } from './reader.ts'

export type PartnersConfig = {
  /** All self-serve keys used from one address share it; 0: no limit. */
  readonly requestsPerAddressPerMinute: number
  /** The wait before a changed payout address counts. The first one counts at once. */
  readonly payoutAddressHoldMs: number
  readonly webhooks: {
    /** Allows targets in private networks, for development. Never on mainnet. */
    readonly allowPrivate: boolean
    /** The first key seals, all open stored secrets. Empty: one is created and stored in the data folder. */
    readonly secretKeys: readonly Secret[]
  }
  readonly settlement: {
    /** The time between two passes over the open swaps. */
    readonly intervalMs: number
    /** From this age on the settlement job skips an open swap, until a status request for it. */
    readonly abandonAfterMs: number
  }
}

const HOUR_MS = 3_600_000
const SECRET_KEY = /^[0-9a-fA-F]{64}$/

const readSecretKeys = (reader: Reader): readonly Secret[] => {
  const keys = reader.secrets('WEBHOOK_SECRET_KEYS')
  if (keys.length > 2 || !keys.every((key) => SECRET_KEY.test(key)))
    reader.problems.push('WEBHOOK_SECRET_KEYS must be one or two keys of 64 hex digits, separated by a comma')
  return keys.map((key) => new Secret(key.toLowerCase()))
}

const readAllowPrivate = (reader: Reader): boolean => {
  const isAllowed = reader.oneOf('WEBHOOK_ALLOW_PRIVATE', 'false', ['true', 'false']) === 'true'
  if (isAllowed && reader.text('NETWORK', 'simnet') === 'mainnet')
    reader.problems.push('WEBHOOK_ALLOW_PRIVATE is for development: leave it out on mainnet')
  return isAllowed
}

export const readPartners = (reader: Reader): PartnersConfig => ({
  requestsPerAddressPerMinute: reader.integer('RATE_LIMIT_KEYS_PER_ADDRESS', 1_200, { min: 0, max: 1_000_000 }),
  payoutAddressHoldMs: reader.integer('PAYOUT_ADDRESS_HOLD_HOURS', 72, { min: 0, max: 8_760 }) * HOUR_MS,
  webhooks: { allowPrivate: readAllowPrivate(reader), secretKeys: readSecretKeys(reader) },
  settlement: {
    intervalMs: reader.integer('SETTLEMENT_INTERVAL_SECONDS', 300, { min: 1, max: 86_400 }) * 1_000,
    abandonAfterMs: reader.integer('SETTLEMENT_ABANDON_AFTER_HOURS', 168, { min: 1, max: 8_760 }) * HOUR_MS,
  },
})
