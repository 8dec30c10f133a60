import { type Selectable, sql } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { Json } from '../core/json.ts'
import type { DeliveryState, FeedEvent } from '../core/partnerFeed.ts'
import type { Database, PartnerEventsTable } from './schema.ts'

/** `document`: the fields of the body that do not depend on the sending time. */
export type NewPartnerEvent = {
  readonly partnerId: string
  readonly swapId: number | null
  readonly event: string
  readonly document: { readonly [field: string]: Json }
  readonly delivery: Extract<DeliveryState, 'none' | 'due'>
}

/** Places only grow: no event appears before one that was read already. */
export type PartnerEvent = Omit<NewPartnerEvent, 'delivery'> & FeedEvent & { readonly id: number }

/** Events for partners about swaps and settings. Every call may reject with StoreError. */
export interface PartnerEventStore {
  add(event: NewPartnerEvent): Promise<void>
  /** The events of a partner after a place, oldest first. */
  ofPartner(partnerId: string, page: { readonly afterPlace: number; readonly limit: number }): Promise<readonly PartnerEvent[]>
  /** The times of settings changes since then, oldest first, epoch ms. */
  changesSince(partnerId: string, createdAt: number): Promise<readonly number[]>
  /** Partners with due deliveries, longest waiting first. */
  partnersDue(limit: number): Promise<readonly string[]>
  /** The oldest due delivery of a partner. */
  nextDue(partnerId: string): Promise<PartnerEvent | null>
  /** Marks a due delivery as started and returns the time, epoch ms. Null if it was started before. */
  start(id: number): Promise<number | null>
  /** Marks a delivery as due again that was started but not sent. */
  putBack(id: number): Promise<void>
  finish(id: number, how: { readonly answered: number } | { readonly failure: string }): Promise<void>
  /** Deletes older events, except those with a due delivery. Returns their number. */
  deleteBefore(createdAt: number): Promise<number>
}

export const toEvent = (row: Selectable<PartnerEventsTable>): PartnerEvent => ({
  id: row.id,
  place: row.place,
  partnerId: row.partner_id,
  swapId: row.swap_id,
  event: row.event,
  document: JSON.parse(row.document) as NewPartnerEvent['document'],
  delivery: row.delivery as DeliveryState,
  attemptedAt: row.attempted_at,
  answered: row.answered,
  failure: row.failure,
  createdAt: row.created_at,
})

/**
 * The next place of a feed, taken under a lock that lasts until the end of the transaction. With a database sequence, a higher
 * number could become visible first, and a reader would skip the lower one.
 */
const takePlace = async (database: Database, partnerId: string): Promise<number> => {
  const { last_place } = await database
    .insertInto('partner_feeds')
    .values({ partner_id: partnerId, last_place: 1 })
    .onConflict((conflict) => conflict.column('partner_id').doUpdateSet({ last_place: sql`partner_feeds.last_place + 1` }))
    .returning('last_place')
    .executeTakeFirstOrThrow()
  return last_place
}

const addEvent = async (database: Database, clock: Clock, event: NewPartnerEvent): Promise<void> => {
  const row = {
    partner_id: event.partnerId,
    place: await takePlace(database, event.partnerId),
    swap_id: event.swapId,
    event: event.event,
    document: JSON.stringify(event.document),
    delivery: event.delivery,
    attempted_at: null,
    answered: null,
    failure: null,
    created_at: clock.now(),
  }
  await database.insertInto('partner_events').values(row).execute()
}

export const createPartnerEventStore = (database: Database, clock: Clock): PartnerEventStore => ({
  add: (event) =>
    database.isTransaction
      ? addEvent(database, clock, event)
      : database.transaction().execute((transaction) => addEvent(transaction, clock, event)),
  ofPartner: async (partnerId, { afterPlace, limit }) => {
    const feed = database.selectFrom('partner_events').selectAll().where('partner_id', '=', partnerId)
    return (await feed.where('place', '>', afterPlace).orderBy('place').limit(limit).execute()).map(toEvent)
  },
  changesSince: async (partnerId, createdAt) => {
    // Only events of settings have no swap.
    const changes = database.selectFrom('partner_events').select('created_at').where('partner_id', '=', partnerId)
    const rows = await changes.where('swap_id', 'is', null).where('created_at', '>', createdAt).orderBy('created_at').execute()
    return rows.map((row) => row.created_at)
  },
  partnersDue: async (limit) => {
    const due = database.selectFrom('partner_events').select('partner_id').where('delivery', '=', 'due').groupBy('partner_id')
    const rows = await due
      .orderBy(({ fn }) => fn.min('id'))
      .limit(limit)
      .execute()
    return rows.map(({ partner_id }) => partner_id)
  },
  nextDue: async (partnerId) => {
    const due = database.selectFrom('partner_events').selectAll().where('delivery', '=', 'due')
    const row = await due.where('partner_id', '=', partnerId).orderBy('place').limit(1).executeTakeFirst()
    return row ? toEvent(row) : null
  },
  start: async (id) => {
    const now = clock.now()
    const started = { delivery: 'started', attempted_at: now }
    const update = database.updateTable('partner_events').set(started).where('id', '=', id).where('delivery', '=', 'due')
    return (await update.executeTakeFirst()).numUpdatedRows > 0n ? now : null
  },
  putBack: async (id) => {
    const update = database.updateTable('partner_events').set({ delivery: 'due', attempted_at: null })
    await update.where('id', '=', id).where('delivery', '=', 'started').execute()
  },
  finish: async (id, how) => {
    const told =
      'answered' in how ? { delivery: 'answered', answered: how.answered } : { delivery: 'failed', failure: how.failure }
    await database.updateTable('partner_events').set(told).where('id', '=', id).where('delivery', '=', 'started').execute()
  },
  deleteBefore: async (createdAt) => {
    const old = database.deleteFrom('partner_events').where('created_at', '<', createdAt).where('delivery', '!=', 'due')
    return Number((await old.executeTakeFirst()).numDeletedRows)
  },
})
