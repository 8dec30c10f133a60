import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { startSimnet } from '../../engine/simnet/simnet.ts'
import type { StateTold } from '../../engine/simnet/watch/told.ts'
import { controlNetwork } from '../../scripts/client/network.ts'
import { connectService } from '../../scripts/client/service.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { freePort } from '../../scripts/kills/freePort.ts'
import { liveEnvironment } from '../../scripts/liveEnvironment.ts'
import { lacks } from '../support/needs.ts'
import { createDatabase, dropDatabase } from '../support/postgres/database.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { descendantsOf, ownProcesses, ready, type ServiceProcess, spawnCluster, stillRunning } from './serviceProcess.ts'

/** `npm run cluster`: several processes on one port. */

/** Several processes start at once. */
const READY_MS = 60_000

const { dataDir, own } = ownProcesses()

/** The address of a client is its `x-forwarded-for`. */
const SETTINGS = {
  PORT: '0',
  METRICS_PORT: 'off',
  SIMNET_CONTROL_PORT: '0',
  VENUES_ENABLED: 'near-intents',
  TRUSTED_PROXIES: '127.0.0.1',
}

const spawn = (count: string, env: Environment): ServiceProcess =>
  own(spawnCluster(count, { ...SETTINGS, DATA_DIR: dataDir(), ...env }))

const workersOf = ({ stdout }: ServiceProcess): readonly number[] => [
  ...new Set([...stdout().matchAll(/^\{"worker":(\d+),"level":\d+,.*"event":"request"/gm)].map(([, worker]) => Number(worker))),
]

/** Each on a connection of its own: connections are what is shared out. */
const ask = (url: string, path: string, from = '203.0.113.1') =>
  fetch(`${url}${path}`, { headers: { connection: 'close', 'x-forwarded-for': from } })

type Told = { readonly deposit?: { readonly address: string } }

const isWorker = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('clusterWorker.ts')
  } catch {
    // Gone meanwhile.
    return false
  }
}

/** Of its descendants those that serve: the others are nodes of the offline network's chains. */
const workerPids = ({ child }: ServiceProcess): readonly number[] => descendantsOf(child.pid ?? 0).filter((pid) => isWorker(pid))

/** Sends requests until it is stopped, on kept and on new connections. Returns the failures. */
const lightLoad = (url: string): (() => Promise<{ readonly answered: number; readonly wrong: readonly string[] }>) => {
  const wrong: string[] = []
  let [asked, answered, isOver] = [0, 0, false]
  const work = async (headers: { readonly [name: string]: string }): Promise<void> => {
    while (!isOver) {
      asked += 1
      const from = { 'x-forwarded-for': `10.0.${asked >> 8}.${asked & 255}` }
      const body = asked % 8 === 0 ? JSON.stringify(DEPOSIT_SWAP) : null
      const asking = body
        ? fetch(`${url}/api/v1/quote`, {
            method: 'POST',
            body,
            headers: { 'content-type': 'application/json', ...headers, ...from },
          })
        : fetch(`${url}/api/v1/chains`, { headers: { ...headers, ...from } })
      const status = await asking.then(
        async (response) => {
          await response.text()
          return response.status
        },
        (error: unknown) => String((error as Error).cause ?? error),
      )
      if (status === 200) answered += 1
      else wrong.push(String(status))
      await sleep(2)
    }
  }
  const working = Promise.all([{}, {}, {}, { connection: 'close' }, { connection: 'close' }].map(work))
  return async () => {
    isOver = true
    await working
    return { answered, wrong }
  }
}

/** The page of the offline network shows the swap, which another process serves. */
const showsOnItsPage = async (
  controlUrl: string,
  { url, ref }: { readonly url: string; readonly ref: string },
): Promise<void> => {
  const state = async () => (await (await fetch(`${controlUrl}/state`)).json()) as StateTold
  await expect.poll(async () => (await state()).swaps.length).toBe(1)
  const { service, races, swaps } = await state()
  expect(service).toEqual({ url })
  expect(races.map(({ venue }) => venue)).toEqual(['near-intents'])
  expect(swaps).toMatchObject([
    { ref, quoteId: races[0]?.quoteId, venue: 'near-intents', executionType: 'DEPOSIT', inputAmount: DEPOSIT_SWAP.inputAmount },
  ])
}

describe.skipIf(lacks('ps'))('a cluster', () => {
  it('serves one port, shares limits and time among its processes, replaces a dead one and ends them together [cluster-one-port]', {
    timeout: 120_000,
  }, async () => {
    const service = spawn('2', { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '40' })
    const { url, controlUrl } = await ready(service, READY_MS)
    const client = connectService(url)
    const { quoteToken } = await client.call('quote', { body: DEPOSIT_SWAP })
    const first = await executeAs(client, 'DEPOSIT', { quoteToken })
    for (let i = 0; i < 4; i += 1) expect(await executeAs(client, 'DEPOSIT', { quoteToken })).toEqual(first)
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await ask(url, '/api/v1/chains')).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(40)
    await expect.poll(() => workersOf(service), { timeout: 5_000 }).toHaveLength(2)
    await showsOnItsPage(controlUrl ?? '', { url, ref: first.statusRef ?? '' })
    for (const line of service.stdout().trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow()

    await controlNetwork(controlUrl ?? '').advance(3_600_000)
    const late = () => client.send('POST', '/api/v1/execute', { body: { quoteToken } })
    await expect.poll(async () => (await late()).status).toBe(410)
    for (let i = 0; i < 4; i += 1) expect((await late()).status).toBe(410)

    const below = () => descendantsOf(service.child.pid ?? 0)
    const before = below()
    const [dying = 0] = workerPids(service)
    process.kill(dying, 'SIGSTOP')
    await expect.poll(() => readFileSync(`/proc/${dying}/stat`, 'utf8')).toMatch(/\) T /)
    // The halted process is handed one of these connections and never takes it.
    let answered = 0
    const statusOf = async (): Promise<number | undefined> => {
      const [response] = await once(get(`${url}/api/v1/health`, { agent: false }), 'response')
      answered += 1
      return response.resume().statusCode
    }
    const asked = Promise.all(Array.from({ length: 4 }, statusOf))
    await expect.poll(() => answered).toBe(3)
    process.kill(dying, 'SIGKILL')
    expect(await asked).toEqual([200, 200, 200, 200])
    await expect.poll(() => service.stderr()).toMatch(/Worker \d ended \(SIGKILL\); another starts in 2 s\./)
    await expect.poll(below, { timeout: 20_000 }).toHaveLength(before.length)
    const all = below()
    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(stillRunning(all)).toEqual([])
  })

  it('renews its processes without a lost answer, keeps those whose successors fail, and leaves none when it is killed [cluster-one-port]', {
    timeout: 120_000,
  }, async () => {
    const metricsPort = String(await freePort())
    const service = spawn('1', { METRICS_PORT: metricsPort })
    const { url } = await ready(service, READY_MS)
    const readyAt = `http://127.0.0.1:${metricsPort}/ready`
    expect((await fetch(readyAt)).status).toBe(200)
    const [old] = workerPids(service)
    const endLoad = lightLoad(url)
    service.child.kill('SIGHUP')
    await expect.poll(service.stderr, { timeout: READY_MS }).toMatch(/^Worker 0 is replaced\.$/m)
    const { answered, wrong } = await endLoad()
    expect(wrong).toEqual([])
    expect(answered).toBeGreaterThan(50)
    const [renewed] = workerPids(service)
    expect(renewed).not.toBe(old)
    expect((await fetch(readyAt)).status).toBe(200)

    const keyFile = join(dataDir(), 'quote-token.key')
    const key = await readFile(keyFile, 'utf8')
    await writeFile(keyFile, 'no key\n')
    service.child.kill('SIGHUP')
    await expect.poll(service.stderr, { timeout: READY_MS }).toMatch(/^Worker 0 stays: what was to replace it did not start\.$/m)
    expect(workerPids(service)).toEqual([renewed])
    expect((await ask(url, '/api/v1/health')).status).toBe(200)

    await writeFile(keyFile, key)
    service.child.kill('SIGHUP')
    await expect.poll(() => workerPids(service).includes(renewed ?? 0), { timeout: READY_MS }).toBe(false)
    expect((await ask(url, '/api/v1/health')).status).toBe(200)
    const all = descendantsOf(service.child.pid ?? 0)
    service.child.kill('SIGKILL')
    await service.ended
    await expect.poll(() => stillRunning(all), { timeout: 20_000 }).toEqual([])
  })

  it('over PostgreSQL, with mainnet settings, executes a quote once for all its processes', {
    timeout: 120_000,
  }, async () => {
    const network = await startSimnet({ controlPort: 0, seed: '1', venues: ['near-intents'] })
    const database = await createDatabase()
    const { SIMNET_CONTROL_PORT: _, ...settings } = SETTINGS
    const keys = { QUOTE_TOKEN_KEYS: 'ab'.repeat(32), WEBHOOK_SECRET_KEYS: 'cd'.repeat(32) }
    const env = { ...liveEnvironment(network), ...settings, ...keys, DATABASE_URL: database, DATA_DIR: dataDir() }
    const service = own(spawnCluster('2', env))
    try {
      const { url, controlUrl } = await ready(service, READY_MS)
      expect(controlUrl).toBeNull()
      const { quoteToken } = await connectService(url).call('quote', { body: DEPOSIT_SWAP })
      const executes = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const headers = { 'content-type': 'application/json', connection: 'close' }
          const response = await fetch(`${url}/api/v1/execute`, { method: 'POST', headers, body: JSON.stringify({ quoteToken }) })
          return { status: response.status, ...((await response.json()) as { readonly data: Told }) }
        }),
      )
      expect(executes.map(({ status }) => status)).toEqual(Array(8).fill(200))
      const [ref = '', ...others] = new Set(executes.map(({ data }) => data.deposit?.address))
      expect([ref, others]).toEqual([expect.stringMatching(/./), []])
      const statusPath = `/api/v1/status?${new URLSearchParams({ quoteToken, ref })}`
      const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await ask(url, statusPath)).status))
      expect(statuses).toEqual(Array(8).fill(200))
      await expect.poll(() => workersOf(service), { timeout: 5_000 }).toHaveLength(2)
    } finally {
      service.child.kill('SIGTERM')
      expect(await service.ended).toEqual({ code: 0, signal: null })
      await dropDatabase(database)
      await network.close()
    }
  })

  it.each([
    ['a setting is wrong', '2', { RATE_LIMIT_ANONYMOUS_PER_MINUTE: 'x' }, /^Configuration is invalid:\n.*RATE_LIMIT_ANONYMOUS/],
    ['the number of processes is wrong', '0', {}, /^Usage: npm run cluster -- <processes from 1 to 64>$/m],
    [
      'its records cannot be used',
      '2',
      { DATABASE_URL: 'postgres://127.0.0.1:9/x', DATABASE_SINGLE_INSTANCE: 'true' },
      /DATABASE_URL cannot be used/,
    ],
  ])('fails to start with the reason, once, where %s', { timeout: 120_000 }, async (_what, count, env, words) => {
    const service = spawn(count, env)
    expect((await service.ended).code).toBe(1)
    expect(service.stderr()).toMatch(words)
    const lines = service.stderr().split('\n')
    expect(lines.filter((line) => words.test(line) || line.includes('cannot be used')).length).toBeLessThan(2)
  })
})
