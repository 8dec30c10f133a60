import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { StoreError } from '../storeError.ts'
import { createMigrations, type DatabaseKind } from './migrations.ts'

/** The table in which Kysely keeps what was done. */
const DONE = 'kysely_migration'

/** What a newer version did must not be met by chance: what this one writes, that one may not be able to read. */
const refuseNewer = async <S>(db: Kysely<S>, known: readonly string[]): Promise<void> => {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DONE)) return
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(DONE)}`.execute(db)
  const unknown = rows.find(({ name }) => !known.includes(name))
  if (unknown) throw new StoreError(`the records are of a newer version of this service: they have had ${unknown.name}`)
}

/** Brings a database to the current schema. The caller sees to it that nobody else does meanwhile, and that all of it is kept or none. */
export const migrate = async <S>(db: Kysely<S>, kind: DatabaseKind): Promise<void> => {
  const migrations = createMigrations(kind)
  await refuseNewer(db, Object.keys(migrations))
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error) throw error
}
