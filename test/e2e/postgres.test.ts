import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { connectService, type ServiceClient } from '../../scripts/client/service.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { liveEnvironment } from '../../scripts/liveEnvironment.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { ask } from '../support/postgres/database.ts'
import { type PostgresServer, startPostgres } from '../support/postgres/server.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { ownProcesses, ready, type ServiceProcess, spawnService } from './serviceProcess.ts'

/** Processes of the service over one PostgreSQL database, which tests take away and bring back. */
let simnet: Simnet
let postgres: PostgresServer
const { dataDir, own } = ownProcesses()
let databases = 0
let env: Environment

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1' })
  postgres = await startPostgres()
})
afterAll(async () => {
  await simnet.close()
  await postgres.close()
})
beforeEach(async () => {
  databases += 1
  await ask(postgres.urlOf(), `CREATE DATABASE of_test_${databases}`)
  env = {
    ...liveEnvironment(simnet),
    PORT: '0',
    DATA_DIR: dataDir(),
    DATABASE_URL: postgres.urlOf(`of_test_${databases}`),
    QUOTE_TOKEN_KEYS: 'ab'.repeat(32),
    WEBHOOK_SECRET_KEYS: 'cd'.repeat(32),
  }
})
const spawn = (wish: Environment = {}): ServiceProcess => own(spawnService({ ...env, ...wish }))

const start = async (): Promise<ServiceProcess & ServiceClient> => {
  const service = spawn()
  return { ...service, ...connectService((await ready(service)).url) }
}

const openDeposit = async (service: ServiceClient) => {
  const { quoteToken } = await service.call('quote', { body: DEPOSIT_SWAP })
  return { quoteToken, execution: await executeAs(service, 'DEPOSIT', { quoteToken }) }
}

describe('a service whose records are in PostgreSQL', () => {
  it('quotes without it, fails executions with a retryable 500, and works again once it is back [store-postgres-heals]', async () => {
    const service = await start()
    const { quoteToken, execution } = await openDeposit(service)
    expect(service.stdout() + service.stderr()).not.toMatch(/postgres|of_test/i)
    await postgres.crash()
    try {
      const fresh = await service.call('quote', { body: DEPOSIT_SWAP })
      const refused = await service.send('POST', '/api/v1/execute', { body: { quoteToken: fresh.quoteToken } })
      expect(expectFailure(refused, 500, 'INTERNAL')).toEqual({ retryable: true })
      // The failed execution makes the next health request check the database again.
      expect(await service.call('health')).toMatchObject({ status: 'degraded' })
    } finally {
      await postgres.restart()
    }
    // A failing database is checked every second.
    await expect.poll(() => service.call('health'), { timeout: 5_000 }).toMatchObject({ status: 'ok' })
    expect(await executeAs(service, 'DEPOSIT', { quoteToken })).toEqual(execution)
    expect(service.stdout() + service.stderr()).not.toMatch(new RegExp(`of_test|127.0.0.1:${postgres.port}`))
    expect(await readdir(dataDir())).toEqual([])
  })
})
