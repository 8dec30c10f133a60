import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { StoreError } from '../storeError.ts'
import { createMigrations, type DatabaseKind, READABLE_FROM } from './migrations.ts'

/** The table in which Kysely keeps what was done, and that of what is known of the records as a whole. */
const DONE = 'kysely_migration'
const FACTS = 'store_facts'

const tablesIn = async <S>(db: Kysely<S>): Promise<readonly string[]> =>
  (await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name)

/** Which step the oldest version that may use the records knows; null where no version has said so. */
const readableFrom = async <S>(db: Kysely<S>, tables: readonly string[]): Promise<string | null> => {
  if (!tables.includes(FACTS)) return null
  const { rows } = await sql<{ value: string }>`SELECT value FROM store_facts WHERE name = 'readableFrom'`.execute(db)
  return rows[0]?.value ?? null
}

const sayReadableFrom = <S>(db: Kysely<S>) =>
  sql`INSERT INTO store_facts (name, value) VALUES ('readableFrom', ${READABLE_FROM})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(db)

/** What was done to a schema, and which step whoever uses it must know; null where nothing says. */
export type Done = { readonly steps: readonly string[]; readonly readableFrom: string | null }

/** What a newer version did to the schema, and why this one cannot use the records; `null`: it can. */
export type Newer = { readonly steps: readonly string[]; readonly obstacle: string | null }

/** How what was done to a schema stands to what this version knows of. */
export const newerSteps = (kind: DatabaseKind, { steps: done, readableFrom: from }: Done): Newer => {
  const ours = Object.keys(createMigrations(kind))
  const steps = done.filter((name) => !ours.includes(name))
  const missing = ours.find((name) => !done.includes(name))
  if (steps.length === 0) return { steps, obstacle: null }
  if (from === null || !ours.includes(from))
    return { steps, obstacle: `it needs one that knows ${from ?? steps[0]}, and this one does not` }
  return { steps, obstacle: missing === undefined ? null : `it has not had ${missing} of this one` }
}

/**
 * Brings a database to the current schema. The caller sees to it that nobody else does meanwhile, and that all of it is kept or
 * none. What a newer version only added stays as it is; what this one could not live with is refused by a StoreError.
 */
export const migrate = async <S>(db: Kysely<S>, kind: DatabaseKind): Promise<void> => {
  const migrations = createMigrations(kind)
  const tables = await tablesIn(db)
  const { rows } = tables.includes(DONE)
    ? await sql<{ name: string }>`SELECT name FROM ${sql.table(DONE)}`.execute(db)
    : { rows: [] }
  const done = rows.map(({ name }) => name)
  const from = await readableFrom(db, tables)
  const { steps, obstacle } = newerSteps(kind, { steps: done, readableFrom: from })
  if (obstacle !== null) throw new StoreError(`the records are of a newer version of this service: ${obstacle}`)
  if (steps.length > 0) return
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error) throw error
  if (from !== READABLE_FROM) await sayReadableFrom(db)
}
