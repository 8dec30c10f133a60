import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { executeAs } from '../../scripts/client/swap.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { ask } from '../support/postgres/database.ts'
import { startPostgres } from '../support/postgres/server.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { openStoreFile } from '../support/storeFile.ts'
import { aFolder, closing } from '../support/storeStage.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'

const VENUES = only('near-intents')
/** Some 300 ms of them at least: the venue has answered the executes by then, and their records wait for the lock. */
const CALLS = 12

const quote = async (service: TestService) => (await service.call('quote', { body: DEPOSIT_SWAP })).quoteToken
const execute = (service: TestService, quoteToken: string) => service.send('POST', '/api/v1/execute', { body: { quoteToken } })

it('a SQLite database that another process keeps locked fails only the calls that need it, concurrently, with a retryable 500 [store-locked-database]', async () => {
  const dataDir = aFolder()
  const service = closing(await startService({ ...VENUES, DATA_DIR: dataDir }))
  const tokens = await Promise.all(Array.from({ length: 4 }, () => quote(service)))
  const ended: string[] = []
  const other = closing(openStoreFile(dataDir))
  other.lock()
  const executes = tokens.map((token) => execute(service, token).finally(() => ended.push('execute')))
  // Each of these would come last of all if one of the others slept in its way.
  for (let i = 0; i < CALLS; i += 1) {
    await service.call('chains')
    ended.push('chains')
    await pause(25)
  }
  const answers = await Promise.all(executes)
  other.unlock()
  expect(ended).toEqual([...Array(CALLS).fill('chains'), ...Array(4).fill('execute')])
  for (const answer of answers) expect(expectFailure(answer, 500, 'INTERNAL')).toEqual({ retryable: true })
  for (const token of tokens) expect((await execute(service, token)).status).toBe(200)
})

it('while PostgreSQL is gone, quotes succeed and executions fail with a retryable 500; once it is back, all work again [store-postgres-heals]', async () => {
  const dataDir = aFolder()
  const postgres = closing(await startPostgres())
  await ask(postgres.urlOf(), 'CREATE DATABASE swaps')
  const keys = { QUOTE_TOKEN_KEYS: 'ab'.repeat(32), WEBHOOK_SECRET_KEYS: 'cd'.repeat(32) }
  const env = { ...VENUES, ...keys, DATA_DIR: dataDir, DATABASE_URL: postgres.urlOf('swaps') }
  const service = closing(await startService(env))
  const quoteToken = await quote(service)
  const execution = await executeAs(service, 'DEPOSIT', { quoteToken })
  await postgres.crash()
  const refused = await execute(service, await quote(service))
  expect(expectFailure(refused, 500, 'INTERNAL')).toEqual({ retryable: true })
  // The failed execution makes the next health request check the database again.
  expect(await service.call('health')).toMatchObject({ status: 'degraded' })
  await postgres.restart()
  // A failing database is checked every second.
  await expect.poll(() => service.call('health'), { timeout: 5_000 }).toMatchObject({ status: 'ok' })
  expect(await executeAs(service, 'DEPOSIT', { quoteToken })).toEqual(execution)
  expect(await readdir(dataDir)).toEqual([])
})
