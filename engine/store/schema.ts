import type { Generated, Kysely } from 'kysely'

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
  readonly created_at: number
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

export type DeliveriesTable = {
  readonly id: Generated<number>
  readonly swap_id: number
  readonly tx_hash: string
  readonly payee: string
  readonly least: string
  readonly created_at: number
}

/** Every table. */
export type Schema = {
  readonly swaps: SwapsTable
  readonly broadcasts: BroadcastsTable
  readonly deliveries: DeliveriesTable
}

export type Database = Kysely<Schema>
