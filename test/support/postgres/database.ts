import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

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

/** A database of one's own, empty, in the PostgreSQL of the run: its URL. */
export const createDatabase = async (): Promise<string> => {
  const answer = await fetch(inject('postgresAt'))
  if (!answer.ok) throw new Error(await answer.text())
  const url = new URL(await answer.text())
  const name = `test_${randomBytes(8).toString('hex')}`
  await ask(url.href, `CREATE DATABASE ${name}`)
  url.pathname = `/${name}`
  return url.href
}

export const dropDatabase = async (url: string): Promise<void> => {
  const server = new URL(url)
  server.pathname = '/postgres'
  await ask(server.href, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`)
}
