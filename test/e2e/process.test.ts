import { Agent, createServer as createHttpServer, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Environment, parseConfig } from '../../engine/config/config.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { openStore } from '../../engine/store/openStore.ts'
import { controlNetwork } from '../../scripts/client/network.ts'
import { connectService } from '../../scripts/client/service.ts'
import { listening } from '../support/listening.ts'
import { lacks } from '../support/needs.ts'
import { TRANSACTION_SWAP } from '../support/swaps.ts'
import {
  descendantsOf,
  ownProcesses,
  ready,
  SERVE,
  type ServiceProcess,
  spawnService,
  spawnWith,
  stillRunning,
} from './serviceProcess.ts'

const { dataDir, own } = ownProcesses()
const settings = () => ({ PORT: '0', SIMNET_CONTROL_PORT: '0', DATA_DIR: dataDir() })
const start = (env: Environment = {}, nodeOptions: readonly string[] = []): ServiceProcess =>
  own(spawnService({ ...settings(), ...env }, nodeOptions))
/** npm, its shell, and the service below. */
const startByNpm = (): ServiceProcess => own(spawnWith(settings(), 'npm', ['start']))

/** Expects that the start fails. Returns the lines of standard error. */
const failToStart = async (env: Environment): Promise<readonly string[]> => {
  const service = start(env)
  const { code } = await service.ended
  expect(code).toBe(1)
  expect(service.stdout()).toBe('')
  return service.stderr().trimEnd().split('\n')
}

/** Whether a server accepts connections at a URL. */
const connects = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** One request on a connection of its own, which the client offers to keep open or not. */
const postOnce = (url: string, body: unknown, keepAlive: boolean): Promise<{ readonly status: number; readonly body: unknown }> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive })
    const asking = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) text += chunk
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) })
    })
    asking.once('error', reject)
    asking.end(JSON.stringify(body))
  })

describe('the start', () => {
  it('of the offline network says so and where it listens, and the log is JSON lines [config-mainnet-quiet]', async () => {
    const service = start()
    const { url, controlUrl } = await ready(service)
    expect(service.stderr().trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^NETWORK=simnet: .*simulated.*NETWORK=mainnet/),
      expect.stringMatching(/^Venues on: \w/),
      expect.stringMatching(/^Venues off: /),
      'Chains on public endpoints: none',
      `Offline network control: ${controlUrl}`,
      `Documentation: ${url}/docs`,
      `Offline network page: ${controlUrl}/`,
      `Listening on ${url}`,
    ])
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+$/)
    const answer = await connectService(url).send('GET', '/api/v1/health')
    expect(answer.headers.get('service-network')).toBe('simnet')
    expect(answer.body).toMatchObject({ data: { status: 'ok' } })
    const before = performance.now()
    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    // The client's connection was kept open, and idle.
    expect(performance.now() - before).toBeLessThan(5_000)
    const lines = service.stdout().trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ requestId: answer.headers.get('x-request-id'), status: 200 }),
    )
  })

  it.each(['PORT', 'SIMNET_CONTROL_PORT', 'METRICS_PORT'])(
    'at a taken %s fails with one line [config-start-one-line]',
    async (name) => {
      const { port, close } = await listening(createHttpServer())
      const reason = expect.stringMatching(new RegExp(`port ${port} .*in use.*${name}`, 'i'))
      expect(await failToStart({ [name]: String(port) })).toEqual([reason])
      await close()
    },
  )

  it('with wrong settings fails with a line for each, by name and never by value [config-start-one-line]', async () => {
    const wrong = {
      NETWORK: 'testnet',
      QUOTE_TOKEN_KEYS: 'not-a-key-but-a-secret',
      VENUE_ACROSS_BASE_URL: 'ftp://user:hunter2@example.test',
      VENUE_COW_FEE_RECIPENT: 'misspelt-value',
    }
    const [first, ...lines] = await failToStart(wrong)
    expect(first).toBe('Configuration is invalid:')
    for (const [name, value] of Object.entries(wrong)) {
      expect([name, lines.filter((line) => line.includes(name)).length]).toEqual([name, 1])
      expect(lines.join('\n')).not.toContain(value)
    }
    expect(lines).toHaveLength(Object.keys(wrong).length)
  })

  it('without a usable data folder or database fails with one line [config-start-one-line]', async () => {
    expect(await failToStart({ DATA_DIR: '/dev/null/data' })).toEqual([expect.stringContaining('DATA_DIR')])
    const database = { DATABASE_URL: 'postgres://somebody:hush-hush@127.0.0.1:9/swaps', DATABASE_SINGLE_INSTANCE: 'true' }
    expect(await failToStart(database)).toEqual([
      'DATABASE_URL cannot be used: the store failed: no connection to the database (ECONNREFUSED).',
    ])
    await (await openStore(parseConfig({ NETWORK: 'mainnet', DATA_DIR: dataDir() }), systemClock)).close()
    expect(await failToStart({})).toEqual([
      `DATA_DIR ${dataDir()} cannot be used: ${join(dataDir(), 'swaps.sqlite')} holds records of mainnet, and NETWORK is simnet: ` +
        'set NETWORK=mainnet, or name another place.',
    ])
  })

  it.skipIf(lacks('prlimit'))('with 40 open files fails with one line that names the limit', async () => {
    const service = own(spawnWith(settings(), 'prlimit', ['--nofile=40', process.execPath, SERVE]))
    expect(await service.ended).toMatchObject({ code: 1 })
    expect(service.stderr()).toMatch(/^This process may open 40 files, .*ulimit -n.*\n$/)
  })
})

describe.skipIf(lacks('ps'))('the stop', () => {
  /** A service with a chain's node of its own, and a quote under way that takes a while. */
  const slowRequest = async (keepAlive: boolean, service = start()) => {
    const { url, controlUrl } = await ready(service)
    await connectService(url).call('quote', { body: TRANSACTION_SWAP })
    const children = descendantsOf(service.child.pid ?? 0)
    expect(children.length).toBeGreaterThan(0)
    await controlNetwork(controlUrl ?? '').fault('across', 'latency', { ms: 1_500, count: 1 })
    const slow = postOnce(`${url}/api/v1/quote`, TRANSACTION_SWAP, keepAlive)
    const faults = async () => ((await (await fetch(`${controlUrl}/faults`)).json()) as { active: unknown[] }).active
    // The fault is used up when the venue is asked.
    await expect.poll(faults, { timeout: 5_000, interval: 10 }).toEqual([])
    return { service, url, children, slow }
  }

  it.each([
    ['closed', false],
    ['kept open', true],
  ])(
    'finishes the request under way, whose connection is %s, accepts no other, exits with 0 and leaves no process [ops-stop-finishes]',
    async (_what, keepAlive) => {
      const { service, url, children, slow } = await slowRequest(keepAlive)
      service.child.kill('SIGTERM')
      await expect.poll(() => connects(url), { timeout: 5_000, interval: 10 }).toBe(false)
      expect(service.child.exitCode).toBeNull()
      expect(await slow).toMatchObject({ status: 200, body: { data: { venue: { id: 'across' } } } })
      const answeredAt = performance.now()
      expect(await service.ended).toEqual({ code: 0, signal: null })
      expect(performance.now() - answeredAt).toBeLessThan(5_000)
      expect(stillRunning(children)).toEqual([])
    },
  )

  it('finishes the request under way when npm and its shell are stopped as well', async () => {
    const { service, children, slow } = await slowRequest(true, startByNpm())
    const [shell = 0, node = 0] = children
    for (const pid of [node, shell, service.child.pid ?? 0]) process.kill(pid, 'SIGTERM')
    expect(await slow).toMatchObject({ status: 200 })
    await expect.poll(() => stillRunning(children), { timeout: 5_000 }).toEqual([])
  })

  it.each([
    ['of npm, whose shell passes no signal on', startByNpm, 'SIGTERM'],
    ['by SIGKILL', () => start(), 'SIGKILL'],
  ] as const)('%s leaves no process [ops-stop-finishes]', async (_what, startIt, signal) => {
    const service = startIt()
    const { url } = await ready(service)
    await connectService(url).call('quote', { body: TRANSACTION_SWAP })
    const all = descendantsOf(service.child.pid ?? 0)
    expect(all.length).toBeGreaterThan(0)
    service.child.kill(signal)
    try {
      if (signal === 'SIGKILL') expect(await service.ended).toEqual({ code: null, signal })
      await expect.poll(() => stillRunning(all), { timeout: 5_000 }).toEqual([])
    } finally {
      for (const pid of stillRunning(all)) process.kill(pid, 'SIGKILL')
    }
  })
})

describe('NETWORK=mainnet', () => {
  /** Ends the process, saying so, when it opens a connection to anywhere but a port. */
  const trapOf = (port: number) => `import net from 'node:net'
    const { connect } = net.Socket.prototype
    net.Socket.prototype.connect = function (...to) {
      if (/"port":"?${port}\\b/.test(JSON.stringify(to))) return connect.apply(this, to)
      process.stderr.write('a connection was opened\\n')
      process.exit(99)
    }`

  it('calls at the start the hosts of the venues, once each, and three chains for the time, and mentions no simulation [config-mainnet-quiet]', async () => {
    const asked: string[] = []
    const venue = createHttpServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`)
      response.writeHead(404).end()
    })
    const { port, url: here, close } = await listening(venue)
    const chains = Object.fromEntries([8453, 42161, 137].map((id) => [`RPC_URLS_${id}`, `${here}/${id}`]))
    const env = { NETWORK: 'mainnet', VENUES_ENABLED: 'relay', VENUE_RELAY_BASE_URL: here, ...chains }
    const service = start(env, ['--import', `data:text/javascript,${encodeURIComponent(trapOf(port))}`])
    const { url, controlUrl } = await ready(service)
    expect(controlUrl).toBeNull()
    const said = service.stderr()
    expect(said).not.toMatch(/simulat/i)
    expect(said.split('\n').map((line) => line.split(':')[0])).toEqual([
      ...['NETWORK=mainnet', 'Venues on', 'Venues off', 'Chains on public endpoints', 'Documentation', 'Listening on http', ''],
    ])
    const client = connectService(url)
    expect((await client.call('chains')).length).toBeGreaterThan(10)
    expect(await client.call('health')).toMatchObject({ status: 'ok' })
    expect((await client.send('GET', '/openapi.json')).headers.get('service-network')).toBeNull()
    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(service.stderr()).toBe(said)
    expect([...new Set(asked)].toSorted()).toEqual(['GET /', 'POST /137', 'POST /42161', 'POST /8453'])
    expect(asked.filter((one) => one === 'GET /')).toHaveLength(1)
    await close()
  })
})
