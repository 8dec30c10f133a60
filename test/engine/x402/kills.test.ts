import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { createDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { KILL_STEPS, runKills } from '../../support/x402Kills.ts'

/** Of each database. Each step once, unless a run for the record says more: X402_KILLS=150. */
const KILLS = Number(process.env['X402_KILLS'] ?? KILL_STEPS.length)
const SEED = Number(process.env['X402_KILLS_SEED'] ?? 0)

const inSqlite = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'x402-kills-'))
  const file = join(folder, 'swaps.sqlite')
  const database = { file } as const
  return {
    database,
    open: () => openSqliteStore({ file, network: 'simnet' }, systemClock),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

const inPostgres = async () => {
  const url = await createDatabase()
  const database = { url } as const
  const open = () => openPostgresStore({ url: new Secret(url), network: 'simnet', poolMax: 2 }, systemClock)
  return { database, open, remove: () => dropDatabase(url) }
}

const transactionsIn = async ({ ledger }: Store): Promise<readonly unknown[]> => {
  const entries = await ledger.rawAfter(0, 5_000)
  return entries.map(({ document }) => (JSON.parse(document) as { transaction?: unknown }).transaction)
}

describe.each(Object.entries({ SQLite: inSqlite, PostgreSQL: inPostgres }))(
  'a process killed between verify and send, over %s',
  (name, make) => {
    it(
      'is never paid without an answer to be had, never answers twice for one payment, and its books are right [x402-survives-kill]',
      async () => {
        const place = await make()
        const store = await place.open()
        try {
          const counts = await runKills({
            database: place.database,
            kills: KILLS,
            seed: SEED,
            booked: () => transactionsIn(store),
          })
          process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`)
          expect(counts).toMatchObject({
            kills: KILLS,
            missed: 0,
            chargedTwice: 0,
            chargedWithoutAnswer: 0,
            answeredTwice: 0,
            booksOff: 0,
          })
          expect(counts.charged).toBeGreaterThan(0)
          expect(counts.uncharged).toBeGreaterThan(0)
        } finally {
          await store.close()
          await place.remove()
        }
      },
      30_000 + KILLS * 20_000,
    )
  },
)
