import type { Kysely } from 'kysely'

/** The race that a swap's quote won, for whoever asks later why. Null of swaps of before this was kept. */
export const swapsRace = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('swaps').addColumn('race', 'text').execute()
}
