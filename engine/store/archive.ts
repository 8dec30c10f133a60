import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { Clock } from '../core/clock.ts'
import { isTerminal, SWAP_STATES } from '../core/swapStatus.ts'
import type { BroadcastsTable, Database, PaymentsTable, Schema, SwapKeysTable, SwapsTable } from './schema.ts'

/** All rows of one swap. */
export type WholeSwap = {
  readonly swap: Selectable<SwapsTable>
  readonly payments: readonly Selectable<PaymentsTable>[]
  readonly broadcast: Selectable<BroadcastsTable> | null
  readonly keys: readonly Selectable<SwapKeysTable>[]
}

/** The ended swaps of one range of ids. `nextId` is where to continue; null at the end. */
export type EndedPage = { readonly swaps: readonly WholeSwap[]; readonly nextId: number | null }

/** Archiving of swaps that ended long ago. Times are epoch ms. Every call may reject with StoreError. */
export interface ArchiveStore {
  /**
   * Swaps after an id that ended before `time` or are sandboxed, and have neither settlement nor a webhook pending. Pages are
   * small.
   */
  endedBefore(time: number, afterId: number): Promise<EndedPage>
  /**
   * Deletes everything of these swaps in one transaction, except payments, ledger entries and permanent keys: no other swap may
   * claim them. Skips swaps that no longer qualify. Returns the number of swaps.
   */
  strip(ids: readonly number[], time: number): Promise<number>
  /** Deletes reservations of builds that expired before `time`. */
  deleteBuilds(time: number): Promise<void>
}

/** The number of ids, and of whole swaps, that one statement reads. */
const STRETCH = 500
const PAGE = 50

const TERMINAL = SWAP_STATES.filter(isTerminal)

const isOver = (time: number) => (where: ExpressionBuilder<Schema, 'swaps'>) =>
  where.and([
    where('archived_at', 'is', null),
    where('updated_at', '<', time),
    // A sandboxed swap is never paid, so it never ends.
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
  // Ids and times rise together: a swap younger than `time` cannot have ended before it.
  if (first === undefined || first.created_at >= time) return { swaps: [], nextId: null }
  const last = first.id + STRETCH - 1
  const rows = await beyond.selectAll().where('id', '<=', last).where(isOver(time)).orderBy('id').limit(PAGE).execute()
  const nextId = rows.length < PAGE ? last : (rows.at(-1)?.id ?? last)
  return { swaps: await withRows(database, rows), nextId }
}

const stripRows = async (database: Database, ids: readonly number[], time: number, now: number): Promise<number> => {
  const bones = {
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
  // Permanent keys stay: no other swap may use them.
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
