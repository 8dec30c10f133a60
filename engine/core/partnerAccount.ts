import type { ChainId } from './chain.ts'
import type { Json } from './json.ts'
import type { PartnerKind, PayoutEcosystem } from './partner.ts'

/** A self-serve signup. `contacts` appear in no log, and may be erased. */
export type Signup = { readonly feeBps: number | null; readonly contacts: { readonly [field: string]: Json } }

/** The key appears in this answer only. */
export type SignedUp = { readonly apiKey: string; readonly partnerId: string; readonly feeBps: number | null }

/** Payout addresses by ecosystem. */
export type PayoutAddresses = { readonly [E in PayoutEcosystem]?: string }

/** The target of a partner's webhooks. A null `url` removes it. */
export type WebhookTarget = { readonly url: string | null }

/** The settings to change. Null leaves a setting unchanged. */
export type SettingsChange = {
  readonly feeBps: number | null
  readonly payoutAddresses: PayoutAddresses | null
  readonly webhook: WebhookTarget | null
}

/** The changed settings after the change. Null for a setting outside the request. */
export type ChangedSettings = {
  readonly feeBps: number | null
  /** For every ecosystem the address that was set last, effective or not. */
  readonly payoutAddresses: PayoutAddresses | null
  readonly webhook: WebhookTarget | null
  /** The secret that signs webhooks. Only the first registration returns it. */
  readonly webhookSecret: string | null
}

/** An address that is effective, or will be. */
export type StandingAddress = {
  readonly ecosystem: PayoutEcosystem
  readonly address: string
  /** Epoch ms. */
  readonly countsFrom: number
  readonly counts: boolean
}

/** Of one token, in its smallest units. */
export type AccountBalance = {
  readonly ecosystem: PayoutEcosystem
  readonly chainId: ChainId
  readonly token: string
  readonly earned: bigint
  readonly paid: bigint
}

/** The settings that a partner can see of its own account, without secrets. */
export type PartnerAccount = {
  readonly partnerId: string
  readonly kind: PartnerKind
  /** Null: never set. */
  readonly feeBps: number | null
  readonly payoutAddresses: readonly StandingAddress[]
  /** Null: no webhook is registered. */
  readonly webhookUrl: string | null
  readonly requestsPerMinute: number
  /** The limit that all self-serve keys used from one address share; null: no limit, or it does not apply. */
  readonly requestsPerAddressPerMinute: number | null
  readonly balances: readonly AccountBalance[]
  readonly createdAt: number
}
