import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { controlNetwork } from '../../scripts/client/network.ts'
import { connectService, type ServiceClient } from '../../scripts/client/service.ts'
import { executeAs, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE } from '../../scripts/client/tokens.ts'
import { type PostgresServer, startPostgres } from '../../scripts/kills/postgresServer.ts'
import { liveEnvironment } from '../../scripts/liveEnvironment.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { ask } from '../support/postgres/database.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { ready, type ServiceProcess, spawnService } from './serviceProcess.ts'

/** Processes of the service over one PostgreSQL database, which tests take away and bring back. */
let simnet: Simnet
let postgres: PostgresServer
let dataDir: string
let started: ServiceProcess[] = []
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
  dataDir = await mkdtemp(join(tmpdir(), 'swap-postgres-'))
  databases += 1
  await ask(postgres.urlOf(), `CREATE DATABASE of_test_${databases}`)
  env = {
    ...liveEnvironment(simnet),
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.urlOf(`of_test_${databases}`),
    QUOTE_TOKEN_KEYS: 'ab'.repeat(32),
    WEBHOOK_SECRET_KEYS: 'cd'.repeat(32),
  }
})
afterEach(async () => {
  for (const { child, ended } of started) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  }
  started = []
  await rm(dataDir, { recursive: true, force: true })
})

const spawn = (wish: Environment = {}): ServiceProcess => {
  const service = spawnService({ ...env, ...wish })
  started.push(service)
  return service
}

const start = async (): Promise<ServiceProcess & ServiceClient> => {
  const service = spawn()
  return { ...service, ...connectService((await ready(service)).url) }
}

const openDeposit = async (service: ServiceClient) => {
  const { quoteToken } = await service.call('quote', { body: DEPOSIT_SWAP })
  return { quoteToken, execution: await executeAs(service, 'DEPOSIT', { quoteToken }) }
}

describe('a service whose records are in PostgreSQL', () => {
  it('remembers what it handed out though it was killed, keeps none of it in its data folder, and says nothing of the database', async () => {
    const first = await start()
    const { quoteToken, execution } = await openDeposit(first)
    first.child.kill('SIGKILL')
    await first.ended
    const after = await start()
    expect(await executeAs(after, 'DEPOSIT', { quoteToken })).toEqual(execution)
    const { address, amount } = execution.deposit
    await controlNetwork(simnet.controlUrl).deposit({ chainId: -1, token: NATIVE, address, amount })
    expect(await statusOf(after, { quoteToken, ref: address })).toMatchObject({ status: 'processing' })
    expect(await readdir(dataDir)).toEqual([])
    for (const { stdout, stderr } of [first, after]) expect(stdout() + stderr()).not.toMatch(/postgres|of_test/i)
  })

  it('shares them with another that starts at the same time on an empty database: one execute, one deposit address', async () => {
    const [one, two] = await Promise.all([start(), start()])
    const { quoteToken } = await one.call('quote', { body: DEPOSIT_SWAP })
    const calls = Array.from({ length: 8 }, (_, i) => executeAs(i % 2 ? one : two, 'DEPOSIT', { quoteToken }))
    const [first, ...others] = await Promise.all(calls)
    for (const other of others) expect(other).toEqual(first)
  })

  it('goes on without it as far as that goes, and needs no restart once it is back [store-postgres-heals]', async () => {
    const service = await start()
    const { quoteToken, execution } = await openDeposit(service)
    await postgres.crash()
    try {
      expect(await service.call('health')).toMatchObject({ status: 'degraded' })
      const fresh = await service.call('quote', { body: DEPOSIT_SWAP })
      const refused = await service.send('POST', '/api/v1/execute', { body: { quoteToken: fresh.quoteToken } })
      expect(expectFailure(refused, 500, 'INTERNAL')).toEqual({ retryable: true })
    } finally {
      await postgres.restart()
    }
    expect(await service.call('health')).toMatchObject({ status: 'ok' })
    expect(await executeAs(service, 'DEPOSIT', { quoteToken })).toEqual(execution)
    expect(service.stdout()).not.toContain(`127.0.0.1:${postgres.port}`)
  })

  it('does not start where it cannot be used, and says so in one line', async () => {
    const lines = async (url: string) => {
      const service = spawn({ DATABASE_URL: url })
      expect((await service.ended).code).toBe(1)
      return service.stderr().trimEnd()
    }
    expect(await lines(postgres.urlOf('missing'))).toBe(
      'DATABASE_URL cannot be used: the store failed: there is no such database (3D000).',
    )
    expect(await lines('postgres://somebody:hush-hush@127.0.0.1:9/swaps')).toBe(
      'DATABASE_URL cannot be used: the store failed: no connection to the database (ECONNREFUSED).',
    )
    expect(await lines('mysql://somebody:hush-hush@127.0.0.1:9/swaps')).toBe(
      'Configuration is invalid:\n  - DATABASE_URL must be postgres://user:password@host:port/database',
    )
    const keyless = spawn({ QUOTE_TOKEN_KEYS: '', WEBHOOK_SECRET_KEYS: '' })
    expect([(await keyless.ended).code, keyless.stderr()]).toEqual([
      1,
      expect.stringMatching(/QUOTE_TOKEN_KEYS .*\n.*WEBHOOK_SECRET_KEYS /),
    ])
    expect(await readdir(dataDir)).toEqual([])
  })
})
