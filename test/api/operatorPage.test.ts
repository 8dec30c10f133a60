import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpcUrlsKey } from '../../engine/config/chains.ts'
import { parseConfig } from '../../engine/config/config.ts'
import { CHAIN_IDS } from '../../engine/core/chain.ts'
import { connectService } from '../../scripts/client/service.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { serve } from '../../scripts/serve.ts'
import { closing } from '../support/closing.ts'
import { SIGNUP } from '../support/keysStage.ts'
import { createMigratedDatabase, dropDatabase } from '../support/postgres/database.ts'
import { isOverPostgres } from '../support/postgres/ownDatabase.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { aFolder } from '../support/storeStage.ts'
import { DEPOSIT_SWAP, USDC_SWAP } from '../support/swaps.ts'

const SECRETS = {
  VENUE_RELAY_API_KEY: 'planted-venue-key-81c2e1',
  WEBHOOK_SECRET_KEYS: 'ab'.repeat(32),
  QUOTE_TOKEN_KEYS: 'cd'.repeat(32),
}

/** No server listens. https://www.rfc-editor.org/rfc/rfc863 */
const NOWHERE = 'http://127.0.0.1:9'

const own = closing()
let service: TestService
let port: number

type Reply = { readonly status: number; readonly headers: http.IncomingHttpHeaders; readonly text: string }

const ask = async (path: string, headers: http.OutgoingHttpHeaders = {}, to = port): Promise<Reply> => {
  const request = http.get({ port: to, host: '127.0.0.1', path, headers, agent: false })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
}

/** The responses of all places, and the explanations of some ids. */
const askAll = async (to: number, ...ids: readonly string[]): Promise<readonly Reply[]> => {
  const replies: Reply[] = []
  const explained = ids.map((id) => `/explain?id=${encodeURIComponent(id)}`)
  for (const path of ['/', '/runbook', '/metrics', '/ready', '/rejected', ...explained]) replies.push(await ask(path, {}, to))
  return replies
}

const portOf = ({ monitorUrl }: Pick<TestService, 'monitorUrl'>): number =>
  Number(new URL(monitorUrl ?? expect.fail('no monitor')).port)

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
  it('exists with OPERATOR_PAGE=true alone, and answers 404 to POST [page-operator-optional]', async () => {
    expect((await fetch(`http://127.0.0.1:${port}/explain?id=1`, { method: 'POST' })).status).toBe(404)
    const without = portOf(own(await startService({ ...only('relay'), METRICS_PORT: '0' })))
    for (const path of ['/', '/explain?id=1', '/files/x/operator.js'])
      expect([path, (await ask(path, {}, without)).status]).toEqual([path, 404])
    expect((await ask('/', {}, without)).text).toContain('OPERATOR_PAGE=true')
  })

  it.each([
    [{ METRICS_HOST: '0.0.0.0' }, 'OPERATOR_PAGE has no password'],
    [{ METRICS_HOST: '0.0.0.0', OPERATOR_PAGE: 'false' }, null],
    [{ METRICS_PORT: 'off' }, 'OPERATOR_PAGE'],
    [{ METRICS_PORT: 'off', OPERATOR_PAGE: 'false' }, null],
    [{}, null],
  ])('warns of a page that others can reach, or that no port serves: %j gives %j', (env, warning) => {
    const warnings = parseConfig({ NETWORK: 'mainnet', OPERATOR_PAGE: 'true', ...env }).warnings
    expect(warnings.filter((one) => one.includes('OPERATOR_PAGE'))).toEqual(warning ? [expect.stringContaining(warning)] : [])
  })

  it('is HTML with a strict policy, as its runbook, and links to existing files', async () => {
    for (const path of ['/', '/runbook']) {
      const { status, headers, text } = await ask(path)
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/)
      for (const [, file = ''] of text.matchAll(/(?:src|href)="(\/files\/[^"]+)"/g))
        expect([file, (await ask(file)).status]).toEqual([file, 200])
    }
  })

  it('explains a swap by its ref, quote and number, and answers 404 for an unknown id', async () => {
    for (const id of [ref, quoteId, '1']) {
      const { status, text } = await ask(`/explain?id=${encodeURIComponent(id)}`)
      const { lines } = JSON.parse(text) as { lines: string[] }
      expect([id, status]).toEqual([id, 200])
      expect(lines.join('\n')).toMatch(/^The race of quote[\s\S]*near-intents[\s\S]*^Swap 1$[\s\S]*^proof +recipient proved/m)
      expect(text).not.toContain('\u001b')
    }
    expect(await ask('/explain?id=nothing-of-the-kind')).toMatchObject({ status: 404 })
  })

  it.each(['', 'a b', 'x'.repeat(201), '%00'])('answers 400 for the id %j', async (id) => {
    expect((await ask(`/explain?id=${id.replaceAll(' ', '%20')}`)).status).toBe(400)
  })

  it.each([
    ['a name with our port', { host: 'evil.example:9464' }],
    ['a name that looks like an address', { host: '127.0.0.1.nip.io' }],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page without a site', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:3000' }],
    ['a script of another site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }],
  ])('answers 403 to %s, at every place but /live', async (_who, headers) => {
    for (const path of ['/', '/runbook', '/metrics', '/ready', '/rejected', `/explain?id=${ref}`]) {
      const { status, text } = await ask(path, headers)
      expect([path, status]).toEqual([path, 403])
      expect(text).not.toMatch(/Swap 1|swap_|"ready"/)
    }
    expect((await ask('/live', headers)).status).toBe(200)
  })

  it('answers 200 to names and addresses of this machine and to its own page', async () => {
    for (const headers of [{ host: 'localhost:9464' }, { host: '10.1.2.3' }, { 'sec-fetch-site': 'same-origin' }])
      expect([headers, (await ask('/', headers)).status]).toEqual([headers, 200])
  })

  it('shows no secret of the service and no key of a caller', async () => {
    const { apiKey } = await service.call('createKey', { body: SIGNUP })
    expect(apiKey.length).toBeGreaterThan(20)
    const quote = await service.send('POST', '/api/v1/quote', { body: DEPOSIT_SWAP, headers: { 'x-api-key': apiKey } })
    expect(quote.status).toBe(200)
    const told = await askAll(port, ref, quoteId, '1')
    expect(told.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const shown = told.map((reply) => reply.text).join('\n')
    for (const secret of [...Object.values(SECRETS), quoteToken, apiKey]) expect(shown).not.toContain(secret)
    const unknown = await ask(`/explain?id=${apiKey}`)
    expect([unknown.status, JSON.parse(unknown.text)]).toEqual([
      404,
      { error: `Nothing was found for ${apiKey} in the records.` },
    ])
  })

  if (isOverPostgres())
    it('shows no secret of database, venues and chain endpoints while none of them answers', async () => {
      const url = new URL(await createMigratedDatabase())
      own({ close: () => dropDatabase(url.href) })
      url.password = 'planted-database-word'
      const endpoint = `${NOWHERE}/planted-rpc-path?key=planted-rpc-query`
      const lost = own(
        await serve({
          NETWORK: 'mainnet',
          PORT: '0',
          METRICS_PORT: '0',
          OPERATOR_PAGE: 'true',
          DATA_DIR: aFolder(),
          LOG_LEVEL: 'silent',
          DATABASE_URL: url.href,
          DATABASE_SINGLE_INSTANCE: 'true',
          VENUES_ENABLED: 'relay,zerox',
          VENUE_RELAY_BASE_URL: NOWHERE,
          VENUE_ZEROX_BASE_URL: NOWHERE,
          VENUE_ZEROX_API_KEY: 'planted-key',
          ...Object.fromEntries(CHAIN_IDS.map((chainId) => [rpcUrlsKey(chainId), endpoint])),
        }),
      )
      await connectService(lost.url).send('POST', '/api/v1/quote', { body: USDC_SWAP })
      const told = await askAll(portOf(lost), '1', 'planted-key')
      expect(told.map(({ status }) => status)).toEqual([200, 200, 200, expect.any(Number), 200, 404, 404])
      const shown = told.map((reply) => reply.text).join('\n')
      expect(shown).toMatch(/swap_chain_endpoint_healthy\{chain="8453",endpoint="1"\} 0/)
      expect(shown.replace('Nothing was found for planted-key', '')).not.toContain('planted')
    })

  it.each([
    '//metrics',
    'http://evil.example/explain?id=1',
    '/../../etc/passwd',
    '/files/../operator.html',
    '/%2e%2e/x',
    '/x'.repeat(4_000),
  ])('answers 404 at %j', async (path) => {
    expect((await ask(path)).status).toBe(404)
  })

  it('opens from a link of another page, and in no frame', async () => {
    const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    for (const path of ['/', '/runbook', '/metrics', '/ready']) {
      expect([path, (await ask(path, { ...navigation, 'sec-fetch-dest': 'document' })).status]).toEqual([path, 200])
      expect([path, (await ask(path, { ...navigation, 'sec-fetch-dest': 'iframe' })).status]).toEqual([path, 403])
    }
    expect((await ask('/explain?id=1', { ...navigation, 'sec-fetch-dest': 'document' })).status).toBe(403)
  })

  it('forbids other pages to embed it, also for browsers without sec-fetch headers', async () => {
    const policy = expect.stringContaining("frame-ancestors 'none'")
    for (const path of ['/', '/metrics', '/live', '/explain?id=1', '/none']) {
      const { headers } = await ask(path)
      const names = ['cross-origin-resource-policy', 'x-content-type-options', 'content-security-policy']
      expect([path, ...names.map((name) => headers[name])]).toEqual([path, 'same-origin', 'nosniff', policy])
    }
  })
})
