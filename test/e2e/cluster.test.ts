import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { controlNetwork } from '../../scripts/client/network.ts'
import { connectService } from '../../scripts/client/service.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { freePort } from '../support/freePort.ts'
import { lacks } from '../support/needs.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { descendantsOf, ownProcesses, ready, type ServiceProcess, spawnWith, stillRunning } from './serviceProcess.ts'

/** `npm run cluster`: several processes on one port. */

/** What the start of several processes needs. */
const START = { timeout: 60_000 }

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
  own(spawnWith({ ...SETTINGS, DATA_DIR: dataDir(), ...env }, process.execPath, ['scripts/cluster.ts', count]))

const workersOf = ({ stdout }: ServiceProcess): readonly number[] => [
  ...new Set([...stdout().matchAll(/^\{"worker":(\d+),"level":\d+,.*"event":"request"/gm)].map(([, worker]) => Number(worker))),
]

/** Each on a connection of its own: connections are what is shared out. */
const ask = (url: string, path: string, from = '203.0.113.1') =>
  fetch(`${url}${path}`, { headers: { connection: 'close', 'x-forwarded-for': from } })

/** Of its descendants those that serve: the others are nodes of the offline network's chains. */
const workerPids = ({ child }: ServiceProcess): readonly number[] =>
  descendantsOf(child.pid ?? 0).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('clusterWorker.ts')
    } catch {
      // Gone meanwhile.
      return false
    }
  })

/** Sends requests until it is stopped, on kept and on new connections. Returns the status of each answer, or its error. */
const lightLoad = (url: string): (() => Promise<readonly (number | string)[]>) => {
  const endings: (number | string)[] = []
  let [asked, isOver] = [0, false]
  const client = connectService(url)
  const work = async (own: { readonly [name: string]: string }): Promise<void> => {
    while (!isOver) {
      asked += 1
      const headers = { ...own, 'x-forwarded-for': `10.0.${asked >> 8}.${asked & 255}` }
      const asking =
        asked % 8 === 0
          ? client.send('POST', '/api/v1/quote', { body: DEPOSIT_SWAP, headers })
          : client.send('GET', '/api/v1/chains', { headers })
      endings.push(
        await asking.then(
          ({ status }) => status,
          (error: unknown) => String((error as Error).cause ?? error),
        ),
      )
      await sleep(2)
    }
  }
  const working = Promise.all([{}, {}, {}, { connection: 'close' }, { connection: 'close' }].map(work))
  return async () => {
    isOver = true
    await working
    return endings
  }
}

describe.skipIf(lacks('ps'))('a cluster', () => {
  it('serves one port, shares limits and time among its processes, replaces a dead one and ends them together [cluster-one-port]', {
    timeout: 120_000,
  }, async () => {
    const service = spawn('2', { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '40' })
    const { url, controlUrl } = await ready(service, START.timeout)
    const client = connectService(url)
    const { quoteToken } = await client.call('quote', { body: DEPOSIT_SWAP })
    const first = await executeAs(client, 'DEPOSIT', { quoteToken })
    for (let i = 0; i < 4; i += 1) expect(await executeAs(client, 'DEPOSIT', { quoteToken })).toEqual(first)
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await ask(url, '/api/v1/chains')).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(40)
    await expect.poll(() => workersOf(service), { timeout: 5_000 }).toHaveLength(2)
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
    const { url } = await ready(service, START.timeout)
    const readyAt = `http://127.0.0.1:${metricsPort}/ready`
    expect((await fetch(readyAt)).status).toBe(200)
    const [old] = workerPids(service)
    const endLoad = lightLoad(url)
    service.child.kill('SIGHUP')
    await expect.poll(service.stderr, START).toMatch(/^Worker 0 is replaced\.$/m)
    const endings = await endLoad()
    expect(endings.filter((ending) => ending !== 200)).toEqual([])
    expect(endings.length).toBeGreaterThan(50)
    const [renewed] = workerPids(service)
    expect(renewed).not.toBe(old)
    expect((await fetch(readyAt)).status).toBe(200)

    const keyFile = join(dataDir(), 'quote-token.key')
    const key = await readFile(keyFile, 'utf8')
    await writeFile(keyFile, 'no key\n')
    service.child.kill('SIGHUP')
    await expect.poll(service.stderr, START).toMatch(/^Worker 0 stays: what was to replace it did not start\.$/m)
    expect(workerPids(service)).toEqual([renewed])
    expect((await ask(url, '/api/v1/health')).status).toBe(200)

    await writeFile(keyFile, key)
    service.child.kill('SIGHUP')
    await expect.poll(() => workerPids(service).includes(renewed ?? 0), START).toBe(false)
    expect((await ask(url, '/api/v1/health')).status).toBe(200)
    const all = descendantsOf(service.child.pid ?? 0)
    service.child.kill('SIGKILL')
    await service.ended
    await expect.poll(() => stillRunning(all), { timeout: 20_000 }).toEqual([])
  })

  it.each([
    ['a setting is wrong', '2', { RATE_LIMIT_ANONYMOUS_PER_MINUTE: 'x' }, /^Configuration is invalid:\n.*RATE_LIMIT_ANONYMOUS/],
    ['the number of processes is wrong', '0', {}, /^Usage: npm run cluster -- <processes from 1 to 64>$/m],
  ])('fails to start with the reason, once, where %s', { timeout: 120_000 }, async (_what, count, env, words) => {
    const service = spawn(count, env)
    expect((await service.ended).code).toBe(1)
    expect(service.stderr()).toMatch(words)
    expect(service.stderr().match(/^Configuration is invalid:/gm) ?? []).toHaveLength(count === '0' ? 0 : 1)
  })
})
