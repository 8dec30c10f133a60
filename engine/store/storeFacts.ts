import type { Database } from './schema.ts'

/** Tells these records from all others. */
export const storeIdOf = async (database: Database): Promise<string> =>
  (await database.selectFrom('store_facts').select('value').where('name', '=', 'id').executeTakeFirstOrThrow()).value
