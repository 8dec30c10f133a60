import { type DatabaseConnection, type DialectAdapter, type Driver, SqliteAdapter, SqliteDialect } from 'kysely'
import { isLocked, toStoreError } from './storeError.ts'

/** How long a statement waits for a lock, and between two tries: at first, and at most. */
const PATIENCE_MS = 2_000
const PAUSE_MS = 5
const PAUSE_MS_MAX = 100

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Work that another process's lock makes fail is tried again, until there is none or patience ends. */
export const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let [waitedMs, pauseMs] = [0, PAUSE_MS]; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    try {
      return await work()
    } catch (error) {
      if (!isLocked(error) || waitedMs >= PATIENCE_MS) throw toStoreError(error)
    }
    await pause(pauseMs)
    waitedMs += pauseMs
  }
}

const patientConnection = (connection: DatabaseConnection): DatabaseConnection => ({
  executeQuery: (query, options) => patiently(() => connection.executeQuery(query, options)),
  streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
})

/** Statements that wait for a lock must not keep the others from the one connection there is. */
class SharingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const refuseTransaction = (): Promise<never> =>
  Promise.reject(new TypeError('every statement stands alone: one connection serves all callers at once'))

/**
 * SQLite waits for a lock by sleeping, and with it the whole process. Here a statement that finds the database locked is
 * tried again later, so that only its own call waits. Trouble is thrown as StoreError.
 */
export class PatientDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new SharingAdapter()
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    return {
      init: (options) => driver.init(options),
      acquireConnection: async (options) => patientConnection(await driver.acquireConnection(options)),
      beginTransaction: refuseTransaction,
      commitTransaction: refuseTransaction,
      rollbackTransaction: refuseTransaction,
      releaseConnection: (connection, options) => driver.releaseConnection(connection, options),
      destroy: (options) => driver.destroy(options),
    }
  }
}
