import http from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../engine/config/config.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'

/** The operator's page as HTTP: what it answers, and whom. */

const SECRETS = {
  VENUE_RELAY_API_KEY: 'planted-venue-key-81c2e1',
  WEBHOOK_SECRET_KEYS: 'ab'.repeat(32),
  QUOTE_TOKEN_KEYS: 'cd'.repeat(32),
}

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
  it('is there only where it was asked for, and a wrong wish stops the start', async () => {
    expect(parseConfig({ NETWORK: 'mainnet' }).monitor.page).toBe(false)
    expect(() => parseConfig({ NETWORK: 'mainnet', OPERATOR_PAGE: 'yes' })).toThrow(/OPERATOR_PAGE/)
    const without = await startService({ ...only('relay'), METRICS_PORT: '0' })
    try {
      for (const path of ['/', '/explain?id=1', '/files/x/operator.js'])
        expect([path, (await ask(path, {}, portOf(without))).status]).toEqual([path, 404])
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
    for (const path of ['/', `/explain?id=${ref}`]) {
      const { status, text } = await ask(path, headers)
      expect([path, status]).toEqual([path, 403])
      expect(text).not.toContain('Swap 1')
    }
    expect((await ask('/live', headers)).status).toBe(200)
  })

  it.each([{ host: 'localhost:9464' }, { host: '[::1]:9464' }, { host: '10.1.2.3' }, { 'sec-fetch-site': 'same-origin' }])(
    'answers %j',
    async (headers) => {
      expect((await ask('/', headers)).status).toBe(200)
    },
  )

  it('tells no secret', async () => {
    const told = (
      await Promise.all(['/', '/metrics', '/ready', `/explain?id=${ref}`, `/explain?id=${quoteId}`].map((path) => ask(path)))
    )
      .map(({ text }) => text)
      .join('\n')
    for (const secret of [...Object.values(SECRETS), quoteToken]) expect(told).not.toContain(secret)
  })

  it.each([
    '//',
    '/../../etc/passwd',
    '/files/',
    '/files/../operator.html',
    '/explain/',
    '/%2e%2e/x',
    'http://evil.example/none',
    '/x'.repeat(4_000),
  ])('has nothing at %j', async (path) => {
    expect((await ask(path)).status).toBe(404)
  })

  it('answers one search at a time, and is as quick as ever about life and readiness meanwhile', async () => {
    const asked = Array.from({ length: 40 }, () => ask(`/explain?id=${ref}`))
    expect((await ask('/live')).status).toBe(200)
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(statuses).toContain(200)
  })

  it('takes no other method', async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/explain?id=1`, { method: 'POST' })
    expect(reply.status).toBe(404)
  })
})
