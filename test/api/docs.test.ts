import { once } from 'node:events'
import http from 'node:http'
import { relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDocsPages } from '../../handlers/docs/docsPages.ts'
import { GUIDES, pathOf } from '../../handlers/docs/guides.ts'
import { paintCode } from '../../handlers/docs/paintCode.ts'
import { renderMarkdown } from '../../handlers/docs/renderMarkdown.ts'
import { projectRoot } from '../../scripts/contract/document.ts'
import { closing } from '../support/closing.ts'
import { type EdgeServer, startEdge } from '../support/edgeServer.ts'
import { operationHashes } from '../support/operationHashes.ts'
import { fencesOf } from '../support/pages.ts'
import { ANYBODY } from '../support/testEngine.ts'

/** `/docs`, its guides and `/`, as HTTP. */

const own = closing()
const urlOf = ({ port }: EdgeServer) => `http://127.0.0.1:${port}`
let edge: EdgeServer
let url: string

beforeAll(async () => {
  edge = await startEdge()
  url = urlOf(edge)
})
afterAll(() => edge.close())

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${url}${path}`, { redirect: 'manual', ...init })

const PAGES = ['/docs', ...GUIDES.map(pathOf)]

describe('/', () => {
  it('redirects a browser to /docs [page-root]', async () => {
    const { status, headers } = await get('/', { headers: { accept: BROWSER } })
    const told = ['location', 'vary', 'cache-control'].map((name) => headers.get(name))
    expect([status, ...told]).toEqual([302, '/docs', 'accept', 'no-cache'])
  })

  it.each([undefined, '*/*', 'application/json, text/html'])('lists the places of the service for Accept: %s', async (accept) => {
    const { status, headers, json } = await edge.call('/', { headers: accept === undefined ? {} : { accept } })
    expect([status, headers['vary']]).toEqual([200, 'accept'])
    const places = Object.values(json.data) as string[]
    expect(places).toContain('/openapi.json')
    for (const place of places) expect([place, (await get(place, { method: 'OPTIONS' })).status]).toEqual([place, 204])
  })
})

describe('a page', () => {
  it.each(PAGES)('%s is HTML with a strict policy, and 304 for its etag [page-files]', async (path) => {
    const { status, headers } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('no-cache')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';/)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('x-request-id')).toMatch(/./)
    expect(headers.get('ratelimit-policy')).toBe('"docs";q=240;w=60')
    const again = await get(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('its files and /openapi.json are compressed, and the files may be cached for good [page-files]', async () => {
    const html = await (await get('/docs')).text()
    const script = /src="([^"]+swagger-ui\.js)"/.exec(html)?.[1] ?? expect.fail(html)
    // fetch would decode it.
    const ask = async (path: string, encoding: string) => {
      const request = http.get(`${url}${path}`, { headers: { 'accept-encoding': encoding }, agent: false })
      const [response] = (await once(request, 'response')) as [http.IncomingMessage]
      return { headers: response.headers, body: await buffer(response) }
    }
    const [forGood, forAnHour] = ['public, max-age=31536000, immutable', 'public, max-age=3600']
    for (const [path, cacheControl] of [[script, forGood] as const, ['/openapi.json', forAnHour] as const]) {
      const plain = await ask(path, 'identity')
      for (const [encoding, decode] of [['br', brotliDecompressSync] as const, ['gzip', gunzipSync] as const]) {
        const { headers, body } = await ask(path, encoding)
        expect([headers['content-encoding'], headers['cache-control']]).toEqual([encoding, cacheControl])
        expect([headers.vary, headers.etag]).toEqual(['accept-encoding', plain.headers.etag])
        expect(body.length).toBeLessThan(plain.body.length / 3)
        expect(decode(body).equals(plain.body)).toBe(true)
      }
    }
  })

  it.each(['/docs', '/logos/eth.svg'])('accepts GET and HEAD alone at %s', async (path) => {
    const { status, headers, json } = await edge.call(path, { method: 'POST', body: {} })
    expect([status, headers['allow'], json.error.code]).toEqual([405, 'GET, HEAD, OPTIONS', 'INVALID_REQUEST'])
    const head = await get(path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('shows the anonymous limit in force, where the contract has the default', async () => {
    const identify = async () => ({ ...ANYBODY, requestsPerMinute: 1_000 })
    const generous = own(await startEdge({ engine: { identify } }))
    const { headers } = await generous.call('/api/v1/quote', { method: 'POST', body: {} })
    expect(headers['ratelimit-policy']).toBe('"anonymous";q=1000;w=60')
    for (const path of ['/docs', '/docs/guides/keys'])
      expect(await (await fetch(urlOf(generous) + path)).text()).toContain('Without a key: 1,000 requests a minute')
    expect((await generous.call('/openapi.json')).text).toContain('30 requests per minute per caller IP')
  })

  it('that does not exist receives the 404 of the service', async () => {
    for (const path of ['/docs/guides/none', '/docs/files/0/swagger-ui.js', '/docs/../openapi.yaml', '/DOCS'])
      expect([path, (await edge.call(path)).json.error.code]).toEqual([path, 'NOT_FOUND'])
  })

  it.each([
    ['/docs/', '/docs'],
    ['/docs/guides', '/docs/guides/first-swap'],
    ['/docs/guides/', '/docs/guides/first-swap'],
  ])('redirects %s to %s', async (path, location) => {
    const { status, headers } = await get(path)
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([302, location, 'no-cache'])
  })

  it('without its package receives 503, and everything else is served', async () => {
    const loadPages = async () => createDocsPages(30, (path) => new URL(`file:///not-installed/${path}`))
    const bare = own(await startEdge({ app: { loadPages } }))
    const message = 'The pages are not installed here. The document is at /openapi.json.'
    const { status, json } = await bare.call('/docs')
    expect([status, json.error]).toEqual([503, { code: 'NOT_CONFIGURED', message }])
    expect((await bare.logged('request.failed'))['reason']).toContain('not-installed')
    for (const path of ['/openapi.json', '/api/v1/health', '/docs/guides/first-swap'])
      expect([path, (await fetch(urlOf(bare) + path)).status]).toEqual([path, 200])
  })

  it('counts against a limit of its own, and against no limit of calls [page-root]', async () => {
    const counting = own(await startEdge())
    const ask = (path: string) => fetch(urlOf(counting) + path)
    for (let count = 0; count < 240; count += 1) expect((await ask('/docs/none')).status).toBe(404)
    const refused = await ask('/docs')
    expect([refused.status, (await refused.json()) as unknown]).toMatchObject([429, { error: { code: 'RATE_LIMITED' } }])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask('/api/v1/tokens/resolve')).headers.get('ratelimit')).toMatch(/^"anonymous";r=29;/)
  })
})

it('the links of every page lead to an existing page and place [page-root]', async () => {
  const pages = new Map(
    await Promise.all(PAGES.map(async (path): Promise<[string, string]> => [path, await (await get(path)).text()])),
  )
  // Those that the browser's test finds on the page.
  const operations = new Set(operationHashes())
  let [links, toReference] = [0, 0]
  for (const [path, html] of pages) {
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      if (href.startsWith('https://')) continue
      links += 1
      const { pathname, hash } = new URL(href, `${url}${path}`)
      const target = pages.get(pathname)
      if (pathname === '/docs' && hash.startsWith('#/')) {
        expect([path, href, operations.has(hash)]).toEqual([path, href, true])
        toReference += 1
      } else if (target === undefined) expect([path, href, (await get(pathname)).status]).toEqual([path, href, 200])
      else if (hash !== '')
        expect([path, href, target.includes(` id="${decodeURIComponent(hash.slice(1))}"`)]).toEqual([path, href, true])
    }
  }
  expect(links).toBeGreaterThan(200)
  expect(toReference).toBeGreaterThan(15)
})

it('the markup and scripts of a guide are shown as text', () => {
  const markdown = 'a <script>b</script> `<b>` ![x](javascript:c) [y](javascript:d)\n\n<img src=x>'
  const { html } = renderMarkdown(markdown, { resolve: () => null })
  expect(html).not.toMatch(/<script|<img|<b>|javascript:/)
  expect(html).toContain('&lt;script&gt;')
})

it('the colours of a guide change the text of none of its programs', async () => {
  const signs: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  let [examples, coloured] = [0, 0]
  for (const { source } of GUIDES) {
    for (const { language, text } of await fencesOf(relative(projectRoot, fileURLToPath(source)))) {
      const html = paintCode(text, language)
      const bare = html.replaceAll(/<span class="(comment|text|keyword)">|<\/span>/g, '')
      expect(bare.replaceAll(/&([a-z]+|#39);/g, (_all, name) => signs[name] ?? name)).toBe(text)
      examples += 1
      if (html.includes('<span')) coloured += 1
    }
  }
  expect(examples).toBeGreaterThan(60)
  expect(coloured).toBeGreaterThan(25)
})

describe('/logos', () => {
  it('has an SVG of each chain without scripts, for pages of every origin [chains-logos]', async () => {
    const { json } = await own(await startEdge({ app: { publicUrl: 'https://swaps.example' } })).call('/api/v1/chains')
    const urls = (json.data as unknown as { logoUrl: string }[]).map(({ logoUrl }) => logoUrl)
    for (const logo of urls) {
      expect(logo).toMatch(/^https:\/\/swaps\.example\/logos\/[a-z0-9_]+\.svg$/)
      const response = await get(new URL(logo).pathname)
      expect([
        response.status,
        ...['content-type', 'content-security-policy', 'cross-origin-resource-policy'].map((name) => response.headers.get(name)),
      ]).toEqual([200, 'image/svg+xml', "default-src 'none'; frame-ancestors 'none'; sandbox", 'cross-origin'])
      const svg = await response.text()
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>\n$/)
      expect(svg).not.toMatch(/<script|<style|<foreignObject|\bon\w+=|href/)
    }
    expect(new Set(urls).size).toBe(16)
  })

  it('are in no list without PUBLIC_URL, and 404 for other names [chains-logos]', async () => {
    expect((await edge.call('/api/v1/chains')).text).not.toContain('logoUrl')
    expect((await get('/logos/nothing.svg')).status).toBe(404)
  })
})
