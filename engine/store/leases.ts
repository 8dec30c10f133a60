import { CLOCKS_APART_MS_MAX } from '../chains/endpoints/chainClock.ts'
import type { Clock } from '../core/clock.ts'
import type { Database } from './schema.ts'

/** Leases: only one of several processes does the work. Every call may reject with StoreError. */
export interface LeaseStore {
  /**
   * Takes a lease or prolongs the holder's own. False while another holder has it. A lease that ends later than any possible one
   * was taken before the clock was set back, and counts as free. The clocks of two holders may be six minutes apart.
   */
  take(name: string, holder: string, leaseMs: number): Promise<boolean>
  /** True if the holder has the lease, or had it last and it expired. */
  isHeldBy(name: string, holder: string): Promise<boolean>
  /** Releases the lease early. */
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
              where('leases.until', '>', now + leaseMs + CLOCKS_APART_MS_MAX),
            ]),
          ),
      )
      .returning('name')
      .executeTakeFirst()
    return taken !== undefined
  },
  isHeldBy: async (name, holder) => {
    const lease = database.selectFrom('leases').select('name').where('name', '=', name).where('holder', '=', holder)
    return (await lease.executeTakeFirst()) !== undefined
  },
  release: async (name, holder) => {
    await database.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
  },
})
