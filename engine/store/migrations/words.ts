import type { ColumnDefinitionBuilder } from 'kysely'

type Rule = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

/** How a database spells what the others spell otherwise. */
export type Words = {
  /** The type of a key that is a number. */
  readonly keyType: 'integer' | 'bigint'
  /** A key whose numbers the database assigns. */
  readonly identity: Rule
}

export const SQLITE: Words = {
  // SQLite assigns numbers of its own, of 64 bits, only to a key of this type.
  keyType: 'integer',
  identity: (column) => column.primaryKey().autoIncrement(),
}

export const POSTGRESQL: Words = {
  keyType: 'bigint',
  identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
}
