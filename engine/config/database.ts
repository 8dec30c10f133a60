import { Secret } from '../core/secret.ts'
import type { Reader } from './reader.ts'

/** The database of the records. */
export type DatabaseConfig = {
  /** The URL of a PostgreSQL database, credentials included; null: a SQLite file in the data folder. */
  readonly url: Secret | null
  /** The most connections of one instance. */
  readonly poolMax: number
}

const PROTOCOLS: readonly (string | undefined)[] = ['postgres:', 'postgresql:']

/** Without a database name PostgreSQL would use the user's name, and records would go to another database. */
const isPostgresUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return PROTOCOLS.includes(url?.protocol) && (url?.pathname ?? '').length > 1
}

/** If unset, each instance would create its own, and could not open what others sealed. */
const SHARED_KEYS = ['QUOTE_TOKEN_KEYS', 'WEBHOOK_SECRET_KEYS']

const requireSharedKeys = (reader: Reader): void => {
  for (const name of SHARED_KEYS)
    if (!reader.hasSecret(name))
      reader.problems.push(
        `${name} must be set beside DATABASE_URL, the same for all instances; of one set DATABASE_SINGLE_INSTANCE`,
      )
}

export const readDatabase = (reader: Reader): DatabaseConfig => {
  const text = reader.secret('DATABASE_URL')
  const isAlone = reader.oneOf('DATABASE_SINGLE_INSTANCE', 'false', ['true', 'false']) === 'true'
  if (text !== null && !isPostgresUrl(text))
    reader.problems.push('DATABASE_URL must be postgres://user:password@host:port/database')
  else if (text !== null && !isAlone) requireSharedKeys(reader)
  return {
    url: text === null ? null : new Secret(text),
    poolMax: reader.integer('DATABASE_POOL_MAX', 10, { min: 2, max: 1_000 }),
  }
}
