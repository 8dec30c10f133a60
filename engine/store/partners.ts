import type { Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { Json } from '../core/json.ts'
import type { PartnerKind, PayoutEcosystem } from '../core/partner.ts'
import type { Database, PartnersTable, PayoutAddressesTable } from './schema.ts'

export type Partner = {
  readonly id: string
  readonly kind: PartnerKind
  /** Basis points; null if never set, so that the operator's schedule applies. */
  readonly feeBps: number | null
  /** Null: the limit of the kind. */
  readonly requestsPerMinute: number | null
  readonly createdAt: number
}

/** Contact details of a partner. Never logged; may be erased. */
export type Contacts = { readonly [field: string]: Json }

/** An address that was ever set. `payoutStanding` decides which one counts. */
export type PayoutAddress = {
  readonly id: number
  readonly ecosystem: PayoutEcosystem
  readonly address: string
  /** Epoch ms. */
  readonly countsFrom: number
  /** When another address replaced it, whether or not it counted; null: see payoutStanding. */
  readonly replacedAt: number | null
  readonly createdAt: number
}

export type NewPayoutAddress = Pick<PayoutAddress, 'ecosystem' | 'address' | 'countsFrom'>

export type PartnerPage = { readonly afterId: string | null; readonly limit: number }

/** Partners and their settings. Every call may reject with StoreError. */
export interface PartnerStore {
  add(partner: Omit<Partner, 'createdAt'>, contacts: Contacts | null): Promise<Partner>
  byId(id: string): Promise<Partner | null>
  /** The same with a lock on the partner until the transaction ends. */
  hold(id: string): Promise<Partner | null>
  /** Partners after one, oldest first, of one kind or of all (null). */
  list(page: PartnerPage, kind: PartnerKind | null): Promise<readonly Partner[]>
  setFee(id: string, feeBps: number | null): Promise<void>
  setRequestsPerMinute(id: string, requestsPerMinute: number | null): Promise<void>
  contactsOf(id: string): Promise<Contacts | null>
  eraseContacts(id: string): Promise<void>
  /** All addresses that the partner ever set, in that order. */
  payoutAddressesOf(id: string): Promise<readonly PayoutAddress[]>
  /** The addresses that were not replaced. */
  standingAddressesOf(id: string): Promise<readonly PayoutAddress[]>
  addPayoutAddress(id: string, address: NewPayoutAddress, replaced?: readonly PayoutAddress[]): Promise<void>
}

export const toPartner = (row: Selectable<PartnersTable>): Partner => ({
  id: row.id,
  kind: row.kind as PartnerKind,
  feeBps: row.fee_bps,
  requestsPerMinute: row.requests_per_minute,
  createdAt: row.created_at,
})

const toPayoutAddress = (row: Selectable<PayoutAddressesTable>): PayoutAddress => ({
  id: row.id,
  ecosystem: row.ecosystem as PayoutEcosystem,
  address: row.address,
  countsFrom: row.counts_from,
  replacedAt: row.replaced_at,
  createdAt: row.created_at,
})

export const partnersBeyond = (database: Database, { afterId, limit }: PartnerPage) => {
  const all = database.selectFrom('partners').orderBy('partners.created_at').orderBy('partners.id').limit(limit)
  if (afterId === null) return all
  return all.where(({ eb, refTuple, selectFrom }) =>
    eb(
      refTuple('partners.created_at', 'partners.id'),
      '>',
      selectFrom('partners as last')
        .select(['last.created_at', 'last.id'])
        .where('last.id', '=', afterId)
        .$asTuple('created_at', 'id'),
    ),
  )
}

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
    list: async (page, kind) => {
      const query = partnersBeyond(database, page).selectAll('partners')
      return (await (kind === null ? query : query.where('kind', '=', kind)).execute()).map(toPartner)
    },
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
      const query = database.selectFrom('payout_addresses').selectAll().where('partner_id', '=', id)
      return (await query.orderBy('id').execute()).map(toPayoutAddress)
    },
    standingAddressesOf: async (id) => {
      const query = database.selectFrom('payout_addresses').selectAll().where('partner_id', '=', id)
      return (await query.where('replaced_at', 'is', null).orderBy('id').execute()).map(toPayoutAddress)
    },
    addPayoutAddress: async (id, { ecosystem, address, countsFrom }, replaced = []) => {
      const now = clock.now()
      for (const { id: addressId } of replaced)
        await database.updateTable('payout_addresses').set({ replaced_at: now }).where('id', '=', addressId).execute()
      const row = { partner_id: id, ecosystem, address, counts_from: countsFrom, replaced_at: null, created_at: now }
      await database.insertInto('payout_addresses').values(row).execute()
    },
  }
}
