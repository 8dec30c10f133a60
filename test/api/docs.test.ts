import { once } from 'node:events'
import http from 'node:http'
import { relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDocsPages } from '../../handlers/docs/docsPages.ts'
import { GUIDES, pathOf } from '../../handlers/docs/guides.ts'
import { createOperationPlaces } from '../../handlers/docs/operationPlaces.ts'
import { paintCode } from '../../handlers/docs/paintCode.ts'
import { renderMarkdown } from '../../handlers/docs/renderMarkdown.ts'
import { readContract } from '../../handlers/http/contract.ts'
import { projectRoot } from '../../scripts/contract/document.ts'
import { type EdgeServer, startEdge } from '../support/edgeServer.ts'
import { operationHashes } from '../support/operationHashes.ts'
import { fencesOf } from '../support/pages.ts'
import { ANYBODY } from '../support/testEngine.ts'

/** `/docs`, its guides and `/`, as HTTP. */

let edge: EdgeServer
let url: string

beforeAll(async () => {
  edge = await startEdge()
  url = `http://127.0.0.1:${edge.port}`
})
afterAll(() => edge.close())

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${url}${path}`, { redirect: 'manual', ...init })

const PAGES = ['/docs', ...GUIDES.map(pathOf)]

describe('/', () => {
  it('leads a browser to the documentation [page-root]', async () => {
    const { status, headers } = await get('/', { headers: { accept: BROWSER } })
    expect([status, headers.get('location'), headers.get('vary'), headers.get('cache-control')]).toEqual([
      302,
      '/docs',
      'accept',
      'no-cache',
    ])
  })

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html'])(
    'tells %s where everything is',
    async (accept) => {
      const { status, headers, json } = await edge.call('/', { headers: accept === undefined ? {} : { accept } })
      expect([status, headers['vary']]).toEqual([200, 'accept'])
      const places = Object.values(json.data) as string[]
      expect(places).toContain('/openapi.json')
      for (const place of places) expect([place, (await get(place, { method: 'OPTIONS' })).status]).toEqual([place, 204])
    },
  )

  it('takes no other method', async () => {
    const { status, headers, json } = await edge.call('/', { method: 'POST', body: {} })
    expect([status, headers['allow'], json.error.code]).toEqual([405, 'GET, HEAD, OPTIONS', 'INVALID_REQUEST'])
  })
})

describe('a page', () => {
  it.each(PAGES)('%s is HTML under a strict policy, asked for anew each time [page-files]', async (path) => {
    const { status, headers } = await get(path)
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ])
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';/)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('x-request-id')).toMatch(/./)
    expect(headers.get('ratelimit-policy')).toBe('"docs";q=240;w=60')
    const again = await get(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('and its files are compressed, and so is /openapi.json; the files are kept for good [page-files]', async () => {
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

  it('is told about by HEAD, and takes no other method', async () => {
    const head = await get('/docs', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(500)
    const post = await edge.call('/docs', { method: 'POST', body: {} })
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('shows the anonymous limit in force, while the document keeps the default', async () => {
    const identify = async () => ({ ...ANYBODY, requestsPerMinute: 1_000 })
    const generous = await startEdge({ engine: { identify } })
    try {
      const { headers } = await generous.call('/api/v1/quote', { method: 'POST', body: {} })
      expect(headers['ratelimit-policy']).toBe('"anonymous";q=1000;w=60')
      for (const path of ['/docs', '/docs/guides/keys']) {
        const html = await (await fetch(`http://127.0.0.1:${generous.port}${path}`)).text()
        expect(html).toContain('Without a key: 1,000 requests a minute')
      }
      expect((await generous.call('/openapi.json')).text).toContain('30 requests per minute per caller IP')
    } finally {
      await generous.close()
    }
  })

  it('that is not there is 404 in our form', async () => {
    for (const path of ['/docs/none', '/docs/guides/none', '/docs/files/0/swagger-ui.js', '/docs/../openapi.yaml', '/DOCS'])
      expect([path, (await edge.call(path)).json.error.code]).toEqual([path, 'NOT_FOUND'])
  })

  it.each([
    ['/docs/', '/docs'],
    ['/docs/guides', '/docs/guides/first-swap'],
    ['/docs/guides/', '/docs/guides/first-swap'],
  ])('is found by who types %s', async (path, location) => {
    const { status, headers } = await get(path)
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([302, location, 'no-cache'])
    expect((await edge.call(path, { method: 'POST', body: {} })).status).toBe(405)
  })

  it('whose package is not installed is told of in one line, and all else goes on', async () => {
    const loadPages = async () => createDocsPages(30, (path) => new URL(`file:///not-installed/${path}`))
    const bare = await startEdge({ app: { loadPages } })
    try {
      const { status, json } = await bare.call('/docs')
      expect([status, json.error]).toEqual([
        503,
        { code: 'NOT_CONFIGURED', message: 'The pages are not installed here. The document is at /openapi.json.' },
      ])
      expect((await bare.logged('request.failed'))['reason']).toContain('not-installed')
      for (const path of ['/openapi.json', '/api/v1/health', '/docs/guides/first-swap'])
        expect([path, (await fetch(`http://127.0.0.1:${bare.port}${path}`)).status]).toEqual([path, 200])
    } finally {
      await bare.close()
    }
  })

  it('counts against no limit of calls, and has one of its own [page-root]', async () => {
    const own = await startEdge()
    try {
      const ask = (path: string) => fetch(`http://127.0.0.1:${own.port}${path}`)
      for (let count = 0; count < 240; count += 1) expect((await ask('/docs/none')).status).toBe(404)
      const refused = await ask('/docs')
      expect([refused.status, (await refused.json()) as unknown]).toMatchObject([429, { error: { code: 'RATE_LIMITED' } }])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      const call = await ask('/api/v1/tokens/resolve')
      expect(call.headers.get('ratelimit')).toMatch(/^"anonymous";r=29;/)
    } finally {
      await own.close()
    }
  })
})

describe('every link', () => {
  it('of every page leads to a page, and to a place on it [page-root]', async () => {
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
})

describe('Markdown', () => {
  const nowhere = { resolve: () => null }

  it('is shown and never obeyed where it has markup', () => {
    const { html } = renderMarkdown(
      'a <script>alert(1)</script> `<b>` ![x](javascript:alert(1)) [y](javascript:alert(2))\n\n<img src=x>',
      nowhere,
    )
    expect(html).not.toMatch(/<script|<img|<b>|javascript:/)
    expect(html).toContain('&lt;script&gt;')
  })

  it('has a name of its own for every heading', () => {
    const { html, sections } = renderMarkdown('# Page\n\n## A `b` & c\n\n## A b c\n\n## A b c', nowhere)
    expect([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['page', 'a-b--c', 'a-b-c', 'a-b-c-1'])
    expect(sections.map(({ anchor, title }) => [anchor, title])).toEqual([
      ['a-b--c', 'A b & c'],
      ['a-b-c', 'A b c'],
      ['a-b-c-1', 'A b c'],
    ])
  })

  it('leads from an operation to the reference: once, and not from a heading or from within a link', () => {
    const findPlace = createOperationPlaces(readContract().document)
    const { html } = renderMarkdown(
      '# `/quote`\n\n[`/quote`](/docs) `POST /api/v1/quote` `/quote` `/keys` `GET /api/v1/keys` `/mine`',
      {
        resolve: (href) => ({ href, isForeign: false }),
        findPlace,
      },
    )
    expect([...html.matchAll(/<a href="([^"]+)"><code>([^<]+)<\/code><\/a>/g)].map(([, href, code]) => [href, code])).toEqual([
      ['/docs', '/quote'],
      ['/docs#/Swaps/quote', 'POST /api/v1/quote'],
      ['/docs#/Partners/readKey', 'GET /api/v1/keys'],
    ])
  })

  it.each([
    ['js', "const a = 'x' // <y>", '<b>const</b> a = <i>&#39;x&#39;</i> <s>// &lt;y&gt;</s>'],
    ['js', '`a\n//` /* b\n*/ .if', '<i>`a\n//`</i> <s>/* b\n*/</s> .if'],
    ['js', "'https://a", '<i>&#39;https://a</i>'],
    ['py', 'def f(): # "no text"', '<b>def</b> f(): <s># &quot;no text&quot;</s>'],
    ['sh', "curl -d '{\n}' http://a#b # c", 'curl -d <i>&#39;{\n}&#39;</i> http://a#b <s># c</s>'],
    ['text', "if it's <b>", 'if it&#39;s &lt;b&gt;'],
  ])('colours %s: %s', (language, code, expected) => {
    const short = { comment: 's', text: 'i', keyword: 'b' } as const
    const painted = paintCode(code, language).replaceAll(
      /<span class="(comment|text|keyword)">([^<]*)<\/span>/g,
      (_all, kind: keyof typeof short, text) => `<${short[kind]}>${text}</${short[kind]}>`,
    )
    expect(painted).toBe(expected)
  })

  it('has every program as it stands in the Markdown, coloured or not', async () => {
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
})

describe('/logos', () => {
  it('has the logo of every chain, for pages of every origin and with nothing to run [chains-logos]', async () => {
    const own = await startEdge({ app: { publicUrl: 'https://swaps.example' } })
    const { json } = await own.call('/api/v1/chains')
    await own.close()
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

  it('are unknown in a list without the address of the service, and take GET alone [chains-logos]', async () => {
    expect((await edge.call('/api/v1/chains')).text).not.toContain('logoUrl')
    expect((await get('/logos/nothing.svg')).status).toBe(404)
    const { status, headers } = await get('/logos/eth.svg', { method: 'POST' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})
