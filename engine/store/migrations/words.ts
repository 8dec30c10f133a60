import type { ColumnDefinitionBuilder } from 'kysely'

/** How a database spells what the others spell otherwise. */
export type Words = {
  readonly isSqlite: boolean
  readonly keyType: 'integer' | 'bigint'
  readonly identity: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
}

export const SQLITE: Words = {
  isSqlite: true,
  // It gives numbers of its own, of 64 bits, to a key of this name only.
  keyType: 'integer',
  identity: (column) => column.primaryKey().autoIncrement(),
}

export const POSTGRESQL: Words = {
  isSqlite: false,
  keyType: 'bigint',
  identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
}

export const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull()
export const ofSwap = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().references('swaps.id')
