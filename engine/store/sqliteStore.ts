import type { Clock } from '../core/clock.ts'
import type { Observe } from '../observe/observe.ts'
import { createApiKeyStore } from './apiKeys.ts'
import { createArchiveStore } from './archive.ts'
import { createBroadcastStore } from './broadcasts.ts'
import { createBuildStore } from './builds.ts'
import { keepLogShort } from './checkpoints.ts'
import { watchDamage } from './damage.ts'
import { openFile, type StoreFile } from './database.ts'
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
import { keepMark, requireMarked } from './storeMark.ts'
import { createSwapKeyStore } from './swapKeys.ts'
import { createSwapStore } from './swaps.ts'
import { createTokenStore } from './tokens.ts'
import { createWebhookStore } from './webhooks.ts'

/** All parts over a database, or over one transaction. */
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
  archive: createArchiveStore(database, clock),
  tokens: createTokenStore(database),
  operator: createOperatorReads(database),
})

/** A lease that is taken only to prove that the store can write. */
const PROBE = 'probe'

/** The records in an open database. Closing the store closes the database. */
export const storeOf = (database: Database, clock: Clock): Store => ({
  ...partsOf(database, clock),
  transaction: (work) => database.transaction().execute((transaction) => work(partsOf(transaction, clock))),
  probe: async () => {
    await createLeaseStore(database, clock).take(PROBE, PROBE, 0)
    await database.selectFrom('swaps').select('id').limit(1).execute()
  },
  close: () => database.destroy(),
})

const storeIdOf = async (database: Database): Promise<string> =>
  (await database.selectFrom('store_facts').select('value').where('name', '=', 'id').executeTakeFirstOrThrow()).value

/**
 * Opens a SQLite file as store (`:memory:` for none), creating it if it is missing. Throws if it cannot be used, or if records
 * that were here before are gone.
 */
export const openSqliteStore = async (place: StoreFile, clock: Clock, observe?: Observe): Promise<Store> => {
  const { file } = place
  const isKept = file !== ':memory:'
  if (isKept) requireMarked(file)
  const { database, guard } = await openFile(place, observe)
  const store = storeOf(database, clock)
  if (!isKept) return store
  try {
    keepMark(file, await storeIdOf(database))
  } catch (error) {
    await store.close()
    throw error
  }
  const [endWatch, endCheckpoints] = [watchDamage(file, guard), keepLogShort(file)]
  const close = async (): Promise<void> => {
    endWatch()
    await endCheckpoints()
    await store.close()
  }
  return { ...store, close }
}
