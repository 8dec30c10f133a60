import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, createServer as createHttpServer, request } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Environment, parseConfig } from '../../engine/config/config.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { openStore } from '../../engine/store/openStore.ts'
import { controlNetwork } from '../../scripts/client/network.ts'
import { connectService } from '../../scripts/client/service.ts'
import { landedFile } from '../support/landedRecords.ts'
import { lacks } from '../support/needs.ts'
import { TRANSACTION_SWAP } from '../support/swaps.ts'
import {
  descendantsOf,
  ready,
  SERVE,
  type ServiceProcess,
  spawnByNpm,
  spawnService,
  spawnWith,
  stillRunning,
} from './serviceProcess.ts'

let dataDir: string
let started: ServiceProcess[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swap-process-'))
})
afterEach(async () => {
  for (const { child, ended } of started) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  }
  started = []
  await rm(dataDir, { recursive: true, force: true })
})

const start = (env: Environment = {}, nodeOptions: readonly string[] = []): ServiceProcess => {
  const service = spawnService({ PORT: '0', SIMNET_CONTROL_PORT: '0', DATA_DIR: dataDir, ...env }, nodeOptions)
  started.push(service)
  return service
}

const startByNpm = (): ServiceProcess => {
  const service = spawnByNpm({ PORT: '0', SIMNET_CONTROL_PORT: '0', DATA_DIR: dataDir })
  started.push(service)
  return service
}

/** Expects that it gives up by itself, and gives what it said. */
const failToStart = async (env: Environment): Promise<readonly string[]> => {
  const service = start(env)
  const { code } = await service.ended
  expect(code).toBe(1)
  expect(service.stdout()).toBe('')
  return service.stderr().trimEnd().split('\n')
}

const occupied = async (): Promise<{ readonly port: number; readonly server: Server }> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, server }
}

/** Whether anybody accepts connections there. */
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
  it('says loudly that all is simulated, where it is controlled and where it listens, and logs JSON lines [config-mainnet-quiet]', async () => {
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

  it('says in one line that the port is taken [config-start-one-line]', async () => {
    const { port, server } = await occupied()
    const lines = await failToStart({ PORT: String(port) })
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^Port ${port} .*in use.*PORT`))])
    server.close()
  })

  it('says in one line that the control port is taken', async () => {
    const { port, server } = await occupied()
    const lines = await failToStart({ SIMNET_CONTROL_PORT: String(port) })
    expect(lines).toEqual([expect.stringMatching(new RegExp(`port ${port} .*in use.*SIMNET_CONTROL_PORT`, 'i'))])
    server.close()
  })

  it('lists everything that is wrong with its settings, by name and never by value [config-start-one-line]', async () => {
    const wrong = {
      PORT: '99999',
      NETWORK: 'testnet',
      QUOTE_TOKEN_KEYS: 'not-a-key-but-a-secret',
      QUOTE_DEADLINE_MS: '1.5',
      VENUE_ACROSS_BASE_URL: 'ftp://user:hunter2@example.test',
      VENUE_ACROSS_FEE_RECIPIENT: 'nobody-at-all',
      VENUES_ENABLED: 'across,hop-protocol',
      RPC_URLS_8453: 'no-url-here',
      TRUSTED_PROXIES: 'some-proxy-name',
      VENUE_COW_FEE_RECIPENT: 'misspelt-value',
    }
    const lines = await failToStart(wrong)
    expect(lines[0]).toBe('Configuration is invalid:')
    for (const [name, value] of Object.entries(wrong)) {
      expect(
        lines.filter((line) => line.includes(name)),
        name,
      ).toHaveLength(1)
      expect(lines.join('\n')).not.toContain(value)
    }
    expect(lines).toHaveLength(1 + Object.keys(wrong).length)
  })

  it('says in one line why the data folder cannot be used: none can be made, or its records are of an earlier build or another network [config-start-one-line]', async () => {
    expect(await failToStart({ DATA_DIR: '/dev/null/data' })).toEqual([expect.stringContaining('DATA_DIR')])
    const earlier = landedFile()
    const says = `DATA_DIR ${earlier.folder} cannot be used: ${earlier.file} holds records of an earlier build`
    expect(await failToStart({ DATA_DIR: earlier.folder })).toEqual([expect.stringContaining(says)])
    await earlier.remove()
    await (await openStore(parseConfig({ NETWORK: 'mainnet', DATA_DIR: dataDir }), systemClock)).close()
    expect(await failToStart({})).toEqual([
      `DATA_DIR ${dataDir} cannot be used: ${join(dataDir, 'swaps.sqlite')} holds records of mainnet, and NETWORK is simnet: ` +
        'set NETWORK=mainnet, or name another place.',
    ])
  })

  it.skipIf(lacks('prlimit')).each([
    [22, ['scripts/run.cjs', 'scripts/start.ts']],
    [40, [SERVE]],
  ])('names the limit of open files in one line where %i are too few to start %j', async (limit, script) => {
    const service = spawnWith({ PORT: '0', SIMNET_CONTROL_PORT: '0', DATA_DIR: dataDir }, 'prlimit', [
      `--nofile=${limit}`,
      process.execPath,
      ...script,
    ])
    started.push(service)
    expect(await service.ended).toMatchObject({ code: 1 })
    expect(service.stderr()).toMatch(new RegExp(`^This process may open ${limit} files, .*ulimit -n.*\\n$`))
  })

  it('names records of an earlier build above the data folder, which it ignores', async () => {
    const [ignored, folder] = [join(dataDir, 'swaps.sqlite'), join(dataDir, 'simnet')]
    await writeFile(ignored, 'of an earlier build')
    const service = start({ DATA_DIR: folder })
    await ready(service)
    const line = `Warning: ${ignored} is ignored: records are in ${folder}. Move or delete it.`
    expect(service.stderr().split('\n')).toContain(line)
    expect(await readFile(ignored, 'utf8')).toBe('of an earlier build')
  })
})

describe.skipIf(lacks('ps'))('the end', () => {
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

  it('lets a request under way finish, takes no others, exits 0 and leaves no process behind [ops-stop-finishes]', async () => {
    const { service, url, children, slow } = await slowRequest(false)
    service.child.kill('SIGTERM')
    await expect.poll(() => connects(url), { timeout: 5_000, interval: 10 }).toBe(false)
    expect(service.child.exitCode).toBeNull()
    expect(await slow).toMatchObject({ status: 200, body: { data: { venue: { id: 'across' } } } })
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(stillRunning(children)).toEqual([])
  })

  it('comes as soon as the last request is answered, although its connection is kept open', async () => {
    const { service, slow } = await slowRequest(true)
    service.child.kill('SIGTERM')
    expect(await slow).toMatchObject({ status: 200 })
    const answeredAt = performance.now()
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - answeredAt).toBeLessThan(5_000)
  })

  it('lets it finish, too, when npm and its shell are stopped as well', async () => {
    const { service, children, slow } = await slowRequest(true, startByNpm())
    const [shell = 0, node = 0] = children
    for (const pid of [node, shell, service.child.pid ?? 0]) process.kill(pid, 'SIGTERM')
    expect(await slow).toMatchObject({ status: 200 })
    await expect.poll(() => stillRunning(children), { timeout: 5_000 }).toEqual([])
  })

  it('leaves no process behind when npm is stopped, whose shell passes nothing on [ops-stop-finishes]', async () => {
    const service = startByNpm()
    const { url } = await ready(service)
    await connectService(url).call('quote', { body: TRANSACTION_SWAP })
    const all = descendantsOf(service.child.pid ?? 0)
    service.child.kill('SIGTERM')
    try {
      await expect.poll(() => stillRunning(all), { timeout: 5_000 }).toEqual([])
    } finally {
      for (const pid of stillRunning(all)) process.kill(pid, 'SIGKILL')
    }
  })

  it('leaves no process behind either when it is killed outright [ops-stop-finishes]', async () => {
    const service = start()
    const { url } = await ready(service)
    await connectService(url).call('quote', { body: TRANSACTION_SWAP })
    const children = descendantsOf(service.child.pid ?? 0)
    expect(children.length).toBeGreaterThan(0)
    service.child.kill('SIGKILL')
    expect(await service.ended).toEqual({ code: null, signal: 'SIGKILL' })
    await expect.poll(() => stillRunning(children), { timeout: 5_000 }).toEqual([])
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
  const trapped = (env: Environment, port: number) =>
    start({ NETWORK: 'mainnet', ...env }, ['--import', `data:text/javascript,${encodeURIComponent(trapOf(port))}`])

  it('asks nobody at the start but the hosts of the venues, once each, and three chains for the time; and says nothing of a simulation [config-mainnet-quiet]', async () => {
    const asked: string[] = []
    const venue = createHttpServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`)
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => venue.listen(0, '127.0.0.1', resolve))
    const { port } = venue.address() as AddressInfo
    const here = `http://127.0.0.1:${port}`
    const chains = Object.fromEntries([8453, 42161, 137].map((id) => [`RPC_URLS_${id}`, `${here}/${id}`]))
    const service = trapped({ VENUES_ENABLED: 'relay', VENUE_RELAY_BASE_URL: here, ...chains }, port)
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
    venue.close()
  })

  it('would have been caught if it had asked somebody', async () => {
    const service = trapped({}, 0)
    expect(await service.ended).toEqual({ code: 99, signal: null })
    expect(service.stderr()).toContain('a connection was opened')
  })
})
