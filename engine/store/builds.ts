import type { Clock } from '../core/clock.ts'
import type { Database } from './schema.ts'

/** A quote and its addresses, and the one call that builds it. */
export type Build = { readonly quoteId: string; readonly bindingKey: string; readonly owner: string }

/** Who builds what, among all processes over one store. Every call may reject when the disk is in trouble. */
export interface BuildStore {
  /** True when the quote and its addresses are this owner's to build, for so long; false while they are another's. */
  reserve(build: Build, leaseMs: number): Promise<boolean>
  /** Gives the reservation up, unless it is another's by now. */
  release(build: Build): Promise<void>
  /** Under which keys a quote is being built now, by whomever. */
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
          // A lease that ends later than any can was taken before the clock was set back.
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
