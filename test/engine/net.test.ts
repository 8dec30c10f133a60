import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { boundAnswers, HttpError, type HttpRequest } from '../../engine/net/httpClient.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'

type RawServer = {
  readonly url: string
  /** Everything received, per connection. */
  readonly heard: readonly string[]
  /** Resolves when a client leaves. */
  readonly left: Promise<void>
  close(): Promise<void>
}

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A server that says what a test tells it to, byte by byte. */
const rawServer = async (speak: (socket: Socket) => void): Promise<RawServer> => {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  let leave = (): void => undefined
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    const index = heard.push('') - 1
    socket.on('error', () => undefined)
    socket.on('close', () => leave())
    socket.on('data', (data) => {
      heard[index] += data.toString()
      if (heard[index]?.includes('\r\n\r\n')) speak(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  closers.push(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?query=1`, heard, left, close }
}

const client = (limits: Parameters<typeof createHttpClient>[0] = {}) => {
  const http = createHttpClient(limits)
  closers.push(() => http.close())
  return http
}

const get = (url: string, signal: AbortSignal = new AbortController().signal): HttpRequest => ({ method: 'GET', url, signal })

const failureOf = (promise: Promise<unknown>): Promise<HttpError> =>
  promise.then(
    () => expect.unreachable('an answer came'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(HttpError)
      return error as HttpError
    },
  )

const respond =
  (head: string, body = '') =>
  (socket: Socket) =>
    socket.write(`HTTP/1.1 ${head}\r\n\r\n${body}`)

describe('the outbound HTTP client', () => {
  it('sends method, path, query, JSON and headers as told', async () => {
    const server = await rawServer(respond('200 OK\r\ncontent-length: 2', '{}'))
    await client().send({
      method: 'POST',
      url: server.url,
      headers: { 'x-key': 'k' },
      json: { a: '1' },
      signal: new AbortController().signal,
    })
    expect(server.heard[0]).toMatch(/^POST \/path\?query=1 HTTP\/1\.1\r\n/)
    expect(server.heard[0]).toContain('x-key: k\r\n')
    expect(server.heard[0]).toContain('content-type: application/json\r\n')
    expect(server.heard[0]).toMatch(/\r\n\r\n\{"a":"1"\}$/)
  })

  it('gives any status as an answer', async () => {
    const server = await rawServer(respond('503 Unavailable\r\ncontent-length: 4\r\nretry-after: 7', 'busy'))
    const answer = await client().send(get(server.url))
    expect(answer).toMatchObject({ status: 503, text: 'busy', headers: { 'retry-after': '7' } })
  })

  it.each([301, 302, 303, 307, 308])('gives a %i as it is and never visits its location', async (status) => {
    const target = await rawServer(respond('200 OK\r\ncontent-length: 6', 'target'))
    const server = await rawServer(respond(`${status} Moved\r\nlocation: ${target.url}\r\ncontent-length: 0`))
    expect((await client().send(get(server.url))).status).toBe(status)
    expect(target.heard).toEqual([])
  })

  it('takes an answer of exactly the cap and refuses one byte more', async () => {
    const exact = await rawServer(respond('200 OK\r\ncontent-length: 1000', 'x'.repeat(1000)))
    expect((await client({ bytesMax: 1000 }).send(get(exact.url))).text).toHaveLength(1000)
    const more = await rawServer(respond('200 OK\r\ncontent-length: 1001', 'x'.repeat(1001)))
    expect(await failureOf(client({ bytesMax: 1000 }).send(get(more.url)))).toMatchObject({
      failure: 'tooLarge',
      message: 'an answer of 1001 bytes is larger than 1000 bytes',
    })
  })

  const chunked = (text: string) => (socket: Socket) =>
    respond('200 OK\r\ntransfer-encoding: chunked', `${text.length.toString(16)}\r\n${text}\r\n`)(socket)

  it.each([
    ['nests deeper than 32 levels', 'malformed', '['.repeat(33)],
    ['holds more than 84 values', 'malformed', `[${'1,'.repeat(84)}`],
    ['is larger than 1000 bytes', 'tooLarge', 'x'.repeat(1001)],
  ])(
    'refuses an answer that %s, names its size and leaves the rest unread [venue-answer-size]',
    async (excess, failure, text) => {
      const endless = await rawServer(chunked(text))
      expect(await failureOf(client({ bytesMax: 1000 }).send(get(endless.url)))).toMatchObject({
        failure,
        message: `an answer of ${text.length} bytes or more ${excess}`,
      })
      await endless.left
    },
  )

  it('refuses an answer in more than one piece for 64 bytes of its bound, and takes a smaller one byte by byte', async () => {
    const inPieces = (count: number) =>
      rawServer(respond('200 OK\r\ntransfer-encoding: chunked', `${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`))
    const [few, many] = [await inPieces(16), await inPieces(17)]
    expect((await client({ bytesMax: 1000 }).send(get(few.url))).text).toBe('x'.repeat(16))
    expect(await failureOf(client({ bytesMax: 1000 }).send(get(many.url)))).toMatchObject({
      failure: 'malformed',
      message: 'an answer of 17 bytes or more arrives in more than 16 pieces',
    })
  })

  it.each(['['.repeat(33), 'x'.repeat(1001)])(
    'an error over a bound keeps its status and headers, without its text',
    async (text) => {
      const server = await rawServer(respond(`503 Unavailable\r\nretry-after: 7\r\ncontent-length: ${text.length}`, text))
      const answer = await client({ bytesMax: 1000 }).send(get(server.url))
      expect(answer).toMatchObject({ status: 503, text: '', headers: { 'retry-after': '7' } })
    },
  )

  it('bounds the answers of venues by the kind of call', async () => {
    const list = await rawServer(respond('200 OK\r\ncontent-length: 1001', 'x'.repeat(1001)))
    const http = boundAnswers(client(), { answerMax: 1000, listMax: 1001 })
    expect((await http.send({ ...get(list.url), isList: true })).text).toHaveLength(1001)
    expect((await failureOf(http.send(get(list.url)))).message).toBe('an answer of 1001 bytes is larger than 1000 bytes')
  })

  it('takes more, or less, than its cap where a request says so', async () => {
    const server = await rawServer(respond('200 OK\r\ncontent-length: 1001', 'x'.repeat(1001)))
    const ask = (bytesMax: number) => client({ bytesMax: 1000 }).send({ ...get(server.url), bytesMax })
    expect((await ask(1001)).text).toHaveLength(1001)
    expect((await failureOf(ask(999))).failure).toBe('tooLarge')
  })

  it('hangs up on an endless answer instead of reading it [venue-answer-size]', async () => {
    const server = await rawServer((socket) => {
      respond('200 OK\r\ntransfer-encoding: chunked')(socket)
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk));
        if (!socket.destroyed) socket.once('drain', more)
      }
      more()
    })
    expect((await failureOf(client({ bytesMax: 100_000 }).send(get(server.url)))).failure).toBe('tooLarge')
    await server.left
  })

  it.each([
    [
      'a body shorter than promised',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"amount":"1"'),
    ],
    [
      'a chunked body that breaks off',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":'),
    ],
    ['a connection reset', (socket: Socket) => socket.resetAndDestroy()],
    ['a connection closed without an answer', (socket: Socket) => socket.end()],
    ['something that is not HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
  ])('calls %s unreachable', async (_name, speak) => {
    const server = await rawServer(speak)
    expect((await failureOf(client().send(get(server.url)))).failure).toBe('unreachable')
  })

  it('calls a closed port unreachable and keeps the address out of the message', async () => {
    const server = await rawServer(() => undefined)
    await server.close()
    const error = await failureOf(client().send(get(`${server.url}&key=secret`)))
    expect(error.failure).toBe('unreachable')
    expect(error.message).not.toMatch(/127\.0\.0\.1|secret/)
  })

  it('calls a URL it cannot take unreachable, without a request', async () => {
    expect((await failureOf(client().send(get('file:///etc/hostname')))).failure).toBe('unreachable')
    expect((await failureOf(client().send(get('no url')))).failure).toBe('unreachable')
  })

  it('leaves a server that never answers when the signal says so, and hangs up', async () => {
    const abort = new AbortController()
    const server = await rawServer(() => abort.abort())
    expect((await failureOf(client().send(get(server.url, abort.signal)))).failure).toBe('aborted')
    await server.left
  })

  it('leaves in the middle of a body when the signal says so', async () => {
    const abort = new AbortController()
    const server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":', () => setImmediate(() => abort.abort()))
    })
    expect((await failureOf(client().send(get(server.url, abort.signal)))).failure).toBe('aborted')
    await server.left
  })

  it('sends nothing when the signal was aborted before', async () => {
    const server = await rawServer(respond('200 OK\r\ncontent-length: 0'))
    expect((await failureOf(client().send(get(server.url, AbortSignal.abort())))).failure).toBe('aborted')
    expect(server.heard).toEqual([])
  })

  it('keeps at most the allowed connections to one origin', async () => {
    const waiting: Socket[] = []
    const ok = respond('200 OK\r\ncontent-length: 0\r\nconnection: close')
    const server = await rawServer((socket) => {
      if (server.heard.at(-1)?.includes('/stranger')) ok(socket)
      else if (waiting.push(socket) > 2) ok(socket)
    })
    const http = client({ connectionsMax: 2 })
    const calls = Array.from({ length: 4 }, () => http.send(get(server.url)))
    // A whole round trip of somebody else later, only two have come.
    await client().send(get(new URL('/stranger', server.url).href))
    expect(waiting).toHaveLength(2)
    for (const socket of [...waiting]) ok(socket)
    await Promise.all(calls)
    expect(waiting).toHaveLength(4)
  })
})
