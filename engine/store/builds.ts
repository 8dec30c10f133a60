import type { Clock } from '../core/clock.ts'
import type { Database } from './schema.ts'

/** A quote with its addresses, and the call that builds it. */
export type Build = { readonly quoteId: string; readonly bindingKey: string; readonly owner: string }

/** Reservations of builds, shared by all processes of one store. Every call may reject with StoreError. */
export interface BuildStore {
  /** True if this owner may build the quote for `leaseMs`; false while another owner holds it. */
  reserve(build: Build, leaseMs: number): Promise<boolean>
  /** Releases the reservation, unless another owner has it now. */
  release(build: Build): Promise<void>
  /** The binding keys under which a quote is being built now. */
  underWay(quoteId: string): Promise<readonly string[]>
}

export const createBuildStore = (database: Database, clock: Clock): BuildStore => ({
  reserve: async ({ quoteId, bindingKey, owner }, leaseMs) => {
    const now = clock.now()
    const until = now + leaseMs
    const row = await database
      .insertInto('builds')
      .values({ quote_id: quoteId, binding_key: bindingKey, owner, until })
      .onConflict((conflict) =>
        conflict
          .columns(['quote_id', 'binding_key'])
          .doUpdateSet({ owner, until })
          // A lease that ends later than any possible one was taken before the clock was set back.
          .where((where) => where.or([where('builds.until', '<=', now), where('builds.until', '>', now + 2 * leaseMs)])),
      )
      .returning('owner')
      .executeTakeFirst()
    return row !== undefined
  },
  release: async ({ quoteId, bindingKey, owner }) => {
    await database
      .deleteFrom('builds')
      .where('quote_id', '=', quoteId)
      .where('binding_key', '=', bindingKey)
      .where('owner', '=', owner)
      .execute()
  },
  underWay: async (quoteId) => {
    const query = database.selectFrom('builds').select('binding_key').where('quote_id', '=', quoteId)
    return (await query.where('until', '>', clock.now()).execute()).map(({ binding_key }) => binding_key)
  },
})
