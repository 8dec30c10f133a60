import type { Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { Json } from '../core/json.ts'
import type { PartnerKind, PayoutEcosystem } from '../core/partner.ts'
import type { Database, PartnersTable } from './schema.ts'

export type Partner = {
  readonly id: string
  readonly kind: PartnerKind
  /** Basis points; null: never set, so that the operator's schedule applies. */
  readonly feeBps: number | null
  /** Null: that of the kind. */
  readonly requestsPerMinute: number | null
  readonly createdAt: number
}

/** How to reach a partner. Stands in no log, and may be erased. */
export type Contacts = { readonly [field: string]: Json }

/** One that was ever set. Which one counts: see payoutStanding. */
export type PayoutAddress = {
  readonly ecosystem: PayoutEcosystem
  readonly address: string
  /** Epoch ms. */
  readonly countsFrom: number
  readonly createdAt: number
}

/** Who brings swaps. Every call may reject when the database is in trouble. */
export interface PartnerStore {
  add(partner: Omit<Partner, 'createdAt'>, contacts: Contacts | null): Promise<Partner>
  byId(id: string): Promise<Partner | null>
  /** The same, in a transaction, until whose end nobody else holds him. */
  hold(id: string): Promise<Partner | null>
  /** Oldest first. */
  list(): Promise<readonly Partner[]>
  setFee(id: string, feeBps: number | null): Promise<void>
  setRequestsPerMinute(id: string, requestsPerMinute: number | null): Promise<void>
  contactsOf(id: string): Promise<Contacts | null>
  eraseContacts(id: string): Promise<void>
  /** In the order they were set. */
  payoutAddressesOf(id: string): Promise<readonly PayoutAddress[]>
  addPayoutAddress(id: string, address: Omit<PayoutAddress, 'createdAt'>): Promise<void>
}

export const toPartner = (row: Selectable<PartnersTable>): Partner => ({
  id: row.id,
  kind: row.kind as PartnerKind,
  feeBps: row.fee_bps,
  requestsPerMinute: row.requests_per_minute,
  createdAt: row.created_at,
})

export const createPartnerStore = (database: Database, clock: Clock): PartnerStore => {
  const byId: PartnerStore['byId'] = async (id) => {
    const row = await database.selectFrom('partners').selectAll().where('id', '=', id).executeTakeFirst()
    return row ? toPartner(row) : null
  }

  return {
    add: async ({ id, kind, feeBps, requestsPerMinute }, contacts) => {
      const createdAt = clock.now()
      const row = { id, kind, fee_bps: feeBps, requests_per_minute: requestsPerMinute, created_at: createdAt }
      await database.insertInto('partners').values(row).execute()
      if (contacts) {
        const document = JSON.stringify(contacts)
        await database.insertInto('partner_contacts').values({ partner_id: id, document, created_at: createdAt }).execute()
      }
      return { id, kind, feeBps, requestsPerMinute, createdAt }
    },
    byId,
    hold: async (id) => {
      const row = await database.updateTable('partners').set({ id }).where('id', '=', id).returningAll().executeTakeFirst()
      return row ? toPartner(row) : null
    },
    list: async () =>
      (await database.selectFrom('partners').selectAll().orderBy('created_at').orderBy('id').execute()).map(toPartner),
    setFee: async (id, feeBps) => {
      await database.updateTable('partners').set({ fee_bps: feeBps }).where('id', '=', id).execute()
    },
    setRequestsPerMinute: async (id, requestsPerMinute) => {
      await database.updateTable('partners').set({ requests_per_minute: requestsPerMinute }).where('id', '=', id).execute()
    },
    contactsOf: async (id) => {
      const row = await database.selectFrom('partner_contacts').select('document').where('partner_id', '=', id).executeTakeFirst()
      return row ? (JSON.parse(row.document) as Contacts) : null
    },
    eraseContacts: async (id) => {
      await database.deleteFrom('partner_contacts').where('partner_id', '=', id).execute()
    },
    payoutAddressesOf: async (id) => {
      const rows = await database.selectFrom('payout_addresses').selectAll().where('partner_id', '=', id).orderBy('id').execute()
      return rows.map(({ ecosystem, address, counts_from: countsFrom, created_at: createdAt }) => ({
        ecosystem: ecosystem as PayoutEcosystem,
        address,
        countsFrom,
        createdAt,
      }))
    },
    addPayoutAddress: async (id, { ecosystem, address, countsFrom }) => {
      const row = { partner_id: id, ecosystem, address, counts_from: countsFrom, created_at: clock.now() }
      await database.insertInto('payout_addresses').values(row).execute()
    },
  }
}
