import type { Clock } from '../core/clock.ts'
import type { Database } from './schema.ts'

/** An open swap that is looked after. */
export type QueuedSwap = {
  readonly swapId: number
  /** Paid, or signed: money may be under way. */
  readonly isPaid: boolean
  /** When it is to be looked at next, epoch ms. */
  readonly dueAt: number
  /** How often it was looked at. */
  readonly looks: number
}

/** The open swaps that are followed without being asked for. Every call may reject when the database is in trouble. */
export interface SettlementQueue {
  /** Puts a swap in, or back in after it was abandoned; one that is there stays as it is. */
  add(swap: Pick<QueuedSwap, 'swapId' | 'isPaid' | 'dueAt'>): Promise<void>
  /** Those whose time has come: the paid ones first, then by time. */
  due(limit: number): Promise<readonly QueuedSwap[]>
  /** After a look: when the next one is due. */
  reschedule(swap: QueuedSwap): Promise<void>
  /** A mark that it is looked at no more; no state of the swap. */
  abandon(swapId: number): Promise<void>
  /** It has ended, and nothing can change that. */
  remove(swapId: number): Promise<void>
}

export const createSettlementQueue = (database: Database, clock: Clock): SettlementQueue => ({
  add: async ({ swapId, isPaid, dueAt }) => {
    const row = { swap_id: swapId, is_paid: isPaid ? 1 : 0, due_at: dueAt, looks: 0, abandoned_at: null, created_at: clock.now() }
    await database
      .insertInto('settlement')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('swap_id')
          .doUpdateSet({ abandoned_at: null, due_at: dueAt })
          .where('settlement.abandoned_at', 'is not', null),
      )
      .execute()
  },
  due: async (limit) => {
    const open = database
      .selectFrom('settlement')
      .selectAll()
      .where('abandoned_at', 'is', null)
      .where('due_at', '<=', clock.now())
    const rows = await open.orderBy('is_paid', 'desc').orderBy('due_at').orderBy('swap_id').limit(limit).execute()
    return rows.map((row) => ({ swapId: row.swap_id, isPaid: row.is_paid === 1, dueAt: row.due_at, looks: row.looks }))
  },
  reschedule: async ({ swapId, isPaid, dueAt, looks }) => {
    const next = { is_paid: isPaid ? 1 : 0, due_at: dueAt, looks }
    await database.updateTable('settlement').set(next).where('swap_id', '=', swapId).execute()
  },
  abandon: async (swapId) => {
    await database.updateTable('settlement').set({ abandoned_at: clock.now() }).where('swap_id', '=', swapId).execute()
  },
  remove: async (swapId) => {
    await database.deleteFrom('settlement').where('swap_id', '=', swapId).execute()
  },
})
