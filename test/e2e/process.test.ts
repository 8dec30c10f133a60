import { Agent, createServer, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { type Environment, parseConfig } from '../../engine/config/config.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { openStore } from '../../engine/store/openStore.ts'
import { controlNetwork } from '../../scripts/client/network.ts'
import { connectService } from '../../scripts/client/service.ts'
import { closing } from '../support/closing.ts'
import { freePort } from '../support/freePort.ts'
import { listening } from '../support/listening.ts'
import { lacks, missingNeeds } from '../support/needs.ts'
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

const later = closing()
const { dataDir, own } = ownProcesses()
const settings = () => ({ PORT: '0', SIMNET_CONTROL_PORT: '0', DATA_DIR: dataDir() })
const MAINNET = { NETWORK: 'mainnet', LOG_LEVEL: 'silent' }
const CLEAN_END = { code: 0, signal: null }
const start = (env: Environment = {}, nodeOptions: readonly string[] = []): ServiceProcess =>
  own(spawnService({ ...settings(), ...env }, nodeOptions))
/** npm, its shell, and the service below. */
const startByNpm = (): ServiceProcess => own(spawnWith(settings(), 'npm', ['start']))

/** Expects that the start fails. Returns the lines of standard error. */
const failToStart = async (env: Environment): Promise<readonly string[]> => {
  const service = start(env)
  expect((await service.ended).code).toBe(1)
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

type Heard = { readonly status: number; readonly isLast: boolean; readonly body: string }

/** One request over the connection of an agent; false: over one of its own, which closes. `isLast`: the answer closes the connection. */
const ask = (agent: Agent | false, url: string, body?: object): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const asking = request(url, { method: body ? 'POST' : 'GET', agent, headers }, (response) => {
      const isLast = response.headers.connection === 'close'
      text(response).then((heard) => resolve({ status: response.statusCode ?? 0, isLast, body: heard }), reject)
    })
    asking.once('error', reject)
    asking.end(body && JSON.stringify(body))
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
    expect(await service.ended).toEqual(CLEAN_END)
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
      const { port } = later(await listening(createServer()))
      const reason = expect.stringMatching(new RegExp(`port ${port} .*in use.*${name}`, 'i'))
      expect(await failToStart({ [name]: String(port) })).toEqual([reason])
    },
  )

  it.each<[string, Environment, readonly (string | RegExp)[]]>([
    [
      'wrong settings',
      { NETWORK: 'testnet', VENUE_COW_FEE_RECIPENT: 'misspelt' },
      ['Configuration is invalid:', /NETWORK/, /VENUE_COW_FEE_RECIPENT/],
    ],
    ['an unusable data folder', { DATA_DIR: '/dev/null/data' }, [/DATA_DIR/]],
    [
      'an unreachable database',
      { DATABASE_URL: 'postgres://somebody:hush-hush@127.0.0.1:9/swaps', DATABASE_SINGLE_INSTANCE: 'true' },
      ['DATABASE_URL cannot be used: the store failed: no connection to the database (ECONNREFUSED).'],
    ],
  ])('with %s fails with one line for each problem [config-start-one-line]', async (_what, env, lines) => {
    expect(await failToStart(env)).toEqual(lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))))
  })

  it('with records of another network fails with one line [config-start-one-line]', async () => {
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
  /** A service with a chain's node of its own, and quotes under way that take a while, on connections that stay open and not. */
  const slowRequests = async (service = start()) => {
    const { url, controlUrl } = await ready(service)
    await connectService(url).call('quote', { body: TRANSACTION_SWAP })
    const children = descendantsOf(service.child.pid ?? 0)
    expect(children.length).toBeGreaterThan(0)
    await controlNetwork(controlUrl ?? '').fault('across', 'latency', { ms: 1_500, count: 2 })
    const kept = new Agent({ keepAlive: true })
    const slow = Promise.all([kept, false as const].map((agent) => ask(agent, `${url}/api/v1/quote`, TRANSACTION_SWAP)))
    const faults = async () => ((await (await fetch(`${controlUrl}/faults`)).json()) as { active: unknown[] }).active
    // The fault is used up when the venue is asked.
    await expect.poll(faults, { timeout: 5_000, interval: 10 }).toEqual([])
    return { service, url, children, slow }
  }

  it('finishes the requests under way, accepts no other, exits with 0 and leaves no process [ops-stop-finishes]', async () => {
    const { service, url, children, slow } = await slowRequests()
    service.child.kill('SIGTERM')
    await expect.poll(() => connects(url), { timeout: 5_000, interval: 10 }).toBe(false)
    expect(service.child.exitCode).toBeNull()
    for (const { status, body } of await slow)
      expect([status, JSON.parse(body)]).toMatchObject([200, { data: { venue: { id: 'across' } } }])
    const answeredAt = performance.now()
    expect(await service.ended).toEqual(CLEAN_END)
    expect(performance.now() - answeredAt).toBeLessThan(5_000)
    expect(stillRunning(children)).toEqual([])
  })

  it('finishes the requests under way when npm and its shell are stopped as well', async () => {
    const { service, children, slow } = await slowRequests(startByNpm())
    const [shell = 0, node = 0] = children
    for (const pid of [node, shell, service.child.pid ?? 0]) process.kill(pid, 'SIGTERM')
    expect((await slow).map(({ status }) => status)).toEqual([200, 200])
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

describe('a stop under load [ops-stop-clean]', () => {
  const CLIENTS = 24

  const startLoaded = async () => {
    const service = start(MAINNET)
    return { service, url: `${(await ready(service)).url}/api/v1/health` }
  }

  /**
   * Sends one request after the other on a kept connection. Returns `closed` after a response with Connection: close, else the
   * code of the error. A relentless client connects again after such a response.
   */
  const keepAsking = async (url: string, statuses: number[], isRelentless: boolean): Promise<string> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      for (;;) {
        const { status, isLast } = await ask(agent, url)
        statuses.push(status)
        if (isLast && !isRelentless) return 'closed'
      }
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error)
    } finally {
      agent.destroy()
    }
  }

  it.each([
    ['ends each kept connection with Connection: close, and resets none', false, 'closed'],
    ['serves clients that connect again at once, or refuses them once nothing listens', true, 'ECONNREFUSED'],
  ])('%s', async (_what, isRelentless, ending) => {
    const { service, url } = await startLoaded()
    const statuses: number[] = []
    const clients = Array.from({ length: CLIENTS }, () => keepAsking(url, statuses, isRelentless))
    await expect.poll(() => statuses.length, { interval: 5 }).toBeGreaterThan(CLIENTS * 5)
    service.child.kill('SIGTERM')
    expect(await Promise.all(clients)).toEqual(Array(CLIENTS).fill(ending))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await service.ended).toEqual(CLEAN_END)
  })

  it('serves new connections while it ends the others', async () => {
    const { service, url } = await startLoaded()
    const idle = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(await ask(idle, url)).toMatchObject({ status: 200, isLast: false })
    service.child.kill('SIGTERM')
    /** On a connection that is new, and offered to be kept. */
    const askAnew = () => {
      const agent = new Agent({ keepAlive: true })
      return ask(agent, url).finally(() => agent.destroy())
    }
    // The first Connection: close: the stop has begun, and the idle client delays its end.
    while (!(await askAnew()).isLast);
    const late = await Promise.all([...Array.from({ length: CLIENTS }, askAnew), ask(idle, url)])
    expect(late.map(({ status, isLast }) => [status, isLast])).toEqual(Array(CLIENTS + 1).fill([200, true]))
    expect(await service.ended).toEqual(CLEAN_END)
    idle.destroy()
  })
})

describe('readiness', () => {
  const POLL = { timeout: 15_000, interval: 10 }

  const answerOf = async (url: string): Promise<{ readonly status: number; readonly body: unknown } | null> => {
    try {
      const response = await fetch(url)
      return { status: response.status, body: await response.json() }
    } catch {
      return null
    }
  }
  const unready = (reason: string) => ({ status: 503, body: { ready: false, reasons: [reason] } })

  it('is 503 starting while the database does not answer, until the start fails with one line [ready-start-and-drain]', async () => {
    const silent = later(await listening(createServer().on('clientError', () => undefined)))
    const port = await freePort()
    const service = start({
      ...MAINNET,
      METRICS_PORT: String(port),
      DATABASE_URL: `postgres://postgres@127.0.0.1:${silent.port}/swaps`,
      ...{ QUOTE_TOKEN_KEYS: 'ab'.repeat(32), WEBHOOK_SECRET_KEYS: 'cd'.repeat(32) },
    })
    await expect.poll(() => answerOf(`http://127.0.0.1:${port}/ready`), POLL).toEqual(unready('starting'))
    expect(await answerOf(`http://127.0.0.1:${port}/live`)).toEqual({ status: 200, body: { live: true } })
    expect((await service.ended).code).toBe(1)
    expect(service.stderr().trimEnd()).toMatch(/^DATABASE_URL cannot be used: .+$/)
  })

  const readyUrlOf = ({ stderr }: ServiceProcess) => `${/^Monitoring on (http:\/\/\S+)$/m.exec(stderr())?.[1]}/ready`

  it('is 503 while no venue can be reached, without any quote [ready-start-and-drain]', async () => {
    const venues = { VENUES_ENABLED: 'relay', VENUE_RELAY_BASE_URL: 'http://127.0.0.1:9' }
    const service = start({ ...MAINNET, METRICS_PORT: '0', ...venues })
    await ready(service)
    await expect.poll(() => answerOf(readyUrlOf(service)), POLL).toEqual(unready('venues'))
  })

  it.skipIf(missingNeeds().includes('unshare'))('is lost within seconds of a start in a network without a route', async () => {
    const wrapper = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, SERVE]
    const service = own(spawnWith({ ...settings(), NETWORK: 'mainnet' }, 'unshare', wrapper))
    await expect.poll(service.stdout, POLL).toMatch(/"event":"service.readiness","ready":false,.*"problems":\["venues"\]/)
  })

  it('is 503 draining from the signal to the end, which further signals do not cut short [ready-start-and-drain]', async () => {
    const service = start({ ...MAINNET, METRICS_PORT: '0' })
    const { url } = await ready(service)
    expect(await answerOf(readyUrlOf(service))).toEqual({ status: 200, body: { ready: true, reasons: [] } })
    // An idle client delays the end.
    const idle = new Agent({ keepAlive: true })
    await ask(idle, `${url}/api/v1/chains`)
    service.child.kill('SIGTERM')
    await expect.poll(() => answerOf(readyUrlOf(service)), POLL).toEqual(unready('draining'))
    service.child.kill('SIGTERM')
    service.child.kill('SIGINT')
    expect(await answerOf(readyUrlOf(service))).toEqual(unready('draining'))
    expect(await service.ended).toEqual(CLEAN_END)
    idle.destroy()
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
    const venue = createServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`)
      response.writeHead(404).end()
    })
    const { port, url: here } = later(await listening(venue))
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
    expect(await service.ended).toEqual(CLEAN_END)
    expect(service.stderr()).toBe(said)
    expect([...new Set(asked)].toSorted()).toEqual(['GET /', 'POST /137', 'POST /42161', 'POST /8453'])
    expect(asked.filter((one) => one === 'GET /')).toHaveLength(1)
  })
})
