import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { migratePostgres } from '../../../engine/store/postgresDatabase.ts'

/** Asks something of a database as another client does. */
export const ask = async (url: string, text: string): Promise<readonly { readonly [column: string]: unknown }[]> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const serverUrl = async (): Promise<string> => {
  if (process.env['SWAP_TEST_TIER'] === 'quick') throw new Error('A suite that starts PostgreSQL is no part of `npm test`.')
  const answer = await fetch(inject('postgresAt'))
  if (!answer.ok) throw new Error(await answer.text())
  return answer.text()
}

const create = async (options: string): Promise<string> => {
  const url = new URL(await serverUrl())
  const name = `test_${randomBytes(8).toString('hex')}`
  await ask(url.href, `CREATE DATABASE ${name} ${options}`)
  url.pathname = `/${name}`
  return url.href
}

/** A database of one's own, empty, in the PostgreSQL of the run: its URL. */
export const createDatabase = (): Promise<string> => create('')

let migrated: Promise<string> | null = null

const makeMigrated = async (): Promise<string> => {
  const url = await createDatabase()
  await migratePostgres({ url: new Secret(url), network: null })
  return new URL(url).pathname.slice(1)
}

/** The same with all its tables: migrating takes longer than most tests. */
export const createMigratedDatabase = async (): Promise<string> => {
  migrated ??= makeMigrated()
  return create(`TEMPLATE ${await migrated}`)
}

export const dropDatabase = async (url: string): Promise<void> => {
  const server = new URL(url)
  server.pathname = '/postgres'
  await ask(server.href, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`)
}
