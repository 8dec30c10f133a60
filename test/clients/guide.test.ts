import { readFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleDocument, projectRoot } from '../../scripts/contract/document.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { allBut, DEPOSIT_SWAP } from '../support/swaps.ts'
import { findProgram } from './findProgram.ts'
import { buildClient, CLIENTS_PAGE, type GuideClient, removeClients, runClient, setUpClients } from './guideClients.ts'
import { leaveOut } from './leaveOut.ts'

/** The page about generated clients, followed to the letter. */

/** What a section of the page needs of Debian. */
const NEEDS: { readonly [name: string]: readonly [debianPackage: string, isThere: () => boolean] } = {
  Python: [
    'python3-httpx and mypy',
    () =>
      findProgram(['/usr/bin/python3'], '-c', 'import httpx') !== null &&
      findProgram(['mypy', '/usr/bin/mypy'], '--version') !== null,
  ],
  Go: ['golang-go', () => findProgram(['go'], 'version') !== null],
  Java: ['openjdk-17-jdk-headless', () => findProgram(['javac'], '-version') !== null],
  PHP: ['php-cli and php-curl', () => findProgram(['php'], '-r', 'exit(function_exists("curl_init") ? 0 : 1);') !== null],
}

const page = await readFile(join(projectRoot, CLIENTS_PAGE), 'utf8')
const NAMES = [...page.matchAll(/^## (TypeScript, .+|Python|Go|Java|PHP)$/gm)].map(([, name = '']) => name)
const PAID = 'TypeScript, paid calls'
const here = NAMES.filter((name) => {
  const [debianPackage, isThere] = NEEDS[name] ?? ['', () => true]
  return !leaveOut(`the generated client of ${name}`, debianPackage, isThere())
})

const all = <T>(clients: readonly GuideClient[], work: (client: GuideClient) => Promise<T>): Promise<[string, T][]> =>
  Promise.all(clients.map(async (client): Promise<[string, T]> => [client.name, await work(client)]))

const SWAP = {
  inputChainId: 8453,
  inputToken: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  inputAmount: '250000000',
  outputChainId: 42161,
  outputToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  userAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}

let service: TestService
/** One call a minute, and one quote at once. */
let narrow: TestService
let clients: readonly GuideClient[] = []
let paying: readonly GuideClient[] = []
const closers: (() => unknown)[] = []

beforeAll(async () => {
  const venues = only('across', 'cow', 'near-intents', 'relay')
  service = await startService(venues)
  closers.push(service.close)
  narrow = await startService({
    ...only('across'),
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1',
    OVERLOAD_QUOTES_MAX: '1',
    OVERLOAD_WAITING_MAX: '0',
    QUOTE_DEADLINE_MS: '60000',
    QUOTE_SOFT_DEADLINE_MS: '60000',
  })
  closers.push(narrow.close)
  const set = await setUpClients(page, await bundleDocument('openapi.yaml'))
  closers.push(() => removeClients(set))
  const usable = set.filter(({ name }) => here.includes(name))
  clients = usable.filter(({ name }) => name !== PAID)
  paying = usable.filter(({ name }) => name === PAID)
  await all(usable, buildClient)
}, 180_000)

afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const placesOf = ({ publicUrl, control }: TestService) => ({ service: publicUrl, network: control.url })

/** The one line that each prints for a request. */
const told = (request: object, at = placesOf(service), env: { readonly [name: string]: string } = {}) =>
  all(clients, async (client) => (await runClient(client, at, request, env)).join('\n'))

const expectAll = (lines: readonly (readonly [string, string])[], pattern: RegExp): void => {
  expect(lines.length).toBe(here.length - 1)
  for (const [name, line] of lines) expect(line, name).toMatch(pattern)
}

describe('each client of the page', () => {
  it('is there, in the versions that are tested', async () => {
    expect(NAMES).toHaveLength(8)
    const { devDependencies } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
      devDependencies: { [name: string]: string }
    }
    const named = [...page.matchAll(/npx ((?:@[\w-]+\/)?[\w-]+)@(\S+)/g)].map(([, name = '', version]) => [name, version])
    expect(named.length).toBeGreaterThan(7)
    expect(named.filter(([name = '', version]) => devDependencies[name] !== version)).toEqual([])
  })

  it('quotes, executes and tracks all three kinds of execution', { timeout: 120_000 }, async () => {
    for (const client of clients) {
      const lines = await runClient(client, placesOf(service))
      expect(lines, client.name).toEqual([
        expect.stringMatching(/^[\w-]+ TRANSACTION [1-9]\d+ 17\d{11} 0x[0-9a-fA-F]{40} (pending|not_found)$/),
        expect.stringMatching(/^cow SIGNATURE [1-9]\d+ 17\d{11} \/api\/v1\/submit-signature not_found$/),
        expect.stringMatching(/^[\w-]+ DEPOSIT [1-9]\d+ 17\d{11} (bc1|tb1)[0-9a-z]+ pending$/),
      ])
      // Two equal swaps of one second are refused.
      await service.control.advance(2_000)
    }
  })

  it.runIf(here.includes(PAID))('pays for a call, where its language has a client of the protocol', async () => {
    for (const client of paying)
      expect(await runClient(client, placesOf(service))).toEqual([expect.stringMatching(/^paid 0x[0-9a-f]{64} for 2\d+ of \w+/)])
  })

  it('is refused with 400 and what is wrong', { timeout: 60_000 }, async () => {
    const lines = await told({ ...SWAP, outputToken: '0x000000000000000000000000000000000000dEaD' })
    expectAll(lines, /^refused 400 UNSUPPORTED_TOKEN \{"fields": ?\[\{"path": ?"outputToken"/)
  })

  it('is refused with 401 for a key that nobody gave out', { timeout: 60_000 }, async () => {
    expectAll(await told(SWAP, placesOf(service), { SWAP_API_KEY: 'not-a-key' }), /^refused 401 UNAUTHORIZED \{\}$/)
  })

  it('is refused with 404 where no venue serves it, and why', { timeout: 60_000 }, async () => {
    expectAll(await told({ ...SWAP, inputAmount: '1' }), /^refused 404 NO_LIQUIDITY \{.*"declines"/)
  })

  it('is refused with 422 for a price without an address', { timeout: 60_000 }, async () => {
    const lines = await told({
      ...SWAP,
      outputChainId: -2,
      outputToken: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      excludeVenues: allBut('across'),
    })
    expectAll(lines, /^refused 422 QUOTE_NOT_EXECUTABLE /)
  })

  it('is refused with 410 when it comes too late', { timeout: 60_000 }, async () => {
    // Twenty minutes pass between a quote and its execution.
    const late = http.createServer(async (request, response) => {
      if (request.url === '/api/v1/execute') await service.control.advance(20 * 60_000)
      const { hostname, port } = new URL(service.publicUrl)
      const { method, url, headers } = request
      const forward = http.request({ hostname, port, method, path: url, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      request.pipe(forward)
    })
    await new Promise<void>((resolve) => late.listen(0, '127.0.0.1', resolve))
    const at = { ...placesOf(service), service: `http://127.0.0.1:${(late.address() as AddressInfo).port}` }
    try {
      const lines: [string, string][] = []
      for (const client of clients) lines.push([client.name, (await runClient(client, at, DEPOSIT_SWAP)).join('\n')])
      expectAll(lines, /^refused 410 QUOTE_EXPIRED \{/)
    } finally {
      late.closeAllConnections()
      late.close()
    }
  })

  it('is refused with 503 while the service is busy, and with 429 when it has asked too often, and how long to wait', {
    timeout: 90_000,
  }, async () => {
    await narrow.control.fault('across', 'hang')
    const held = fetch(`${narrow.url}/api/v1/quote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(SWAP),
    })
    try {
      // Once that one is under way every other is refused, and before that it is not.
      await expect.poll(async () => (await fetch(`${narrow.url}/api/v1/quote`, { method: 'POST' })).status).toBe(503)
      expectAll(
        await told(SWAP, placesOf(narrow)),
        /^refused 503 OVERLOADED \{"retry\w+": ?(\d+|true), ?"retry\w+": ?(\d+|true)\}$/,
      )
    } finally {
      await narrow.control.clearFaults()
      await held
    }
    expectAll(await told(SWAP, placesOf(narrow)), /^refused 429 RATE_LIMITED \{"retryAfterSec": ?\d+\}$/)
  })
})
