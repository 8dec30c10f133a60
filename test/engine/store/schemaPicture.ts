import { type Kysely, sql } from 'kysely'

/** The parts of a schema on which an older version depends, by name: `table.column`. */
export type SchemaPicture = {
  readonly columns: ReadonlyMap<string, { readonly line: string; readonly isOptional: boolean }>
  /** Unique indexes, constraints and triggers, each with its table. */
  readonly rules: ReadonlyMap<string, string>
}

type Column = {
  readonly of: string
  readonly name: string
  readonly type: string
  readonly required: number
  readonly preset: string | null
}
type Rule = { readonly of: string; readonly rule: string }

const QUERIES = {
  sqlite: {
    columns: `SELECT m.name AS "of", c.name, c.type, c."notnull" AS required, c.dflt_value AS preset
      FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'`,
    rules: `SELECT tbl_name AS "of", name || coalesce(sql, '') AS rule FROM sqlite_master WHERE type = 'trigger'
      UNION ALL SELECT m.name, i.name FROM sqlite_master m, pragma_index_list(m.name) i WHERE m.type = 'table' AND i."unique"
      UNION ALL SELECT m.name, 'to ' || f."table" || f."from" FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`,
  },
  postgresql: {
    columns: `SELECT table_name AS "of", column_name AS name, data_type AS type, (is_nullable = 'NO')::int AS required,
      coalesce(column_default, identity_generation) AS preset FROM information_schema.columns WHERE table_schema = 'public'`,
    rules: `SELECT conrelid::regclass::text AS "of", pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conrelid <> 0
      AND connamespace = 'public'::regnamespace AND contype <> 'n'
      UNION ALL SELECT indrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE indisunique AND relnamespace = 'public'::regnamespace
      UNION ALL SELECT tgrelid::regclass::text, tgname::text FROM pg_trigger WHERE NOT tgisinternal`,
  },
} as const

export const pictureOf = async (db: Kysely<unknown>, kind: keyof typeof QUERIES): Promise<SchemaPicture> => {
  const { rows: columns } = await sql.raw<Column>(QUERIES[kind].columns).execute(db)
  const { rows: rules } = await sql.raw<Rule>(QUERIES[kind].rules).execute(db)
  return {
    columns: new Map(
      columns.map(({ of, name, type, required, preset }) => [
        `${of}.${name}`,
        { line: `${type} ${required} ${preset}`, isOptional: !required || preset !== null },
      ]),
    ),
    rules: new Map(rules.map(({ of, rule }) => [`${of}: ${rule}`, of])),
  }
}

/** The changes that break an older version, by name. */
export const notAdded = (before: SchemaPicture, after: SchemaPicture): readonly string[] => {
  const tables = new Set([...before.columns.keys()].map((name) => name.split('.')[0]))
  const changed = [...before.columns].filter(([name, { line }]) => after.columns.get(name)?.line !== line).map(([name]) => name)
  const demanded = [...after.columns]
    .filter(([name, { isOptional }]) => !before.columns.has(name) && tables.has(name.split('.')[0]) && !isOptional)
    .map(([name]) => name)
  const ruled = [...after.rules].filter(([rule, of]) => !before.rules.has(rule) && tables.has(of)).map(([rule]) => rule)
  return [...changed, ...demanded, ...ruled]
}
