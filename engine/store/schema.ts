import type { Generated, Kysely } from 'kysely'

/** Times are epoch ms in 64 bits. Drivers return them as numbers. */
export type SwapsTable = {
  readonly id: Generated<number>
  readonly quote_id: string
  readonly binding_key: string
  readonly venue: string
  readonly partner_id: string | null
  readonly fee_of: string
  readonly executed_by: string | null
  readonly request_id: string
  readonly token_key: string | null
  readonly execution_type: string
  readonly is_sandbox: number
  readonly ref: string | null
  readonly document: string
  readonly state: string
  readonly venue_status: string | null
  readonly delivered_amount: string | null
  readonly tx_hash: string | null
  readonly submitted_at: number | null
  readonly posting_at: number | null
  /** When the venue last reported the status, or accepted the signed payload. */
  readonly followed_at: number | null
  /** When the swap first ended. A later reorganisation does not reset it. */
  readonly ended_at: number | null
  readonly created_at: number
  readonly updated_at: number
  /** JSON; null if the quote token had no room for it. */
  readonly race: string | null
  /** When the swap was archived, which hides it from all reads; null if it was not. */
  readonly archived_at: number | null
  /** The first transaction named to `/status` that no chain showed. */
  readonly named_tx: string | null
  /** When it was named; null once it raises no alert. */
  readonly named_at: number | null
}

export type BroadcastsTable = {
  readonly swap_id: number
  readonly tx_hash: string
  readonly until_height: number
  readonly accepted_at: number | null
  /** How many posts joined the transaction. */
  readonly posts: number
  readonly fate: string | null
  readonly created_at: number
}

export type PaymentsTable = {
  readonly id: Generated<number>
  readonly swap_id: number
  readonly kind: string
  readonly chain_id: number
  readonly tx_hash: string
  /** Unique on its chain. */
  readonly place: string
  readonly token: string
  readonly recipient: string
  readonly amount: string | null
  readonly order_id: string | null
  readonly paid_at: number | null
  readonly is_final: number
  readonly created_at: number
}

export type BuildsTable = {
  readonly quote_id: string
  readonly binding_key: string
  readonly owner: string
  readonly until: number
}

/** One row per key of a venue. */
export type SwapKeysTable = {
  readonly swap_id: number
  readonly venue: string
  readonly kind: string
  readonly value: string
  readonly until: number | null
  readonly created_at: number
}

export type PartnersTable = {
  readonly id: string
  readonly kind: string
  readonly fee_bps: number | null
  readonly requests_per_minute: number | null
  readonly created_at: number
}

export type PartnerContactsTable = { readonly partner_id: string; readonly document: string; readonly created_at: number }

export type ApiKeysTable = {
  /** SHA-256 of the key, in hex. The key itself is not stored. */
  readonly hash: string
  readonly partner_id: string
  readonly hint: string
  readonly created_at: number
  readonly revoked_at: number | null
}

/** One row per address that a partner ever set. */
export type PayoutAddressesTable = {
  readonly id: Generated<number>
  readonly partner_id: string
  readonly ecosystem: string
  readonly address: string
  readonly counts_from: number
  /** When another address replaced it, whether or not it counted; null: it may count. */
  readonly replaced_at: number | null
  readonly created_at: number
}

export type WebhooksTable = {
  readonly partner_id: string
  readonly url: string
  readonly sealed_secret: string
  readonly created_at: number
  readonly updated_at: number
}

/** One row per partner with events. */
export type PartnerFeedsTable = { readonly partner_id: string; readonly last_place: number }

export type PartnerEventsTable = {
  readonly id: Generated<number>
  readonly partner_id: string
  /** The place in the partner's feed, from 1. */
  readonly place: number
  readonly swap_id: number | null
  readonly event: string
  readonly document: string
  readonly delivery: string
  readonly attempted_at: number | null
  /** The HTTP status of the target. */
  readonly answered: number | null
  readonly failure: string | null
  readonly created_at: number
}

export type LedgerEntriesTable = {
  readonly id: Generated<number>
  /** Entries with the same key are booked once. */
  readonly key: string
  readonly kind: string
  readonly swap_id: number | null
  readonly document: string
  readonly created_at: number
}

export type LedgerLinesTable = {
  readonly id: Generated<number>
  readonly entry_id: number
  readonly account: string
  readonly side: string
  readonly ecosystem: string
  readonly chain_id: number
  readonly token: string
  /** Smallest units, a positive integer of any size. */
  readonly amount: string
}

/** The sums of a partner's lines in one token, up to `last_line`. */
export type LedgerBalancesTable = {
  readonly partner_id: string
  readonly ecosystem: string
  readonly chain_id: number
  readonly token: string
  /** Smallest units, an integer of any size; negative if more was reversed than earned in this token. */
  readonly earned: string
  readonly paid: string
  readonly last_line: number
}

export type SettlementTable = {
  readonly swap_id: number
  readonly venue: string
  readonly is_paid: number
  readonly due_at: number
  readonly looks: number
  readonly since: number
  readonly changed_at: number
  readonly abandoned_at: number | null
}

export type LeasesTable = { readonly name: string; readonly holder: string; readonly until: number }

export type PaidCallsTable = {
  readonly payment_key: string
  readonly request_key: string
  readonly request_id: string
  readonly operation: string
  readonly network: string
  readonly asset: string
  /** Smallest units, a positive integer. */
  readonly amount: string
  readonly pay_to: string
  readonly payer: string
  /** The signed payment; null after settlement. */
  readonly payment: string | null
  readonly state: string
  readonly holder: string
  readonly until: number
  /** JSON; null before there is an answer, and after its retention. */
  readonly answer: string | null
  readonly tx_hash: string | null
  readonly created_at: number
  readonly settled_at: number | null
}

export type TokensTable = {
  readonly chain_id: number
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** When two sources last agreed on the metadata. */
  readonly read_at: number
}

export type StoreFactsTable = { readonly name: string; readonly value: string }

/** Every table. */
export type Schema = {
  readonly swaps: SwapsTable
  readonly broadcasts: BroadcastsTable
  readonly payments: PaymentsTable
  readonly builds: BuildsTable
  readonly swap_keys: SwapKeysTable
  readonly partners: PartnersTable
  readonly partner_contacts: PartnerContactsTable
  readonly api_keys: ApiKeysTable
  readonly payout_addresses: PayoutAddressesTable
  readonly webhooks: WebhooksTable
  readonly partner_feeds: PartnerFeedsTable
  readonly partner_events: PartnerEventsTable
  readonly ledger_entries: LedgerEntriesTable
  readonly ledger_lines: LedgerLinesTable
  readonly ledger_balances: LedgerBalancesTable
  readonly settlement: SettlementTable
  readonly leases: LeasesTable
  readonly paid_calls: PaidCallsTable
  readonly tokens: TokensTable
  readonly store_facts: StoreFactsTable
}

export type Database = Kysely<Schema>
