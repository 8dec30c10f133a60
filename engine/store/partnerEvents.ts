import type { Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { Json } from '../core/json.ts'
import { inOrder } from './inOrder.ts'
import type { Database, PartnerEventsTable } from './schema.ts'

/**
 * What became of the delivery of an event. `none`: nobody was to be told; `due`: not tried yet; `started`: tried, and the end of
 * it is not known (at most once: it is not tried again); `answered`, `failed`: how it ended.
 */
export type DeliveryState = 'none' | 'due' | 'started' | 'answered' | 'failed'

/** `document`: the fields of the body that do not depend on when it is sent. */
export type NewPartnerEvent = {
  readonly partnerId: string
  readonly swapId: number | null
  readonly event: string
  readonly document: { readonly [field: string]: Json }
  readonly delivery: Extract<DeliveryState, 'none' | 'due'>
}

export type PartnerEvent = Omit<NewPartnerEvent, 'delivery'> & {
  /** Its place in the feed: later ones have higher ones. */
  readonly id: number
  readonly delivery: DeliveryState
  readonly attemptedAt: number | null
  /** The HTTP status that was answered; null where none was. */
  readonly answered: number | null
  /** Why there is none, in our words. */
  readonly failure: string | null
  readonly createdAt: number
}

/** What partners are told of their swaps and settings. Every call may reject when the database is in trouble. */
export interface PartnerEventStore {
  add(event: NewPartnerEvent): Promise<number>
  /** Of one partner, oldest first, beyond a place in the feed. */
  ofPartner(partnerId: string, page: { readonly afterId: number; readonly limit: number }): Promise<readonly PartnerEvent[]>
  /** Those whose delivery is due, oldest first. */
  due(limit: number): Promise<readonly PartnerEvent[]>
  /** Takes a due delivery before it is tried. False where another did, or it was tried before. */
  start(id: number): Promise<boolean>
  finish(id: number, how: { readonly answered: number } | { readonly failure: string }): Promise<void>
  /** Deletes what is older, but for what is still due. Answers with how many were. */
  deleteBefore(createdAt: number): Promise<number>
}

const toEvent = (row: Selectable<PartnerEventsTable>): PartnerEvent => ({
  id: row.id,
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

export const createPartnerEventStore = (database: Database, clock: Clock): PartnerEventStore => ({
  add: async ({ partnerId, swapId, event, document, delivery }) => {
    const row = {
      partner_id: partnerId,
      swap_id: swapId,
      event,
      document: JSON.stringify(document),
      delivery,
      created_at: clock.now(),
    }
    const told = { attempted_at: null, answered: null, failure: null }
    const insert = (db: Database) =>
      db
        .insertInto('partner_events')
        .values({ ...row, ...told })
        .returning('id')
        .executeTakeFirstOrThrow()
    return (await inOrder(database, `events of ${partnerId}`, insert)).id
  },
  ofPartner: async (partnerId, { afterId, limit }) => {
    const query = database.selectFrom('partner_events').selectAll().where('partner_id', '=', partnerId).where('id', '>', afterId)
    return (await query.orderBy('id').limit(limit).execute()).map(toEvent)
  },
  due: async (limit) => {
    const query = database.selectFrom('partner_events').selectAll().where('delivery', '=', 'due')
    return (await query.orderBy('id').limit(limit).execute()).map(toEvent)
  },
  start: async (id) => {
    const started = { delivery: 'started', attempted_at: clock.now() }
    const update = database.updateTable('partner_events').set(started).where('id', '=', id).where('delivery', '=', 'due')
    return (await update.executeTakeFirst()).numUpdatedRows > 0n
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
