import { gunzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { createPageSet, type PageRequest, type PageSet } from '../../../engine/pages/pages.ts'

const SCRIPT = `export const words = '${'word '.repeat(1_000)}'`

const open = (script: string, page = async () => '<!doctype html>%FILES%/page.js') =>
  createPageSet({ base: '/docs', documents: { '/docs': page }, files: { 'page.js': async () => script }, policy: {} })

const get = (pages: PageSet, path: string, more: Partial<PageRequest> = {}) =>
  pages.answer({ method: 'GET', path, acceptEncoding: undefined, ifNoneMatch: undefined, ...more })

const fileOf = async (pages: PageSet) => /\/docs\/files\/\S+/.exec(String((await get(pages, '/docs'))?.body))?.[0] ?? ''

it('pages: the path of a file, which caches keep for good, changes with its content', async () => {
  const [path, other] = [await fileOf(open(SCRIPT)), await fileOf(open(`${SCRIPT} `))]
  expect(await get(open(SCRIPT), path)).toMatchObject({ status: 200, body: Buffer.from(SCRIPT) })
  expect(await get(open(SCRIPT), other)).toBeNull()
})

it('pages: a refused encoding is not used, and one of several known versions is answered with 304', async () => {
  const pages = open(SCRIPT)
  const zipped = await get(pages, await fileOf(pages), { acceptEncoding: 'br;q=0, GZIP;q=0.5' })
  expect(zipped?.headers['content-encoding']).toBe('gzip')
  expect(String(gunzipSync(zipped?.body ?? ''))).toBe(SCRIPT)
  const etag = (await get(pages, '/docs'))?.headers['etag']
  expect(await get(pages, '/docs', { ifNoneMatch: `"other", W/${etag}` })).toMatchObject({ status: 304, body: Buffer.alloc(0) })
})

it('pages: a source that could not be read is read again', async () => {
  const pages = open(SCRIPT, vi.fn(async () => 'page').mockRejectedValueOnce(new Error('disk')))
  await expect(get(pages, '/docs')).rejects.toThrow('disk')
  expect(await get(pages, '/docs')).toMatchObject({ status: 200, body: Buffer.from('page') })
})
