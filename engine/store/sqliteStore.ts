import type { Clock } from '../core/clock.ts'
import { createApiKeyStore } from './apiKeys.ts'
import { createBroadcastStore } from './broadcasts.ts'
import { createBuildStore } from './builds.ts'
import { openDatabase } from './database.ts'
import { createLeaseStore } from './leases.ts'
import { createLedgerStore } from './ledger.ts'
import { createOperatorReads } from './operatorReads.ts'
import { createPaidCallStore } from './paidCalls.ts'
import { createPartnerEventStore } from './partnerEvents.ts'
import { createPartnerStore } from './partners.ts'
import { createPaymentStore } from './payments.ts'
import type { Database } from './schema.ts'
import { createSettlementQueue } from './settlementQueue.ts'
import type { Store, StoreParts } from './store.ts'
import { createSwapKeyStore } from './swapKeys.ts'
import { createSwapStore } from './swaps.ts'
import { createWebhookStore } from './webhooks.ts'

/** All parts over a database, or over one transaction in it. */
export const partsOf = (database: Database, clock: Clock): StoreParts => ({
  swaps: createSwapStore(database, clock),
  builds: createBuildStore(database, clock),
  swapKeys: createSwapKeyStore(database, clock),
  broadcasts: createBroadcastStore(database, clock),
  payments: createPaymentStore(database, clock),
  partners: createPartnerStore(database, clock),
  apiKeys: createApiKeyStore(database, clock),
  webhooks: createWebhookStore(database, clock),
  partnerEvents: createPartnerEventStore(database, clock),
  ledger: createLedgerStore(database, clock),
  settlement: createSettlementQueue(database, clock),
  leases: createLeaseStore(database, clock),
  paidCalls: createPaidCallStore(database, clock),
  operator: createOperatorReads(database),
})

/** The records in an open database, which is closed with them. */
export const storeOf = (database: Database, clock: Clock): Store => ({
  ...partsOf(database, clock),
  transaction: (work) => database.transaction().execute((transaction) => work(partsOf(transaction, clock))),
  probe: async () => {
    await database.selectFrom('swaps').select('id').limit(1).execute()
  },
  close: () => database.destroy(),
})

/** The records in a SQLite file, made with its folder when missing; `:memory:` for none. Throws when it cannot be used. */
export const openSqliteStore = async (file: string, clock: Clock): Promise<Store> => storeOf(await openDatabase(file), clock)
