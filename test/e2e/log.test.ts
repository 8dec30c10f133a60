import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TypedDataDefinition } from 'viem'
import { describe, expect, it } from 'vitest'
import { rpcUrlsKey } from '../../engine/config/chains.ts'
import type { Environment } from '../../engine/config/config.ts'
import { venueKey } from '../../engine/config/venues.ts'
import { CHAIN_IDS } from '../../engine/core/chain.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { connectService, type ServiceClient } from '../../scripts/client/service.ts'
import { closing } from '../support/closing.ts'
import { documentedOperations } from '../support/documentedOperations.ts'
import { listening } from '../support/listening.ts'
import { lacks } from '../support/needs.ts'
import { ACCOUNT, DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import {
  descendantsOf,
  ownProcesses,
  ready,
  type ServiceProcess,
  spawnService,
  spawnWith,
  stillRunning,
} from './serviceProcess.ts'

/** More than a pipe holds (64 KiB), and than is written at once. */
const LINES = 500
const STOP_MS = 6_000

const { dataDir, own } = ownProcesses()
const later = closing()

const settings = () => ({ PORT: '0', SIMNET_CONTROL_PORT: '0', DATA_DIR: dataDir(), RATE_LIMIT_ANONYMOUS_PER_MINUTE: '100000' })

const openFor = (path: string, flags: number | 'a'): number => {
  const descriptor = openSync(path, flags)
  later({ close: () => closeSync(descriptor) })
  return descriptor
}

/** An open pipe without a reader. */
const stalledPipe = (): number => {
  const path = join(dataDir(), 'log')
  execFileSync('mkfifo', [path])
  return openFor(path, constants.O_RDWR | constants.O_NONBLOCK)
}

const expectServed = async (url: string): Promise<void> => {
  const client = connectService(url)
  for (let i = 0; i < LINES; i += 1) expect((await client.send('GET', '/api/v1/health')).status).toBe(200)
}

/** The processes below a service that has started a chain's node. They end with the test. */
const withNodes = async (service: ServiceProcess, url: string): Promise<readonly number[]> => {
  await connectService(url).call('quote', { body: TRANSACTION_SWAP })
  const pids = descendantsOf(service.child.pid ?? 0)
  expect(pids.length).toBeGreaterThan(0)
  later({
    close: () => {
      for (const pid of stillRunning(pids)) process.kill(pid, 'SIGKILL')
    },
  })
  return pids
}

describe.skipIf(lacks('linux', 'ps', 'mkfifo'))('a log that cannot be written [ops-log-never-blocks]', () => {
  it.each<[string, () => number | undefined]>([
    ['its disk is full', () => openFor('/dev/full', constants.O_WRONLY)],
    ['its reader stalls', stalledPipe],
    ['its reader is gone, as that of standard error', () => undefined],
  ])('because %s neither stops the service nor delays its stop', async (_why, open) => {
    const stdout = open()
    const service = own(spawnService(settings(), [], stdout ?? 'pipe'))
    const { url } = await ready(service)
    if (stdout === undefined) for (const stream of [service.child.stdout, service.child.stderr]) stream?.destroy()
    const nodes = await withNodes(service, url)
    await expectServed(url)
    service.child.kill('SIGTERM')
    const late = new Promise((resolve) => setTimeout(resolve, STOP_MS, 'still running').unref())
    expect(await Promise.race([service.ended, late])).toEqual({ code: 0, signal: null })
    await expect.poll(() => stillRunning(nodes), { timeout: STOP_MS }).toEqual([])
  })

  it('continues as soon as its reader reads again', async () => {
    const pipe = stalledPipe()
    const env = { ...settings(), NETWORK: 'mainnet', VENUES_ENABLED: 'relay' }
    const { url } = await ready(own(spawnService(env, [], pipe)))
    await expectServed(url)
    const last = (await connectService(url).send('GET', '/api/v1/health')).headers.get('x-request-id') ?? ''
    const chunk = Buffer.alloc(65_536)
    let log = ''
    const read = (): string => {
      try {
        log += chunk.toString('utf8', 0, readSync(pipe, chunk))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      }
      return log
    }
    await expect.poll(read, { timeout: 5_000, interval: 5 }).toContain(last)
    const lines = log.trimEnd().split('\n')
    const events = lines.map((line) => (JSON.parse(line) as { event: string }).event)
    // Readiness changes when no venue answers.
    expect(events.filter((event) => event !== 'service.readiness')).toEqual(Array(LINES + 1).fill('request'))
  })
})

/** Starts `npm start` with pipes of its own, and passes its standard error on. */
const PARENT = `
  const npm = require('node:child_process').spawn('npm', ['start'], { stdio: ['ignore', 'pipe', 'pipe'] })
  npm.stderr.pipe(process.stderr)`

it.skipIf(lacks('ps'))(
  'npm start, whose parent is killed, continues to serve, and leaves no chain node when npm is stopped',
  async () => {
    const parent = own(spawnWith(settings(), process.execPath, ['-e', PARENT]))
    const { url } = await ready(parent)
    const all = await withNodes(parent, url)
    parent.child.kill('SIGKILL')
    await expectServed(url)
    process.kill(all[0] ?? 0, 'SIGTERM')
    await expect.poll(() => stillRunning(all), { timeout: STOP_MS }).toEqual([])
  },
)

/** What must stand in no line of the log, wherever it was given: all that is planted has this in it. */
const PLANTED = 'plantedplantedplanted'

/** Stands in for every venue and chain: it fails, and echoes the request. */
const startEcho = () =>
  listening(
    createServer(async (request, response) => {
      const heard = `${request.url} ${JSON.stringify(request.headers)} ${await text(request)}`
      const status = [200, 400, 401, 500][heard.length % 4] ?? 500
      response
        .writeHead(status, heard.slice(0, 300).replaceAll(/[^ -~]/g, '.'), { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { code: -32_000, message: heard }, message: heard, reason: heard }))
    }),
  )

/** A service with a log of every level. `end`: ends it, and returns its log and standard error. */
const startLogged = async (env: Environment): Promise<ServiceClient & { end(): Promise<string> }> => {
  const path = join(dataDir(), 'log')
  const service = own(spawnService({ ...settings(), SIMNET_SEED: '1', LOG_LEVEL: 'debug', ...env }, [], openFor(path, 'a')))
  const end = async () => {
    service.child.kill('SIGTERM')
    await service.ended
    return `${await readFile(path, 'utf8')}\n${service.stderr()}`
  }
  return { ...connectService((await ready(service)).url), end }
}

/** Each secret with the lines that have it. */
const leaksOf = (log: string, secrets: readonly string[]): readonly (readonly [string, string])[] =>
  log
    .split('\n')
    .flatMap((line) => secrets.filter((secret) => line.includes(secret)).map((secret) => [secret, line.slice(0, 2_000)] as const))

const hex = (text: string): string => `0x${Buffer.from(text.padEnd(65, '.')).toString('hex')}`

const CONTACTS = {
  email: `${PLANTED}@example.com`,
  projectName: PLANTED,
  website: `https://${PLANTED}.example.com`,
  telegram: `@${PLANTED}`,
  twitter: `@${PLANTED}`,
}

it('the log has no key, token, endpoint address, contact, signature or webhook when every call fails and echoes its request [security-log-secrets]', async () => {
  const { url } = later(await startEcho())
  const client = await startLogged({
    NETWORK: 'mainnet',
    QUOTE_TOKEN_KEYS: 'c0ffee'.padEnd(64, '1'),
    WEBHOOK_SECRET_KEYS: 'decade'.padEnd(64, '2'),
    ...Object.fromEntries(VENUE_DEFINITIONS.map(({ id }) => [venueKey(id, 'BASE_URL'), `${url}/${PLANTED}`])),
    ...Object.fromEntries(VENUE_DEFINITIONS.map(({ id }) => [venueKey(id, 'API_KEY'), `${PLANTED}-${id}`])),
    ...Object.fromEntries(CHAIN_IDS.map((id) => [rpcUrlsKey(id), `${url}/v2/${PLANTED}?key=${PLANTED}`])),
  })
  const headers = { 'x-api-key': `swk_${PLANTED}`, authorization: PLANTED, cookie: PLANTED, 'payment-signature': PLANTED }
  const bodies: readonly unknown[] = [
    TRANSACTION_SWAP,
    SIGNATURE_SWAP,
    { ...DEPOSIT_SWAP, excludeVenues: [] },
    { ...TRANSACTION_SWAP, excludeVenues: [] },
    { quoteToken: PLANTED, signature: hex(PLANTED), signedTransaction: btoa(PLANTED), [PLANTED]: PLANTED },
    { ...CONTACTS, webhookUrl: `https://example.com/${PLANTED}?token=${PLANTED}`, apiKey: `swk_${PLANTED}` },
    `{"apiKey": ${PLANTED}`,
  ]
  const query = { quoteToken: PLANTED, ref: `swk_${PLANTED}`, apiKey: PLANTED, chainId: '1', address: ACCOUNT.address }
  for (const { method, path } of documentedOperations.all) {
    if (method === 'GET') {
      await client.send(method, path, { query, headers })
      await client.send(method, `${path}/swk_${PLANTED}`, { query })
    } else
      for (const body of bodies) for (const more of [headers, {}]) await client.send(method, path, { body, query, headers: more })
  }
  const log = await client.end()
  expect(log.match(/"event":"quote.refused"/g)?.length).toBeGreaterThan(2)
  expect(log).toContain('"event":"chain.health","chainId":1,"endpoint":1,')
  expect(leaksOf(log, [PLANTED, 'c0ffee', 'decade', Buffer.from(PLANTED).toString('hex'), btoa(PLANTED)])).toEqual([])
}, 120_000)

it('the log has nothing secret that a caller sent or received when every call succeeds [security-log-secrets]', async () => {
  const client = await startLogged({ VENUES_ENABLED: 'across,cow,near-intents' })
  const signup = await client.call('createKey', { body: CONTACTS })
  const headers = { 'x-api-key': signup.apiKey }
  const webhookUrl = `https://example.com/${PLANTED}?token=${PLANTED}`
  const { webhookSecret } = await client.call('updateKey', { headers, body: { webhookUrl } })
  await client.call('readKey', { headers })
  const secrets: string[] = [PLANTED, signup.apiKey, String(webhookSecret)]
  for (const swap of [TRANSACTION_SWAP, DEPOSIT_SWAP, SIGNATURE_SWAP]) {
    const { quoteToken } = await client.call('quote', { headers, body: swap })
    secrets.push(quoteToken)
    const execution = await client.call('execute', { headers, body: { quoteToken } })
    if (execution.executionType === 'SIGNATURE') {
      const signature = await ACCOUNT.signTypedData(execution.typedData as unknown as TypedDataDefinition)
      secrets.push(signature)
      await client.send('POST', '/api/v1/submit-signature', { headers, body: { quoteToken, signature } })
    }
    const ref = execution.executionType === 'DEPOSIT' ? execution.deposit.address : `0x${'ab'.repeat(32)}`
    for (const asked of [ref, signup.apiKey])
      await client.send('GET', '/api/v1/status', { headers, query: { quoteToken, ref: asked } })
  }
  const log = await client.end()
  for (const event of ['quote.served', 'swap.executed', 'swap.tracked', 'request']) expect(log).toContain(`"event":"${event}"`)
  expect(leaksOf(log, secrets)).toEqual([])
}, 60_000)
