import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import type { Environment } from '../../../engine/config/config.ts'
import { ask, createMigratedDatabase, dropDatabase } from './database.ts'

/** Changes something in the records of a service behind its back: those that `env` names, or else in its data folder. */
export const changeRecords = async (dataDir: string, { DATABASE_URL }: Environment, text: string): Promise<void> => {
  if (DATABASE_URL === undefined) new SQLite(join(dataDir, 'swaps.sqlite')).exec(text).close()
  else await ask(DATABASE_URL, text)
}

/** Rows of the records in a data folder, as another process reads them. */
export const askFile = (dataDir: string, text: string): readonly { readonly [column: string]: unknown }[] => {
  const sqlite = new SQLite(join(dataDir, 'swaps.sqlite'))
  try {
    return sqlite.prepare(text).all() as { [column: string]: unknown }[]
  } finally {
    sqlite.close()
  }
}

/** What has a service keep its records in a database of its own. */
export type OwnDatabase = { readonly env: Environment; remove(): Promise<void> }

/** Whether the suite is run over PostgreSQL: any is, by `SWAP_TEST_DATABASE=postgresql`. */
export const isOverPostgres = (): boolean => process.env['SWAP_TEST_DATABASE'] === 'postgresql'

/** Of PostgreSQL where the suite is run over that, and else none: a service has its data folder. */
export const ownDatabase = async (): Promise<OwnDatabase> => {
  if (!isOverPostgres()) return { env: {}, remove: async () => undefined }
  const url = await createMigratedDatabase()
  return { env: { DATABASE_URL: url, DATABASE_SINGLE_INSTANCE: 'true' }, remove: () => dropDatabase(url) }
}
