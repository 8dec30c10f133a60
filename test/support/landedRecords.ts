import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ask, createDatabase, dropDatabase } from './postgres/database.ts'

/**
 * Records of the build before the initial schema: a swap with a payment, a partner with a key, and a fee. Commit 5ae7eee1 made
 * them through its own store. The PostgreSQL ones are a dump by `pg_dump --inserts --no-owner`, without comments.
 */
const landed = (name: string): Buffer => gunzipSync(readFileSync(new URL(`../engine/store/landed/${name}.gz`, import.meta.url)))

/** The records in a folder of their own. */
export const landedFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'landed-'))
  const file = join(folder, 'swaps.sqlite')
  writeFileSync(file, landed('swaps.sqlite'))
  return {
    folder,
    file,
    /** Every byte of every file in the folder. */
    contents: async (): Promise<unknown> =>
      readdirSync(folder)
        .toSorted()
        .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
    remove: async (): Promise<void> => rmSync(folder, { recursive: true }),
  }
}

/** The same in a database of their own. */
export const landedDatabase = async () => {
  const url = await createDatabase()
  await ask(url, landed('postgresql.sql').toString())
  return {
    url,
    name: new URL(url).pathname.slice(1),
    /** All columns, constraints and indexes, and every row. */
    contents: async (): Promise<unknown> => {
      const tables = await ask(
        url,
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
      )
      const rows = tables.map(({ name }) => ask(url, `SELECT to_jsonb(t) AS row FROM public."${name}" t ORDER BY 1`))
      const columns = `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
        WHERE table_schema = 'public' ORDER BY 1, 2`
      const rules = `SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`
      const indexes = `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`
      return [tables, await Promise.all(rows), ...(await Promise.all([columns, rules, indexes].map((text) => ask(url, text))))]
    },
    remove: (): Promise<void> => dropDatabase(url),
  }
}
