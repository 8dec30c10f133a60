import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser, Page } from '../judges/chromium.ts'
import { launchChromium } from '../judges/chromium.ts'
import { listening } from '../support/listening.ts'
import { lacks } from '../support/needs.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'

/** A request as the page makes it, and what the page could read of the answer; what fetch threw, when it did. */
type Seen = {
  readonly status: number
  readonly body: {
    readonly data?: { readonly [field: string]: unknown }
    readonly error?: { readonly code: string; readonly details?: { readonly retryAfterSec?: number } }
    readonly meta?: { readonly requestId: string; readonly version: string }
  }
  readonly headers: { readonly [name: string]: string }
}
type Asked = { readonly method?: string; readonly headers?: { readonly [name: string]: string }; readonly body?: object }

const startPages = () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>A page of another origin</title>')
  })
  return listening(server)
}

/** Runs in the page. */
const fetchInPage = async ({ url, asked }: { readonly url: string; readonly asked: Asked }): Promise<Seen> => {
  const { method = 'GET', headers = {}, body } = asked
  const response = await fetch(url, {
    method,
    headers: body ? { 'content-type': 'application/json', ...headers } : headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json(), headers: Object.fromEntries(response.headers) } as Seen
}

const LIMIT = 12

describe.skipIf(lacks('chromium'))('a page of another origin [cors-browser-reads]', () => {
  let service: TestService
  let pages: Awaited<ReturnType<typeof startPages>>
  let browser: Browser
  let page: Page

  const ask = (path: string, asked: Asked = {}): Promise<Seen> =>
    page.evaluate(fetchInPage, { url: `${service.publicUrl}${path}`, asked })

  beforeAll(async () => {
    service = await startService({
      ...only('across', 'cow', 'near-intents', 'relay'),
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(LIMIT),
    })
    pages = await startPages()
    browser = await launchChromium()
    page = await browser.newPage()
    await page.goto(pages.url)
  }, 60_000)

  afterAll(async () => {
    await browser.close()
    await pages.close()
    await service.close()
  })

  test('reads the body, request id, version, rate limit and date of a quote after a preflight', async () => {
    const headers = {
      'x-request-id': 'from-a-page',
      'x-api-key': '',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'vendor=value',
    }
    const seen = await ask('/api/v1/quote', { method: 'POST', headers, body: TRANSACTION_SWAP })
    expect(seen.status).toBe(200)
    expect(seen.body.data).toMatchObject({ venue: { id: 'across' }, expiresAt: expect.any(Number) })
    expect(seen.headers).toMatchObject({
      'x-request-id': 'from-a-page',
      'service-version': '2026-11',
      'service-network': 'simnet',
      ratelimit: `"anonymous";r=${LIMIT - 1};t=60`,
      'ratelimit-policy': `"anonymous";q=${LIMIT};w=60`,
    })
    expect(Math.abs(Date.parse(seen.headers['date'] ?? '') - Date.now())).toBeLessThan(60_000)
  })

  test('quotes, executes and reads the status', async () => {
    const quoted = await ask('/api/v1/quote', { method: 'POST', body: DEPOSIT_SWAP })
    const quoteToken = String(quoted.body.data?.['quoteToken'])
    const executed = await ask('/api/v1/execute', { method: 'POST', body: { quoteToken } })
    expect(executed.body.data).toMatchObject({ executionType: 'DEPOSIT' })
    const query = new URLSearchParams({ quoteToken, ref: String(executed.body.data?.['statusRef']) })
    expect((await ask(`/api/v1/status?${query}`)).body.data).toMatchObject({ status: 'pending', venue: 'near-intents' })
  })

  test('reads the version but no rate limit from a cacheable response, and its cache serves the second call', async () => {
    const { headers, body } = await ask('/api/v1/chains')
    expect(headers).toMatchObject({ 'x-request-id': body.meta?.requestId, 'service-version': '2026-11' })
    expect(headers).not.toHaveProperty('ratelimit')
    expect((await ask('/api/v1/chains')).body.meta).toEqual(body.meta)
  })

  test('signs up, changes its key settings with PATCH, and reads them', async () => {
    const contact = 'examplewallet'
    const body = {
      email: 'a@wallet.example',
      projectName: contact,
      website: 'https://wallet.example',
      telegram: contact,
      twitter: contact,
    }
    const created = await ask('/api/v1/keys', { method: 'POST', body })
    expect([created.status, created.headers['ratelimit']]).toEqual([201, '"signup";r=4;t=60'])
    const headers = { 'x-api-key': String(created.body.data?.['apiKey']) }
    const changed = await ask('/api/v1/keys', { method: 'PATCH', headers, body: { feeBps: 5 } })
    expect([changed.status, changed.body.data]).toEqual([200, { feeBps: 5 }])
    const { body: account, headers: told } = await ask('/api/v1/keys', { headers })
    expect(account.data).toMatchObject({ tier: 'self-serve', feeBps: 5 })
    expect(told['ratelimit-policy']).toBe('"self-serve";q=120;w=60')
  })

  test('reads errors: an unknown key, an unknown path, a misspelt field', async () => {
    const unknown = await ask('/api/v1/status?quoteToken=t&ref=r', { headers: { 'x-api-key': 'nobodys' } })
    expect([unknown.status, unknown.body.error?.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(unknown.headers).toHaveProperty('ratelimit')
    expect((await ask('/nowhere')).body.error?.code).toBe('NOT_FOUND')
    const misspelt = await ask('/api/v1/execute', { method: 'POST', body: { quotetoken: 'x' } })
    expect([misspelt.status, misspelt.body.error?.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  test('reads the OpenAPI document', async () => {
    expect((await ask('/openapi.json')).body).toHaveProperty('openapi')
  })

  test('cannot send a header or use a method that the preflight does not allow', async () => {
    await expect(ask('/api/v1/chains', { headers: { 'x-something-else': '1' } })).rejects.toThrow('Failed to fetch')
    await expect(ask('/api/v1/chains', { method: 'DELETE' })).rejects.toThrow('Failed to fetch')
  })

  test('reads the time to wait from a 429 response', async () => {
    let seen = await ask('/nowhere')
    for (let i = 0; i < LIMIT && seen.status !== 429; i += 1) seen = await ask('/nowhere')
    expect([seen.status, seen.body.error?.code]).toEqual([429, 'RATE_LIMITED'])
    expect(seen.headers['retry-after']).toBe(String(seen.body.error?.details?.retryAfterSec))
    expect(seen.headers['ratelimit']).toMatch(/^"anonymous";r=0;/)
  })
})
