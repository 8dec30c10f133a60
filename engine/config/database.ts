import { Secret } from '../core/secret.ts'
import type { Reader } from './reader.ts'

/** Where records are kept. */
export type DatabaseConfig = {
  /** Of a PostgreSQL database, credentials included; null: in a SQLite file in the data folder. */
  readonly url: Secret | null
  /** The most connections of one instance to it. */
  readonly poolMax: number
}

const PROTOCOLS: readonly (string | undefined)[] = ['postgres:', 'postgresql:']

/** Without a name PostgreSQL would take the user's for that of the database: records would land anywhere. */
const isPostgresUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return PROTOCOLS.includes(url?.protocol) && (url?.pathname ?? '').length > 1
}

/** Each instance would make its own where they are left out: what one seals no other could open. */
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
