import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import { createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { aFolder, closing } from '../../support/storeStage.ts'
import { KILL_STEPS, runKills } from '../../support/x402Kills.ts'

/** For each database: each step once, or as many as a longer run sets, such as X402_KILLS=150. */
const KILLS = Number(process.env['X402_KILLS'] ?? KILL_STEPS.length)
const SEED = Number(process.env['X402_KILLS_SEED'] ?? 0)

const inSqlite = async () => {
  const file = join(aFolder(), 'swaps.sqlite')
  return { database: { file }, store: closing(await openSqliteStore({ file, network: 'simnet' }, systemClock)) }
}

const inPostgres = async () => {
  const url = await createDatabase()
  onTestFinished(() => dropDatabase(url))
  const options = { url: new Secret(url), network: 'simnet', poolMax: 2 } as const
  return { database: { url }, store: closing(await openPostgresStore(options, systemClock)) }
}

it.each(Object.entries({ SQLite: inSqlite, PostgreSQL: inPostgres }))(
  'paid call over %s: a process killed at any step leaves one charge, one answer and one entry for a payment [x402-survives-kill]',
  async (name, open) => {
    const { database, store } = await open()
    const booked = async () => {
      const entries = await store.ledger.rawAfter(0, 5_000)
      return entries.map(({ document }) => (JSON.parse(document) as { transaction?: unknown }).transaction)
    }
    const counts = await runKills({ database, kills: KILLS, seed: SEED, booked })
    process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`)
    const none = { missed: 0, chargedTwice: 0, chargedWithoutAnswer: 0, answeredTwice: 0, booksOff: 0 }
    expect(counts).toMatchObject({ kills: KILLS, ...none })
    expect(counts.charged).toBeGreaterThan(0)
    expect(counts.uncharged).toBeGreaterThan(0)
  },
  30_000 + KILLS * 20_000,
)
