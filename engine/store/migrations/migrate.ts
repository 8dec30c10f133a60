import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StoreError } from '../storeError.ts'
import { INITIAL } from './migrations.ts'

/** The metadata that records hold about themselves. */
export type Recorded = {
  /** The steps that made their schema. Empty where there are no records. */
  readonly steps: readonly string[]
  /** A version that has this step can use the records; null if they do not state it. */
  readonly readableFrom: string | null
  /** The network they are of, written by the first start; null before that. */
  readonly network: string | null
}

/** The table in which Kysely records the steps, and the facts about the records as a whole. */
const [DONE, FACTS] = ['kysely_migration', 'store_facts'] as const

/** Reads the metadata of records, without a change. */
export const readRecorded = async <S>(db: Kysely<S>): Promise<Recorded> => {
  const tables = (await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name)
  const done = tables.includes(DONE) ? await sql<{ name: string }>`SELECT name FROM ${sql.table(DONE)}`.execute(db) : null
  const told = tables.includes(FACTS)
    ? await sql<{ name: string; value: string }>`SELECT name, value FROM ${sql.table(FACTS)}`.execute(db)
    : null
  const facts = new Map(told?.rows.map(({ name, value }) => [name, value]))
  return {
    steps: done?.rows.map(({ name }) => name) ?? [],
    readableFrom: facts.get('readableFrom') ?? null,
    network: facts.get('network') ?? null,
  }
}

/** The steps of a newer version, which this version lacks. */
export const newerSteps = (ours: readonly string[], { steps }: Recorded): readonly string[] =>
  steps.filter((name) => !ours.includes(name))

/** Why a newer version's records cannot be used; null: they can. */
const obstacleOfNewer = (ours: readonly string[], recorded: Recorded): string | null => {
  const { steps, readableFrom: from } = recorded
  const [newer] = newerSteps(ours, recorded)
  if (newer === undefined) return null
  if (from === null || !ours.includes(from)) return `they need a version that knows ${from ?? newer}`
  const missing = ours.find((name) => !steps.includes(name))
  return missing === undefined ? null : `they lack ${missing} of this version`
}

/**
 * The reason why this version cannot use records, as the predicate of a sentence about their place; null if it can. `ours`: the
 * steps of this version. `network`: the network of this service; null accepts any.
 */
export const obstacleIn = (ours: readonly string[], recorded: Recorded, network: string | null): string | null => {
  if (recorded.steps.length === 0) return null
  if (!recorded.steps.includes(INITIAL))
    return 'holds records of an earlier build of 2026-11, which this version does not read: keep them for that build, and name another place'
  const newer = obstacleOfNewer(ours, recorded)
  if (newer !== null) return `holds records of a newer version: ${newer}; start that version, or name another place`
  const theirs = recorded.network
  if (theirs === null || network === null || theirs === network) return null
  return `holds records of ${theirs}, and NETWORK is ${network}: set NETWORK=${theirs}, or name another place`
}

export type MigrateOptions = {
  /** The place of the records, for error messages. */
  readonly place: string
  readonly steps: Record<string, Migration>
  /** Written to new records. Null: none is written, and any is accepted. */
  readonly network: string | null
}

/**
 * Migrates a database to the current schema. The caller must run it alone and in a transaction. Leaves the additions of a newer
 * version in place. Throws StoreError without a change if this version cannot use the records.
 */
export const migrate = async <S>(db: Kysely<S>, { place, steps, network }: MigrateOptions): Promise<void> => {
  const ours = Object.keys(steps)
  const recorded = await readRecorded(db)
  const obstacle = obstacleIn(ours, recorded, network)
  if (obstacle !== null) throw new StoreError(`${place} ${obstacle}`)
  if (newerSteps(ours, recorded).length > 0) return
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => steps } }).migrateToLatest()
  if (error) throw error
  const facts = [['readableFrom', INITIAL] as const, ...(network === null ? [] : [['network', network] as const])]
  for (const [name, value] of facts)
    await sql`INSERT INTO store_facts (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO NOTHING`.execute(db)
}
