import pg from 'pg'
import { StoreConflict, StoreError } from './storeError.ts'

/**
 * Defects of a statement rather than of its environment, by class: https://www.postgresql.org/docs/18/errcodes-appendix.html.
 * Missing privileges are excluded: the operator grants them.
 */
const DEFECTS = /^(?!42501)(0A|21|22|23|26|34|42|54)/

/** A serialization failure or a deadlock: the transaction was rolled back. */
const CONFLICTS = ['40001', '40P01']

/** Texts without names. The messages of the database contain users, hosts and databases. */
const KNOWN: readonly (readonly [code: RegExp, text: string])[] = [
  [/^28/, 'the database refuses the user or the password'],
  [/^3D000/, 'there is no such database'],
  [/^42501/, 'the database does not permit it'],
  [/^25006/, 'the database is read-only'],
  [/^25P03/, 'a transaction waited too long for its own work'],
  [/^53/, 'the database has no connection, memory or disk space to spare'],
  [/^55P03/, 'a transaction keeps the database locked'],
  [/^57014/, 'the database took too long'],
  [/^57P/, 'the database is starting or going down'],
]

/** Messages without a code that contain no names. */
const PLAIN_WORDS =
  /^(Connection terminated|The server does not support SSL connections$|There was an error establishing an SSL|timeout exceeded when trying|Query read timeout$|Client (has encountered|was closed)|Cannot use a pool)/

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

const failure = (text: string): StoreError => new StoreError(`the store failed: ${text}`)

/** True if the connection is unusable or its state unknown. */
export const endsConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC'

/**
 * Converts an error of PostgreSQL or of the connection to StoreError; returns defects of our own unchanged. Omits the cause,
 * which may contain host and credentials.
 */
export const fromPostgres = (error: unknown): unknown => {
  const code = codeOf(error)
  if (error instanceof pg.DatabaseError) {
    if (CONFLICTS.includes(code)) return new StoreConflict('the store failed: another transaction came in between')
    if (DEFECTS.test(code)) return error
    return failure(`${KNOWN.find(([known]) => known.test(code))?.[1] ?? 'the database is in trouble'} (${code})`)
  }
  if (error instanceof RangeError || error instanceof TypeError) return error
  const message = error instanceof Error ? error.message : ''
  return failure(`no connection to the database (${code || (PLAIN_WORDS.test(message) ? message : 'refused')})`)
}
