import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createPageSet, type PageRequest, packageFile } from '../../../engine/pages/pages.ts'

const MAP = '{"imports":{"lit-html":"%FILES%/lit-html.js"}}'
const LONG = `export const words = '${'word '.repeat(1_000)}'`

const set = (base = '/docs', more: string = LONG) =>
  createPageSet({
    base,
    documents: { [base || '/']: async () => `<!doctype html><script type="importmap">${MAP}</script>` },
    files: { 'page.js': async () => more, 'lit-html.js': packageFile('lit-html/lit-html.js') },
    policy: { 'connect-src': ["'self'"] },
  })

const ask = (path: string, more: Partial<PageRequest> = {}): PageRequest => ({
  method: 'GET',
  path,
  acceptEncoding: undefined,
  ifNoneMatch: undefined,
  ...more,
})

const folderIn = (html: string): string => /\/[a-z/]*files\/[0-9a-f]{16}/.exec(html)?.[0] ?? 'none'

describe('a set of pages', () => {
  it('gives a document with a policy that lets in nothing foreign, and its import map by its hash', async () => {
    const answer = await set().answer(ask('/docs'))
    const html = answer?.body.toString() ?? ''
    const map = MAP.replace('%FILES%', folderIn(html))
    expect(html).toBe(`<!doctype html><script type="importmap">${map}</script>`)
    const hash = createHash('sha256').update(map).digest('base64')
    expect(answer?.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'; script-src 'self' 'sha256-${hash}'`,
    })
  })

  it('gives files for good, below a folder that changes with any of them', async () => {
    const page = await set().answer(ask('/docs'))
    const folder = folderIn(page?.body.toString() ?? '')
    expect(folder.startsWith('/docs/files/')).toBe(true)
    const answer = await set().answer(ask(`${folder}/page.js`))
    expect(answer).toMatchObject({ status: 200, body: Buffer.from(LONG) })
    expect(answer?.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const other = await set('/docs', `${LONG} `).answer(ask('/docs'))
    expect(folderIn(other?.body.toString() ?? '')).not.toBe(folder)
  })

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'GZIP;q=0.5', gunzipSync],
    ['gzip', 'br;q=0, gzip', gunzipSync],
  ])('compresses by %s for who takes %s', async (encoding, acceptEncoding, decompress) => {
    const page = await set().answer(ask('/docs'))
    const path = `${folderIn(page?.body.toString() ?? '')}/page.js`
    const answer = await set().answer(ask(path, { acceptEncoding }))
    expect(answer?.headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(answer?.body.length) })
    expect(decompress(answer?.body ?? Buffer.alloc(0)).toString()).toBe(LONG)
  })

  it('compresses a file once for all who ask at the same time', async () => {
    const pages = set()
    const page = await pages.answer(ask('/docs'))
    const path = `${folderIn(page?.body.toString() ?? '')}/page.js`
    const answers = await Promise.all([1, 2, 3].map(() => pages.answer(ask(path, { acceptEncoding: 'br' }))))
    const [first] = answers
    expect(first?.body.length).toBeGreaterThan(0)
    // The very same bytes, and not only equal ones.
    expect(answers.map((answer) => answer?.body === first?.body)).toEqual([true, true, true])
  })

  it('answers who has it with 304, HEAD without a body, other methods with 405', async () => {
    const pages = set()
    const plain = await pages.answer(ask('/docs'))
    const etag = plain?.headers['etag']
    expect(await pages.answer(ask('/docs', { ifNoneMatch: `"other", W/${etag}` }))).toMatchObject({
      status: 304,
      body: Buffer.alloc(0),
    })
    const head = await pages.answer(ask('/docs', { method: 'HEAD' }))
    expect([head?.status, head?.headers['content-length'], head?.body.length]).toEqual([200, String(plain?.body.length), 0])
    expect(await pages.answer(ask('/docs', { method: 'POST' }))).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
  })

  it.each([
    '/',
    '/docs/',
    '/docs/files/0000000000000000/page.js',
    '/docs/files/../../package.json',
    '/docs/files/',
    '/constructor',
  ])('has nothing at %s', async (path) => {
    expect(await set().answer(ask(path))).toBeNull()
  })

  it('is served from the root', async () => {
    const page = await set('').answer(ask('/'))
    expect(folderIn(page?.body.toString() ?? '')).toMatch(/^\/files\/[0-9a-f]{16}$/)
  })

  it('reads again what could not be read', async () => {
    let asked = 0
    const pages = createPageSet({
      base: '',
      documents: {
        '/': async () => {
          asked += 1
          if (asked === 1) throw new Error('disk')
          return 'page'
        },
      },
      files: {},
      policy: {},
    })
    await expect(pages.answer(ask('/'))).rejects.toThrow('disk')
    expect(await pages.answer(ask('/'))).toMatchObject({ status: 200, body: Buffer.from('page') })
  })
})
