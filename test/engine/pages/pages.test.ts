import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createPageSet, type PageRequest, type PageSet, packageFile } from '../../../engine/pages/pages.ts'

const MAP = '{"imports":{"lit-html":"%FILES%/lit-html.js"}}'
const LONG = `export const words = '${'word '.repeat(1_000)}'`

const open = (base = '/docs', script: string = LONG) =>
  createPageSet({
    base,
    documents: { [base || '/']: async () => `<!doctype html><script type="importmap">${MAP}</script>` },
    files: { 'page.js': async () => script, 'lit-html.js': packageFile('lit-html/lit-html.js') },
    policy: { 'connect-src': ["'self'"] },
  })

const get = (pages: PageSet, path: string, more: Partial<PageRequest> = {}) =>
  pages.answer({ method: 'GET', path, acceptEncoding: undefined, ifNoneMatch: undefined, ...more })

/** The folder of the files, as the document names it. */
const folderOf = async (pages: PageSet, path = '/docs'): Promise<string> =>
  /\/[a-z/]*files\/[0-9a-f]{16}/.exec(String((await get(pages, path))?.body))?.[0] ?? 'none'

it('pages: a document has a policy that allows nothing foreign, and its import map by hash', async () => {
  const pages = open()
  const map = MAP.replace('%FILES%', await folderOf(pages))
  const answer = await get(pages, '/docs')
  expect(String(answer?.body)).toBe(`<!doctype html><script type="importmap">${map}</script>`)
  const hash = createHash('sha256').update(map).digest('base64')
  expect(answer?.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'; script-src 'self' 'sha256-${hash}'`,
  })
})

it('pages: files are cached without a limit, in a folder whose name changes with any of them', async () => {
  const folder = await folderOf(open())
  expect(folder.startsWith('/docs/files/')).toBe(true)
  expect(await get(open(), `${folder}/page.js`)).toMatchObject({
    status: 200,
    body: Buffer.from(LONG),
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  })
  expect(await folderOf(open('/docs', `${LONG} `))).not.toBe(folder)
  expect(await folderOf(open(''), '/')).toMatch(/^\/files\/[0-9a-f]{16}$/)
})

it.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'GZIP;q=0.5', gunzipSync],
  ['gzip', 'br;q=0, gzip', gunzipSync],
])(
  'pages: a file is compressed once, with %s, for concurrent clients that accept %s',
  async (encoding, acceptEncoding, expand) => {
    const pages = open()
    const path = `${await folderOf(pages)}/page.js`
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => get(pages, path, { acceptEncoding })))
    expect(first?.headers).toMatchObject({ 'content-encoding': encoding, 'content-length': String(first?.body.length) })
    expect(String(expand(first?.body ?? Buffer.alloc(0)))).toBe(LONG)
    // The same buffer, not only equal bytes.
    expect(others.map((other) => other?.body === first?.body)).toEqual([true, true])
  },
)

it('pages: one of several known versions is answered with 304', async () => {
  const pages = open()
  const etag = (await get(pages, '/docs'))?.headers['etag']
  const known = await get(pages, '/docs', { ifNoneMatch: `"other", W/${etag}` })
  expect(known).toMatchObject({ status: 304, body: Buffer.alloc(0) })
})

it('pages: a source that could not be read is read again', async () => {
  let reads = 0
  const page = async () => {
    reads += 1
    if (reads === 1) throw new Error('disk')
    return 'page'
  }
  const pages = createPageSet({ base: '', documents: { '/': page }, files: {}, policy: {} })
  await expect(get(pages, '/')).rejects.toThrow('disk')
  expect(await get(pages, '/')).toMatchObject({ status: 200, body: Buffer.from('page') })
})
