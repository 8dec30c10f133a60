import type SQLite from 'better-sqlite3'

export type Table = { readonly name: string; readonly columns: readonly string[] }

type Names = readonly { readonly name: string }[]

const columnsOf = (sqlite: SQLite.Database, table: string): readonly string[] =>
  (sqlite.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').all(table) as Names).map(({ name }) => name)

const referredTo = (sqlite: SQLite.Database, table: string): readonly string[] =>
  (sqlite.prepare('SELECT "table" AS name FROM pragma_foreign_key_list(?)').all(table) as Names).map(({ name }) => name)

/** The table of facts about the records as a whole. Each database has its own, so it is not copied as a table. */
const OWN = 'store_facts'

/** All tables of records in a file, each after those that its rows refer to. */
export const tablesOf = (sqlite: SQLite.Database): readonly Table[] => {
  const names = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%' ORDER BY 1`
  const left = new Set((sqlite.prepare(names).all() as Names).map(({ name }) => name).filter((name) => name !== OWN))
  const ordered: Table[] = []
  while (left.size > 0) {
    const ready = [...left].filter((table) => !referredTo(sqlite, table).some((other) => other !== table && left.has(other)))
    if (ready.length === 0) throw new Error('tables that refer to each other have no order')
    for (const name of ready) {
      left.delete(name)
      ordered.push({ name, columns: columnsOf(sqlite, name) })
    }
  }
  return ordered
}

/** The names of the migrations that a file has. */
export const migrationsOf = (sqlite: SQLite.Database): readonly string[] =>
  (sqlite.prepare('SELECT name FROM kysely_migration ORDER BY name').all() as Names).map(({ name }) => name)

/** The last generated id of each table: the id of a deleted row must not be used again. */
export const numbersOf = (sqlite: SQLite.Database): ReadonlyMap<string, number> => {
  const rows = sqlite.prepare('SELECT name, seq FROM sqlite_sequence WHERE seq > 0').all() as { name: string; seq: number }[]
  return new Map(rows.map(({ name, seq }) => [name, seq]))
}

export const setNumber = (sqlite: SQLite.Database, table: string, last: number): void => {
  sqlite.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table)
  sqlite.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, last)
}
