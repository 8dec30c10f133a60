import type { Environment } from '../../../engine/config/config.ts'
import { createDatabase, dropDatabase } from './database.ts'

/** What has a service keep its records in a database of its own. */
export type OwnDatabase = { readonly env: Environment; remove(): Promise<void> }

/** Of PostgreSQL where the suite is run over that, and else none: a service has its data folder. */
export const ownDatabase = async (): Promise<OwnDatabase> => {
  if (process.env['SWAP_TEST_DATABASE'] !== 'postgresql') return { env: {}, remove: async () => undefined }
  const url = await createDatabase()
  return { env: { DATABASE_URL: url, DATABASE_SINGLE_INSTANCE: 'true' }, remove: () => dropDatabase(url) }
}
