import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { Clock } from '../core/clock.ts'
import { isTerminal, SWAP_STATES } from '../core/swapStatus.ts'
import type { BroadcastsTable, Database, PaymentsTable, Schema, SwapKeysTable, SwapsTable } from './schema.ts'

/** All rows of a swap, as they are kept. */
export type WholeSwap = {
  readonly swap: Selectable<SwapsTable>
  readonly payments: readonly Selectable<PaymentsTable>[]
  readonly broadcast: Selectable<BroadcastsTable> | null
  readonly keys: readonly Selectable<SwapKeysTable>[]
}

/** A stretch of all swaps by their ids, and those of it that are over. `nextId` null: what follows is younger, or nothing does. */
export type EndedPage = { readonly swaps: readonly WholeSwap[]; readonly nextId: number | null }

/** Swaps that ended long ago. Times are epoch ms. Every call may reject when the database is in trouble. */
export interface ArchiveStore {
  /**
   * Those that nothing becomes of any more: they ended before, or are of the sandbox, were not touched since, are not looked
   * after, and no webhook of theirs is due. Beyond an id; few at a time.
   */
  endedBefore(time: number, afterId: number): Promise<EndedPage>
  /**
   * Gives up all of a swap but its bones, in one transaction, where it still is one of those: what it was paid by and what was
   * booked of it stay, so that nobody else is given either, and what the venue knows it by. Nobody finds it any more. Answers
   * with how many were.
   */
  strip(ids: readonly number[], time: number): Promise<number>
  /** Reservations of builds that ended then, whoever made them being gone. */
  deleteBuilds(time: number): Promise<void>
}

/** So many ids are read in one statement, and so many swaps with all that is theirs. */
const STRETCH = 500
const PAGE = 50

const TERMINAL = SWAP_STATES.filter(isTerminal)

/** What may be archived. */
const isOver = (time: number) => (where: ExpressionBuilder<Schema, 'swaps'>) =>
  where.and([
    where('archived_at', 'is', null),
    where('updated_at', '<', time),
    // Nothing is ever paid to one of the sandbox: it has no end.
    where.or([where('is_sandbox', '=', 1), where.and([where('state', 'in', TERMINAL), where('ended_at', '<', time)])]),
    where.not(
      where.exists(
        where
          .selectFrom('settlement')
          .select('settlement.swap_id')
          .whereRef('settlement.swap_id', '=', 'swaps.id')
          .where('settlement.abandoned_at', 'is', null),
      ),
    ),
    where(
      'id',
      'not in',
      where
        .selectFrom('partner_events')
        .select((event) => event.ref('partner_events.swap_id').$notNull().as('swap_id'))
        .where('partner_events.delivery', '=', 'due')
        .where('partner_events.swap_id', 'is not', null),
    ),
  ])

const withRows = async (database: Database, swaps: readonly Selectable<SwapsTable>[]): Promise<readonly WholeSwap[]> => {
  const ids = swaps.map(({ id }) => id)
  if (ids.length === 0) return []
  const payments = await database.selectFrom('payments').selectAll().where('swap_id', 'in', ids).orderBy('id').execute()
  const broadcasts = await database.selectFrom('broadcasts').selectAll().where('swap_id', 'in', ids).execute()
  const keys = await database.selectFrom('swap_keys').selectAll().where('swap_id', 'in', ids).execute()
  const isOf =
    (id: number) =>
    ({ swap_id }: { readonly swap_id: number }): boolean =>
      swap_id === id
  return swaps.map((swap) => ({
    swap,
    payments: payments.filter(isOf(swap.id)),
    broadcast: broadcasts.find(isOf(swap.id)) ?? null,
    keys: keys.filter(isOf(swap.id)),
  }))
}

const readPage = async (database: Database, time: number, afterId: number): Promise<EndedPage> => {
  const beyond = database.selectFrom('swaps').where('id', '>', afterId)
  const first = await beyond.select(['id', 'created_at']).orderBy('id').limit(1).executeTakeFirst()
  // Ids and times rise together; a swap that is younger than that has not ended before.
  if (first === undefined || first.created_at >= time) return { swaps: [], nextId: null }
  const last = first.id + STRETCH - 1
  const rows = await beyond.selectAll().where('id', '<=', last).where(isOver(time)).orderBy('id').limit(PAGE).execute()
  const nextId = rows.length < PAGE ? last : (rows.at(-1)?.id ?? last)
  return { swaps: await withRows(database, rows), nextId }
}

const stripRows = async (database: Database, ids: readonly number[], time: number, now: number): Promise<number> => {
  const bones = {
    // Of no quote any more.
    quote_id: sql<string>`'archived:' || id`,
    binding_key: '',
    document: '',
    venue_status: null,
    race: null,
    archived_at: now,
  }
  const stripped = await database
    .updateTable('swaps')
    .set(bones)
    .where('id', 'in', ids)
    .where(isOver(time))
    .returning('id')
    .execute()
  const gone = stripped.map(({ id }) => id)
  if (gone.length === 0) return 0
  await database.deleteFrom('settlement').where('swap_id', 'in', gone).execute()
  await database.deleteFrom('broadcasts').where('swap_id', 'in', gone).execute()
  // One that is for ever is nobody else's.
  await database.deleteFrom('swap_keys').where('swap_id', 'in', gone).where('until', '<=', now).execute()
  return gone.length
}

export const createArchiveStore = (database: Database, clock: Clock): ArchiveStore => ({
  endedBefore: (time, afterId) => readPage(database, time, afterId),
  strip: async (ids, time) => {
    if (ids.length === 0) return 0
    if (database.isTransaction) return stripRows(database, ids, time, clock.now())
    return database.transaction().execute((transaction) => stripRows(transaction, ids, time, clock.now()))
  },
  deleteBuilds: async (time) => {
    await database.deleteFrom('builds').where('until', '<', time).execute()
  },
})
