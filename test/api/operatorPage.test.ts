import { mkdtemp, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpcUrlsKey } from '../../engine/config/chains.ts'
import { parseConfig } from '../../engine/config/config.ts'
import { CHAIN_IDS } from '../../engine/core/chain.ts'
import { PROBLEM_NAMES } from '../../engine/observe/metrics/labels.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { serve } from '../../scripts/serve.ts'
import { SIGNUP } from '../support/keysStage.ts'
import { createMigratedDatabase, dropDatabase } from '../support/postgres/database.ts'
import { isOverPostgres } from '../support/postgres/ownDatabase.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP, USDC_SWAP } from '../support/swaps.ts'

/** The operator's page as HTTP: what it answers, and whom. */

const SECRETS = {
  VENUE_RELAY_API_KEY: 'planted-venue-key-81c2e1',
  WEBHOOK_SECRET_KEYS: 'ab'.repeat(32),
  QUOTE_TOKEN_KEYS: 'cd'.repeat(32),
}

/** Where nobody listens. https://www.rfc-editor.org/rfc/rfc863 */
const NOWHERE = 'http://127.0.0.1:9'

let service: TestService
let port: number

type Reply = { readonly status: number; readonly headers: http.IncomingHttpHeaders; readonly text: string }

const ask = (path: string, headers: http.OutgoingHttpHeaders = {}, to = port): Promise<Reply> =>
  new Promise((resolve, reject) => {
    http
      .get({ port: to, host: '127.0.0.1', path, headers, agent: false }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      })
      .on('error', reject)
  })

/** All that is told there, of some ids too. */
const askAll = async (to: number, ...ids: readonly string[]): Promise<readonly Reply[]> => {
  const replies: Reply[] = []
  const explained = ids.map((id) => `/explain?id=${encodeURIComponent(id)}`)
  for (const path of ['/', '/runbook', '/metrics', '/ready', '/rejected', ...explained]) replies.push(await ask(path, {}, to))
  return replies
}

const portOf = ({ monitorUrl }: TestService): number => Number(new URL(monitorUrl ?? expect.fail('no monitor')).port)

let quoteId = ''
let quoteToken = ''
let ref = ''

beforeAll(async () => {
  service = await startService({ ...only('near-intents', 'relay'), METRICS_PORT: '0', OPERATOR_PAGE: 'true', ...SECRETS })
  port = portOf(service)
  const excludeVenues = ['relay']
  const quote = await service.call('quote', { body: { ...DEPOSIT_SWAP, excludeVenues } })
  ;({ quoteToken } = quote)
  ref = (await executeAs(service, 'DEPOSIT', { quoteToken })).statusRef
  const { lines } = JSON.parse((await ask(`/explain?id=${ref}`)).text) as { lines: string[] }
  quoteId = /^quote +(\S+)$/m.exec(lines.join('\n'))?.[1] ?? ''
})
afterAll(() => service?.close())

describe("the operator's page", () => {
  it('is there only where it was asked for, and a wrong wish stops the start [page-operator-optional]', async () => {
    expect(parseConfig({ NETWORK: 'mainnet' }).monitor.page).toBe(false)
    expect(() => parseConfig({ NETWORK: 'mainnet', OPERATOR_PAGE: 'yes' })).toThrow(/OPERATOR_PAGE/)
    const without = await startService({ ...only('relay'), METRICS_PORT: '0' })
    try {
      for (const path of ['/', '/explain?id=1', '/files/x/operator.js'])
        expect([path, (await ask(path, {}, portOf(without))).status]).toEqual([path, 404])
      expect((await ask('/', {}, portOf(without))).text).toContain('OPERATOR_PAGE=true')
    } finally {
      await without.close()
    }
  })

  it.each([
    [{ METRICS_HOST: '0.0.0.0' }, 1],
    [{ METRICS_HOST: '10.0.0.5' }, 1],
    [{ METRICS_HOST: '0.0.0.0', METRICS_PORT: 'off' }, 0],
    [{ METRICS_HOST: '0.0.0.0', OPERATOR_PAGE: 'false' }, 0],
    [{ METRICS_HOST: '::1' }, 0],
    [{}, 0],
  ])('warns who opens it to others: %j', (env, warnings) => {
    const told = parseConfig({ NETWORK: 'mainnet', OPERATOR_PAGE: 'true', ...env }).warnings
    expect(told.filter((warning) => warning.startsWith('OPERATOR_PAGE has no password'))).toHaveLength(warnings)
  })

  it.each(['true', 'false'])('is missed by who asks for it where nothing is told: %s', (OPERATOR_PAGE) => {
    const { warnings } = parseConfig({ NETWORK: 'mainnet', METRICS_PORT: 'off', OPERATOR_PAGE })
    expect(warnings.some((one) => one.includes('OPERATOR_PAGE'))).toBe(OPERATOR_PAGE === 'true')
  })

  it('is HTML under a strict policy', async () => {
    const { status, headers, text } = await ask('/')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/)
    for (const [, file = ''] of text.matchAll(/(?:src|href)="(\/files\/[^"]+)"/g))
      expect([file, (await ask(file)).status]).toEqual([file, 200])
  })

  it('explains a swap by its ref, its quote and its number, and says so where nothing is known', async () => {
    for (const id of [ref, quoteId, '1']) {
      const { status, text } = await ask(`/explain?id=${encodeURIComponent(id)}`)
      const { lines } = JSON.parse(text) as { lines: string[] }
      expect([id, status]).toEqual([id, 200])
      expect(lines.join('\n')).toMatch(/^The race of quote[\s\S]*near-intents[\s\S]*^Swap 1$[\s\S]*^proof +recipient proved/m)
      expect(text).not.toContain('\u001b')
    }
    expect(await ask('/explain?id=nothing-of-the-kind')).toMatchObject({ status: 404 })
  })

  it.each(['', ' ', 'a b', 'x'.repeat(201), '%00', '%F0%9F%92%B0'])('asks the records nothing for %j', async (id) => {
    expect((await ask(`/explain?id=${id.replaceAll(' ', '%20')}`)).status).toBe(400)
  })

  it.each([
    ['a name that leads here', { host: 'evil.example' }],
    ['a name with our port', { host: 'evil.example:9464' }],
    ['a name that looks like an address', { host: '127.0.0.1.nip.io' }],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page without a site', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:3000' }],
    ['an image on another page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    [
      'a script on a page of this machine',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
    ],
  ])('tells nothing to %s', async (_who, headers) => {
    for (const path of ['/', '/runbook', '/metrics', '/ready', '/rejected', `/explain?id=${ref}`]) {
      const { status, text } = await ask(path, headers)
      expect([path, status]).toEqual([path, 403])
      expect(text).not.toMatch(/Swap 1|swap_|"ready"/)
    }
    expect((await ask('/live', headers)).status).toBe(200)
  })

  it.each([{ host: 'localhost:9464' }, { host: '[::1]:9464' }, { host: '10.1.2.3' }, { 'sec-fetch-site': 'same-origin' }])(
    'answers %j',
    async (headers) => {
      expect((await ask('/', headers)).status).toBe(200)
    },
  )

  it('tells no secret of its own, and no key of a caller, also where that is asked for', async () => {
    const { apiKey } = await service.call('createKey', { body: SIGNUP })
    expect(apiKey.length).toBeGreaterThan(20)
    const quote = await service.send('POST', '/api/v1/quote', { body: DEPOSIT_SWAP, headers: { 'x-api-key': apiKey } })
    expect(quote.status).toBe(200)
    const told = await askAll(port, ref, quoteId, '1')
    expect(told.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 200])
    const text = told.map((reply) => reply.text).join('\n')
    for (const secret of [...Object.values(SECRETS), quoteToken, apiKey]) expect(text).not.toContain(secret)
    const unknown = await ask(`/explain?id=${apiKey}`)
    expect([unknown.status, JSON.parse(unknown.text)]).toEqual([
      404,
      { error: `Nothing was found for ${apiKey} in the records.` },
    ])
  })

  if (isOverPostgres())
    it('tells no secret of the places it works with while none of them answers', async () => {
      const url = new URL(await createMigratedDatabase())
      url.password = 'planted-database-word'
      const dataDir = await mkdtemp(join(tmpdir(), 'swap-operator-'))
      const secrets = ['planted-database-word', 'planted-rpc-path', 'planted-rpc-query', 'planted-key']
      const lost = await serve({
        NETWORK: 'mainnet',
        PORT: '0',
        METRICS_PORT: '0',
        OPERATOR_PAGE: 'true',
        DATA_DIR: dataDir,
        LOG_LEVEL: 'silent',
        DATABASE_URL: url.href,
        DATABASE_SINGLE_INSTANCE: 'true',
        VENUES_ENABLED: 'relay,zerox',
        ...Object.fromEntries(['RELAY', 'ZEROX'].map((id) => [`VENUE_${id}_BASE_URL`, NOWHERE])),
        VENUE_ZEROX_API_KEY: 'planted-key',
        ...Object.fromEntries(
          CHAIN_IDS.map((chainId) => [rpcUrlsKey(chainId), `${NOWHERE}/planted-rpc-path?key=planted-rpc-query`]),
        ),
      })
      try {
        await fetch(`${lost.url}/api/v1/quote`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(USDC_SWAP),
        })
        const own = Number(new URL(lost.monitorUrl ?? expect.fail('no monitor')).port)
        const told = await askAll(own, '1', 'planted-key')
        expect(told.map(({ status }) => status)).toEqual([200, 200, 200, expect.any(Number), 200, 404, 404])
        const text = told.map((reply) => reply.text).join('\n')
        expect(text).toMatch(/swap_chain_endpoint_healthy\{chain="8453",endpoint="1"\} 0/)
        expect(secrets.filter((secret) => text.replace('Nothing was found for planted-key', '').includes(secret))).toEqual([])
      } finally {
        await lost.close()
        await dropDatabase(url.href)
        await rm(dataDir, { recursive: true, force: true })
      }
    })

  it.each([
    '//',
    '//metrics',
    '//evil.example/',
    'http://localhost/',
    'http://evil.example/explain?id=1',
    'http://localhost/metrics',
    '/../../etc/passwd',
    '/files/',
    '/files/../operator.html',
    '/explain/',
    '/%2e%2e/x',
    '/\\\\evil.example/',
    '/x'.repeat(4_000),
  ])('has nothing at %j', async (path) => {
    expect((await ask(path)).status).toBe(404)
  })

  it('shows the runbook, where every problem that it may tell of has its place', async () => {
    const { status, headers, text } = await ask('/runbook')
    expect([status, headers['content-security-policy']]).toEqual([200, expect.stringMatching(/^default-src 'none'/)])
    const script = await readFile('handlers/monitor/page/browser/problems.js', 'utf8')
    for (const problem of PROBLEM_NAMES) expect(script).toMatch(new RegExp(`^  ${problem}: \\{|=== '${problem}'`, 'm'))
    for (const [, alert = ''] of script.matchAll(/'(Swap\w+)'/g)) expect(text).toContain(`<h2 id="${alert.toLowerCase()}"`)
  })

  it('may be opened by a link on another page, and by no frame of it', async () => {
    const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    for (const path of ['/', '/runbook', '/metrics', '/ready']) {
      expect([path, (await ask(path, { ...navigation, 'sec-fetch-dest': 'document' })).status]).toEqual([path, 200])
      expect([path, (await ask(path, { ...navigation, 'sec-fetch-dest': 'iframe' })).status]).toEqual([path, 403])
    }
    expect((await ask('/explain?id=1', { ...navigation, 'sec-fetch-dest': 'document' })).status).toBe(403)
  })

  it('may be part of no page of somebody else, also where a browser does not say who asks', async () => {
    for (const path of ['/', '/runbook', '/metrics', '/ready', '/live', '/explain?id=1', '/explain?id=none', '/none']) {
      const { headers } = await ask(path)
      expect([path, headers['cross-origin-resource-policy']]).toEqual([path, 'same-origin'])
      expect([path, headers['x-content-type-options']]).toEqual([path, 'nosniff'])
      expect([path, headers['content-security-policy']]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")])
    }
  })

  it('takes no other method [page-operator-optional]', async () => {
    expect((await fetch(`http://127.0.0.1:${port}/explain?id=1`, { method: 'POST' })).status).toBe(404)
  })
})
