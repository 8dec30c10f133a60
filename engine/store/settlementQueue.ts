import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { Database, Schema, SettlementTable } from './schema.ts'

/** An open swap that settlement follows. Times are epoch ms. */
export type QueuedSwap = {
  readonly swapId: number
  readonly venue: string
  /** Paid or signed: money may be in transit. */
  readonly isPaid: boolean
  /** When settlement reads it next. */
  readonly dueAt: number
  /** How often it was read since its last change. */
  readonly looks: number
  /** Since when settlement follows it, not counting the time before it was last abandoned. */
  readonly since: number
  /** When it last changed. */
  readonly changedAt: number
}

/** The swaps of one venue, paid or not, that are due by `dueBy`, after the last one of the previous page. */
export type DuePage = {
  readonly venue: string
  readonly isPaid: boolean
  readonly dueBy: number
  readonly after: Pick<QueuedSwap, 'dueAt' | 'swapId'> | null
  readonly limit: number
}

/** The number of followed swaps of a venue, and the age of the oldest. */
export type QueueLength = { readonly venue: string; readonly open: number; readonly oldestSince: number }

/** The queue of open swaps that settlement follows. Every call may reject with StoreError. */
export interface SettlementQueue {
  /** Adds a swap, or adds it again after it was abandoned. An existing entry stays unchanged. */
  add(swap: Pick<QueuedSwap, 'swapId' | 'isPaid' | 'dueAt'>): Promise<void>
  /** After a change: adds the swap, or makes it due as soon as possible. */
  hasten(swap: Pick<QueuedSwap, 'swapId' | 'isPaid'>): Promise<void>
  /** Adds an abandoned swap again. */
  revive(swapId: number): Promise<void>
  /** Null if settlement does not follow the swap. */
  find(swapId: number): Promise<QueuedSwap | null>
  /** Ordered by due time. */
  due(page: DuePage): Promise<readonly QueuedSwap[]>
  /** One entry per venue with followed swaps. */
  lengths(): Promise<readonly QueueLength[]>
  /** Sets the next due time, unless the swap changed after it was read. */
  reschedule(read: QueuedSwap, dueAt: number): Promise<void>
  /**
   * Repairs due times after the clock was set back. Makes swaps due now that are due, or were abandoned, after `latest`. Also
   * those never read and not yet due, and those changed after `recent.since` and due after `recent.latest`.
   */
  bringForward(latest: number, recent: { readonly since: number; readonly latest: number }): Promise<void>
  /** Records the end of a pass, by the wall clock. */
  recordPass(): Promise<void>
  /** Stops following the swap, and the alert on its missing transaction. The state of the swap is unchanged. */
  abandon(swapId: number): Promise<void>
  /** Abandons all swaps that were followed since `since` or longer and not due by `dueBy`. Returns their number. */
  abandonSince(since: number, dueBy: number): Promise<number>
  /** Removes a swap whose end is final. */
  remove(swapId: number): Promise<void>
}

/** No right clock of another instance is ahead by more. */
const FUTURE_MS = 360_000

/** The name of the fact "end of the last pass", epoch ms. */
export const PASSED = 'passedAt'

const toQueued = (row: Selectable<SettlementTable>): QueuedSwap => ({
  swapId: row.swap_id,
  venue: row.venue,
  isPaid: row.is_paid === 1,
  dueAt: row.due_at,
  looks: row.looks,
  since: row.since,
  changedAt: row.changed_at,
})

const openRows = (database: Database) => database.selectFrom('settlement').selectAll().where('abandoned_at', 'is', null)

const readDue = async (database: Database, { venue, isPaid, dueBy, after, limit }: DuePage): Promise<readonly QueuedSwap[]> => {
  const all = openRows(database)
    .where('venue', '=', venue)
    .where('is_paid', '=', isPaid ? 1 : 0)
    .where('due_at', '<=', dueBy)
  const rest =
    after === null
      ? all
      : all
          .where('due_at', '>=', after.dueAt)
          .where((where) => where.or([where('due_at', '>', after.dueAt), where('swap_id', '>', after.swapId)]))
  return (await rest.orderBy('due_at').orderBy('swap_id').limit(limit).execute()).map(toQueued)
}

const readLengths = async (database: Database): Promise<readonly QueueLength[]> => {
  const rows = await database
    .selectFrom('settlement')
    .select(['venue', (of) => of.fn.countAll().as('open'), (of) => of.fn.min('since').as('oldest_since')])
    .where('abandoned_at', 'is', null)
    .groupBy('venue')
    .orderBy('venue')
    .execute()
  return rows.map((row) => ({ venue: row.venue, open: Number(row.open), oldestSince: Number(row.oldest_since) }))
}

const freshRow = (isPaid: boolean, dueAt: number, now: number) => ({
  is_paid: isPaid ? 1 : 0,
  due_at: dueAt,
  looks: 0,
  since: now,
  changed_at: now,
  abandoned_at: null,
})

const bringForward = async (
  database: Database,
  now: number,
  ...[latest, recent]: Parameters<SettlementQueue['bringForward']>
): Promise<void> => {
  const open = database.updateTable('settlement').where('abandoned_at', 'is', null)
  const isLate = (where: ExpressionBuilder<Schema, 'settlement'>) => {
    const unread = where.and([where('looks', '=', 0), where('due_at', '>', now)])
    const young = where.and([where('changed_at', '>', recent.since), where('due_at', '>', recent.latest)])
    return where.or([where('due_at', '>', latest), unread, young])
  }
  await open.set({ due_at: now }).where(isLate).execute()
  // By a future time of change a swap would be read too often, and followed too long.
  await open
    .set({ changed_at: now, since: now })
    .where('changed_at', '>', now + FUTURE_MS)
    .execute()
  const { is_paid: _, ...fresh } = freshRow(false, now, now)
  await database.updateTable('settlement').set(fresh).where('abandoned_at', '>', latest).execute()
}

export const createSettlementQueue = (database: Database, clock: Clock): SettlementQueue => {
  const rows = () => database.updateTable('settlement')

  const insert = (swapId: number, fresh: ReturnType<typeof freshRow>) =>
    database.insertInto('settlement').values((expression) => ({
      swap_id: swapId,
      venue: expression.selectFrom('swaps').select('swaps.venue').where('swaps.id', '=', swapId),
      ...fresh,
    }))

  return {
    add: async ({ swapId, isPaid, dueAt }) => {
      const fresh = freshRow(isPaid, dueAt, clock.now())
      await insert(swapId, fresh)
        .onConflict((conflict) => conflict.column('swap_id').doUpdateSet(fresh).where('settlement.abandoned_at', 'is not', null))
        .execute()
    },
    hasten: async ({ swapId, isPaid }) => {
      const now = clock.now()
      const { since, ...fresh } = freshRow(isPaid, now, now)
      await insert(swapId, { since, ...fresh })
        .onConflict((conflict) =>
          conflict.column('swap_id').doUpdateSet((row) => ({
            ...fresh,
            since: row.case().when('settlement.abandoned_at', 'is', null).then(row.ref('settlement.since')).else(now).end(),
          })),
        )
        .execute()
    },
    revive: async (swapId) => {
      const left = database.selectFrom('settlement').select('is_paid').where('swap_id', '=', swapId)
      const row = await left.where('abandoned_at', 'is not', null).executeTakeFirst()
      // Usually there is no row and nothing to write.
      if (row === undefined) return
      const now = clock.now()
      const again = rows().set(freshRow(row.is_paid === 1, now, now))
      await again.where('swap_id', '=', swapId).where('abandoned_at', 'is not', null).execute()
    },
    find: async (swapId) => {
      const row = await openRows(database).where('swap_id', '=', swapId).executeTakeFirst()
      return row ? toQueued(row) : null
    },
    due: (page) => readDue(database, page),
    lengths: () => readLengths(database),
    reschedule: async ({ swapId, dueAt: read, changedAt, looks }, dueAt) => {
      const update = rows().set({ due_at: dueAt, looks: looks + 1 })
      await update.where('swap_id', '=', swapId).where('due_at', '=', read).where('changed_at', '=', changedAt).execute()
    },
    bringForward: (...limits) => bringForward(database, clock.now(), ...limits),
    recordPass: async () => {
      const fact = { name: PASSED, value: String(Date.now()) }
      const put = database.insertInto('store_facts').values(fact)
      await put.onConflict((conflict) => conflict.column('name').doUpdateSet({ value: fact.value })).execute()
    },
    abandon: async (swapId) => {
      await database.updateTable('swaps').set({ named_at: null }).where('id', '=', swapId).execute()
      await rows().set({ abandoned_at: clock.now() }).where('swap_id', '=', swapId).execute()
    },
    abandonSince: async (since, dueBy) => {
      const open = rows().set({ abandoned_at: clock.now() }).where('abandoned_at', 'is', null)
      const old = open.where('since', '<=', since).where('due_at', '>', dueBy)
      return Number((await old.executeTakeFirst()).numUpdatedRows)
    },
    remove: async (swapId) => {
      await database.deleteFrom('settlement').where('swap_id', '=', swapId).execute()
    },
  }
}
