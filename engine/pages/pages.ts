import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/**
 * Web pages: documents and the files that they load, served without a build step. The folder of the files is named by their hash,
 * so browsers cache them without a limit; they revalidate documents on each request. The first request reads the sources.
 */

/** The source of a document or file: a file of this project or of a package, or a function that makes it. */
export type PageSource = URL | (() => Promise<Buffer | string>)

export type PageSetOptions = {
  /** The path above the files, without a slash at its end, such as `/docs`; empty for the root. */
  readonly base: string
  /** HTML by its path, such as `/docs`. `%FILES%` in it becomes the folder of the files. */
  readonly documents: { readonly [path: string]: PageSource }
  /** Files by their names below that folder. The file extension determines the content type. */
  readonly files: { readonly [name: string]: PageSource }
  /** The permissions of the browser on these pages. Inline import maps of the documents are allowed by their hashes. */
  readonly policy: PagePolicy
}

/** Content-Security-Policy directives beside `default-src 'none'` and those that are the same for all pages. */
export type PagePolicy = { readonly [directive: string]: readonly string[] }

export type PageRequest = {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly acceptEncoding: string | undefined
  readonly ifNoneMatch: string | undefined
}

/** Names in lower case. `body` is empty for HEAD and 304; content-length is that of what GET sends. */
export type PageAnswer = {
  readonly status: 200 | 304 | 405
  readonly headers: { readonly [name: string]: string }
  readonly body: Buffer
}

export type PageSet = {
  /** Null for a path outside this set. */
  answer(request: PageRequest): Promise<PageAnswer | null>
}

const TYPES: { readonly [ending: string]: string } = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  json: 'application/json',
}

const MAX_AGE_S = 365 * 24 * 60 * 60
const COMPRESSED_FROM_BYTES = 1_024
/** The service compresses a file once and sends it often. Higher levels need seconds per megabyte. */
const BROTLI_QUALITY = 9

type Encoding = 'br' | 'gzip'
type Piece = {
  readonly type: string
  readonly plain: Buffer
  readonly etag: string
  readonly encoded: Map<Encoding, Promise<Buffer>>
}
type Loaded = {
  readonly pieces: ReadonlyMap<string, Piece>
  readonly policies: ReadonlyMap<string, string>
  readonly folder: string
}

const compress: { readonly [encoding in Encoding]: (bytes: Buffer) => Promise<Buffer> } = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

const sha256 = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const read = async (source: PageSource): Promise<Buffer> => {
  const read = source instanceof URL ? await readFile(source) : await source()
  return typeof read === 'string' ? Buffer.from(read) : read
}

const pieceOf = (name: string, plain: Buffer): Piece => {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
  if (type === undefined) throw new Error(`no content type is known for ${name}`)
  return { type, plain, etag: `"${sha256(plain).toString('base64url')}"`, encoded: new Map() }
}

const IMPORT_MAP = /<script type="importmap">([^<]*)<\/script>/g

const policyFor = (html: string, own: PagePolicy): string => {
  const maps = [...html.matchAll(IMPORT_MAP)].map(([, map = '']) => `'sha256-${sha256(map).toString('base64')}'`)
  const directives: PagePolicy = {
    'default-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
    ...own,
    'script-src': [...(own['script-src'] ?? ["'self'"]), ...maps],
  }
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ')
}

const load = async ({ base, documents, files, policy }: PageSetOptions): Promise<Loaded> => {
  const all = async (sources: PageSetOptions['files']): Promise<[string, Buffer][]> =>
    Promise.all(Object.entries(sources).map(async ([name, source]): Promise<[string, Buffer]> => [name, await read(source)]))
  const [loadedFiles, loadedDocuments] = [await all(files), await all(documents)]
  const folder = `${base}/files/${sha256(...loadedFiles.flatMap(([name, bytes]) => [name, '\0', bytes])).toString('hex', 0, 8)}`
  const pieces = new Map<string, Piece>(loadedFiles.map(([name, bytes]) => [`${folder}/${name}`, pieceOf(name, bytes)]))
  const policies = new Map<string, string>()
  for (const [path, bytes] of loadedDocuments) {
    const html = bytes.toString('utf8').replaceAll('%FILES%', folder)
    pieces.set(path, pieceOf('.html', Buffer.from(html)))
    policies.set(path, policyFor(html, policy))
  }
  return { pieces, policies, folder }
}

const encodingFor = ({ type, plain }: Piece, accepted = ''): Encoding | null => {
  if (plain.length < COMPRESSED_FROM_BYTES || type === 'image/png') return null
  const wanted = accepted.split(',').map((part) => part.trim().toLowerCase())
  const takes = (name: string) =>
    wanted.some((part) => part.split(';', 1)[0]?.trim() === name && !/;\s*q=0(\.0*)?\s*$/.test(part))
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null
}

/** Compresses once for all concurrent requests: compression uses the same threads as DNS lookups. */
const bodyOf = async ({ plain, encoded }: Piece, encoding: Encoding | null): Promise<Buffer> => {
  if (encoding === null) return plain
  const known = encoded.get(encoding)
  if (known) return known
  const compressed = compress[encoding](plain)
  encoded.set(encoding, compressed)
  return compressed
}

/** A file in memory that is served outside of a page set. `encode` compresses it for a client that accepts that. */
export const createServedFile = (name: string, bytes: Buffer) => {
  const piece = pieceOf(name, bytes)
  const encode = async (acceptEncoding: string | undefined) => {
    const encoding = encodingFor(piece, acceptEncoding)
    return { encoding, body: await bodyOf(piece, encoding) }
  }
  return { type: piece.type, etag: piece.etag, encode }
}

const EMPTY = Buffer.alloc(0)
const ALLOW = 'GET, HEAD'

/** Serves one set of pages. `answer` rejects if a source cannot be read; the next request reads it again. */
export const createPageSet = (options: PageSetOptions): PageSet => {
  let loading: Promise<Loaded> | null = null
  const loaded = (): Promise<Loaded> => {
    loading ??= load(options).catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
  const isOurs = (path: string): boolean => Object.hasOwn(options.documents, path) || path.startsWith(`${options.base}/files/`)
  return {
    async answer({ method, path, acceptEncoding, ifNoneMatch }) {
      if (!isOurs(path)) return null
      const { pieces, policies } = await loaded()
      const piece = pieces.get(path)
      if (!piece) return null
      if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { allow: ALLOW }, body: EMPTY }
      const policy = policies.get(path)
      const headers = {
        etag: piece.etag,
        vary: 'accept-encoding',
        'cache-control': policy === undefined ? `public, max-age=${MAX_AGE_S}, immutable` : 'no-cache',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        ...(policy !== undefined && { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }),
      }
      if (ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === piece.etag))
        return { status: 304, headers, body: EMPTY }
      const encoding = encodingFor(piece, acceptEncoding)
      const body = await bodyOf(piece, encoding)
      return {
        status: 200,
        headers: {
          ...headers,
          'content-type': piece.type,
          'content-length': String(body.length),
          ...(encoding && { 'content-encoding': encoding }),
        },
        body: method === 'HEAD' ? EMPTY : body,
      }
    },
  }
}

/** The URL of a file of an installed package, such as `lit-html/lit-html.js`, without the package's `exports` for Node. */
export const packageFile = (path: string): URL => new URL(`../../node_modules/${path}`, import.meta.url)

/** The files of a folder by their place in the tree, so that their relative imports work as on disk. */
export const browserFiles = (folder: URL, below: string): { readonly [name: string]: PageSource } =>
  Object.fromEntries(readdirSync(folder).map((name) => [`${below}/browser/${name}`, new URL(name, folder)]))
