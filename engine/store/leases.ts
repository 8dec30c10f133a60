import type { Clock } from '../core/clock.ts'
import type { Database } from './schema.ts'

/** Who of several processes does what only one may do. Every call may reject when the database is in trouble. */
export interface LeaseStore {
  /**
   * Takes a lease, or prolongs one's own; false while another holder's lasts. One that lasts longer than any does was taken by a
   * clock that has since been set back.
   */
  take(name: string, holder: string, leaseMs: number): Promise<boolean>
  /** Gives it back before its time. */
  release(name: string, holder: string): Promise<void>
}

export const createLeaseStore = (database: Database, clock: Clock): LeaseStore => ({
  take: async (name, holder, leaseMs) => {
    const now = clock.now()
    const lease = { holder, until: now + leaseMs }
    const taken = await database
      .insertInto('leases')
      .values({ name, ...lease })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(lease)
          .where((where) =>
            where.or([
              where('leases.holder', '=', holder),
              where('leases.until', '<=', now),
              where('leases.until', '>', now + 2 * leaseMs),
            ]),
          ),
      )
      .returning('name')
      .executeTakeFirst()
    return taken !== undefined
  },
  release: async (name, holder) => {
    await database.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
  },
})
