import type { Clock } from '../core/clock.ts'
import { createBroadcastStore } from './broadcasts.ts'
import { createPayoutClaimStore } from './payoutClaims.ts'
import type { Database } from './schema.ts'
import type { Store, StoreParts } from './store.ts'
import { createSwapStore } from './swaps.ts'

const partsOf = (database: Database, clock: Clock): StoreParts => ({
  swaps: createSwapStore(database, clock),
  broadcasts: createBroadcastStore(database, clock),
  payoutClaims: createPayoutClaimStore(database, clock),
})

/** The records in a SQLite file. The database is closed with the store. */
export const createSqliteStore = (database: Database, clock: Clock): Store => ({
  ...partsOf(database, clock),
  transaction: (work) => database.transaction().execute((transaction) => work(partsOf(transaction, clock))),
  probe: async () => {
    await database.selectFrom('swaps').select('id').limit(1).execute()
  },
  close: () => database.destroy(),
})
