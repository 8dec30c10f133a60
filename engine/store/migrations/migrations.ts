import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { initial } from './initial.ts'
import { POSTGRESQL, SQLITE, type Words } from './words.ts'

export type DatabaseKind = 'sqlite' | 'postgresql'

/** The first step, and the one that the oldest version able to use the records knows. */
export const INITIAL = '0001-initial'

/**
 * In order of name. Forward only and additive: a step after the first adds tables, plain indexes, or columns that a row may leave
 * out, so that the version before can run beside this one and can be started again.
 */
const STEPS: { readonly [name: string]: (db: Kysely<unknown>, words: Words) => Promise<void> } = {
  [INITIAL]: initial,
}

export const createMigrations = (kind: DatabaseKind): Record<string, Migration> => {
  const words = kind === 'sqlite' ? SQLITE : POSTGRESQL
  return Object.fromEntries(Object.entries(STEPS).map(([name, step]) => [name, { up: (db: Kysely<unknown>) => step(db, words) }]))
}
