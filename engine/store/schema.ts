import type { Generated, Kysely } from 'kysely'

/** Times are epoch ms, in 64 bits; a driver gives them as numbers. */
export type SwapsTable = {
  readonly id: Generated<number>
  readonly quote_id: string
  readonly binding_key: string
  readonly venue: string
  readonly partner_id: string | null
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
  /** When the venue last told where the swap stands, or took its signed payload. */
  readonly followed_at: number | null
  /** When it first came to an end, which stays though the chain may take that back. */
  readonly ended_at: number | null
  readonly created_at: number
  /** Read by the version before, which knows no `followed_at`. */
  readonly updated_at: number
}

export type BroadcastsTable = {
  readonly swap_id: number
  readonly tx_hash: string
  readonly until_height: number
  readonly accepted_at: number | null
  /** How many posts of the transaction were taken up. */
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
  /** Taken once on a chain. */
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

/** One row for each key of a venue. */
export type SwapKeysTable = {
  readonly swap_id: number
  readonly venue: string
  readonly kind: string
  readonly value: string
  readonly until: number | null
  readonly created_at: number
}

/** Every table. */
export type Schema = {
  readonly swaps: SwapsTable
  readonly broadcasts: BroadcastsTable
  readonly payments: PaymentsTable
  readonly builds: BuildsTable
  readonly swap_keys: SwapKeysTable
}

export type Database = Kysely<Schema>
