import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { KILL_STEPS, runKills } from '../../support/x402Kills.ts'

/** For each database: each step once, or as many as a longer run sets, such as X402_KILLS=150. */
const KILLS = Number(process.env['X402_KILLS'] ?? KILL_STEPS.length)
const SEED = Number(process.env['X402_KILLS_SEED'] ?? 0)

const inSqlite = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'x402-kills-'))
  const file = join(folder, 'swaps.sqlite')
  const open = () => openSqliteStore({ file, network: 'simnet' }, systemClock)
  return { database: { file }, open, remove: async () => rmSync(folder, { recursive: true }) }
}

const inPostgres = async () => {
  const url = await createDatabase()
  const open = () => openPostgresStore({ url: new Secret(url), network: 'simnet', poolMax: 2 }, systemClock)
  return { database: { url }, open, remove: () => dropDatabase(url) }
}

const transactionsIn = async ({ ledger }: Store): Promise<readonly unknown[]> => {
  const entries = await ledger.rawAfter(0, 5_000)
  return entries.map(({ document }) => (JSON.parse(document) as { transaction?: unknown }).transaction)
}

it.each([
  ['SQLite', inSqlite],
  ['PostgreSQL', inPostgres],
])(
  'paid call over %s: a process killed at any step leaves one charge, one answer and one entry for a payment [x402-survives-kill]',
  async (name, make) => {
    const { database, open, remove } = await make()
    const store = await open()
    try {
      const counts = await runKills({ database, kills: KILLS, seed: SEED, booked: () => transactionsIn(store) })
      process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`)
      const none = { missed: 0, chargedTwice: 0, chargedWithoutAnswer: 0, answeredTwice: 0, booksOff: 0 }
      expect(counts).toMatchObject({ kills: KILLS, ...none })
      expect(counts.charged).toBeGreaterThan(0)
      expect(counts.uncharged).toBeGreaterThan(0)
    } finally {
      await store.close()
      await remove()
    }
  },
  30_000 + KILLS * 20_000,
)
