import type { Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { Database, SettlementTable } from './schema.ts'

/** An open swap that is looked after. Times are epoch ms. */
export type QueuedSwap = {
  readonly swapId: number
  readonly venue: string
  /** Paid, or signed: money may be under way. */
  readonly isPaid: boolean
  /** When it is to be looked at next. */
  readonly dueAt: number
  /** How often it was looked at since it last changed. */
  readonly looks: number
  /** Since when it is looked after, the last time it was abandoned left out. */
  readonly since: number
  /** When something last became of it. */
  readonly changedAt: number
}

/** Those of one venue, paid or not, whose time had come by `dueBy`; behind the one that was had last. */
export type DuePage = {
  readonly venue: string
  readonly isPaid: boolean
  readonly dueBy: number
  readonly after: Pick<QueuedSwap, 'dueAt' | 'swapId'> | null
  readonly limit: number
}

/** How many of a venue are looked after, and since when the oldest is. */
export type QueueLength = { readonly venue: string; readonly open: number; readonly oldestSince: number }

/** The open swaps that are followed without being asked for. Every call may reject when the database is in trouble. */
export interface SettlementQueue {
  /** Puts a swap in, or back in after it was abandoned; one that is there stays as it is. */
  add(swap: Pick<QueuedSwap, 'swapId' | 'isPaid' | 'dueAt'>): Promise<void>
  /** Something became of it: it is put in, or back in, and looked at as soon as may be. */
  hasten(swap: Pick<QueuedSwap, 'swapId' | 'isPaid'>): Promise<void>
  /** Puts it back in where it was abandoned. */
  revive(swapId: number): Promise<void>
  /** Null for what is not, or no more, looked after. */
  find(swapId: number): Promise<QueuedSwap | null>
  /** By time. */
  due(page: DuePage): Promise<readonly QueuedSwap[]>
  /** Of all venues that have any. */
  lengths(): Promise<readonly QueueLength[]>
  /** After a look: when the next one is due. Left as it is where something became of it since it was read. */
  reschedule(read: QueuedSwap, dueAt: number): Promise<void>
  /**
   * What is due later than ever is said was put off by a clock that has since been set back, and what was abandoned then, by such a
   * one too: it is due now.
   */
  bringForward(latest: number): Promise<void>
  /** Records the end of a pass, by the wall clock. */
  recordPass(): Promise<void>
  /** Marks that it is looked at no more, and that its unseen transaction raises no alert; no state of the swap. */
  abandon(swapId: number): Promise<void>
  /** The same for all that are looked after since then or longer, and were not due by then; how many those were. */
  abandonSince(since: number, dueBy: number): Promise<number>
  /** It has ended, and nothing can change that. */
  remove(swapId: number): Promise<void>
}

/** The fact of the last pass that ended, epoch ms. */
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
      // Nearly always there is none, and nothing is written.
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
    bringForward: async (latest) => {
      const now = clock.now()
      await rows().set({ due_at: now }).where('abandoned_at', 'is', null).where('due_at', '>', latest).execute()
      const { is_paid: _, ...fresh } = freshRow(false, now, now)
      await rows().set(fresh).where('abandoned_at', '>', latest).execute()
    },
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
