import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { boundAnswers, HttpError, type HttpRequest } from '../../engine/net/httpClient.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A server that writes what a test wants, byte by byte. `left` resolves when a client disconnects. */
const rawServer = async (answer: (socket: Socket) => unknown) => {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const left = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const index = heard.push('') - 1
    socket.on('error', () => undefined)
    socket.on('close', () => left.resolve())
    socket.on('data', (data) => {
      heard[index] += data.toString()
      if (heard[index]?.includes('\r\n\r\n')) answer(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  closers.push(close)
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/path?query=1`, heard, left: left.promise, close }
}

const client = (limits: Parameters<typeof createHttpClient>[0] = {}) => {
  const http = createHttpClient(limits)
  closers.push(() => http.close())
  return http
}

const get = (url: string, signal: AbortSignal = new AbortController().signal): HttpRequest => ({ method: 'GET', url, signal })

const failureOf = async (call: Promise<unknown>): Promise<HttpError> => {
  const error = await call.then(
    () => expect.unreachable('the server answered'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(HttpError)
  return error as HttpError
}

const respond =
  (head: string, body = '') =>
  (socket: Socket) =>
    socket.write(`HTTP/1.1 ${head}\r\n\r\n${body}`)
const sized = (text: string) => respond(`200 OK\r\ncontent-length: ${text.length}`, text)
const chunked = (text = '') => respond('200 OK\r\ntransfer-encoding: chunked', text)
const x = (length: number) => 'x'.repeat(length)

const endless = (socket: Socket): void => {
  chunked()(socket)
  const more = (): void => {
    while (!socket.destroyed && socket.write(`10000\r\n${x(0x10000)}\r\n`));
    if (!socket.destroyed) socket.once('drain', more)
  }
  more()
}

describe('HTTP client', () => {
  it('sends method, path, query, JSON and headers as given', async () => {
    const server = await rawServer(sized('{}'))
    await client().send({ ...get(server.url), method: 'POST', headers: { 'x-key': 'k' }, json: { a: '1' } })
    expect(server.heard[0]).toMatch(/^POST \/path\?query=1 HTTP\/1\.1\r\n/)
    expect(server.heard[0]).toContain('x-key: k\r\n')
    expect(server.heard[0]).toContain('content-type: application/json\r\n')
    expect(server.heard[0]).toMatch(/\r\n\r\n\{"a":"1"\}$/)
  })

  it.each([
    ['a status of an error with its text', 'busy', 'busy'],
    ['an error that nests too deep without its text', '['.repeat(33), ''],
    ['an error that is too large without its text', x(1001), ''],
  ])('returns %s', async (_what, body, text) => {
    const server = await rawServer(respond(`503 Unavailable\r\nretry-after: 7\r\ncontent-length: ${body.length}`, body))
    const answer = await client({ bytesMax: 1000 }).send(get(server.url))
    expect(answer).toMatchObject({ status: 503, text, headers: { 'retry-after': '7' } })
  })

  it.each([301, 302, 303, 307, 308])('returns a redirect %i and does not follow it', async (status) => {
    const target = await rawServer(sized('target'))
    const server = await rawServer(respond(`${status} Moved\r\nlocation: ${target.url}\r\ncontent-length: 0`))
    expect((await client().send(get(server.url))).status).toBe(status)
    expect(target.heard).toEqual([])
  })

  it('accepts an answer of exactly the limit of the client, of the request, or of the kind of venue call', async () => {
    const [exact, more] = [await rawServer(sized(x(1000))), await rawServer(sized(x(1001)))]
    const tooLarge = { failure: 'tooLarge', message: 'an answer of 1001 bytes is larger than 1000 bytes' }
    const http = client({ bytesMax: 1000 })
    expect((await http.send(get(exact.url))).text).toHaveLength(1000)
    expect(await failureOf(http.send(get(more.url)))).toMatchObject(tooLarge)
    expect((await http.send({ ...get(more.url), bytesMax: 1001 })).text).toHaveLength(1001)
    expect((await failureOf(http.send({ ...get(exact.url), bytesMax: 999 }))).failure).toBe('tooLarge')
    const venues = boundAnswers(client(), { answerMax: 1000, listMax: 1001 })
    expect((await venues.send({ ...get(more.url), isList: true })).text).toHaveLength(1001)
    expect(await failureOf(venues.send(get(more.url)))).toMatchObject(tooLarge)
  })

  it.each([
    ['nests deeper than 32 levels', 'malformed', '['.repeat(33)],
    ['holds more than 84 values', 'malformed', `[${'1,'.repeat(84)}`],
    ['is larger than 1000 bytes', 'tooLarge', x(1001)],
  ])('rejects an answer that %s as %s, and disconnects before its end [venue-answer-size]', async (excess, failure, text) => {
    const unfinished = await rawServer(chunked(`${text.length.toString(16)}\r\n${text}\r\n`))
    const message = `an answer of ${text.length} bytes or more ${excess}`
    expect(await failureOf(client({ bytesMax: 1000 }).send(get(unfinished.url)))).toMatchObject({ failure, message })
    await unfinished.left
  })

  it('disconnects from an endless answer [venue-answer-size]', async () => {
    const server = await rawServer(endless)
    expect((await failureOf(client({ bytesMax: 100_000 }).send(get(server.url)))).failure).toBe('tooLarge')
    await server.left
  })

  it('rejects an answer in more pieces than one for 64 bytes of its limit', async () => {
    const inPieces = (count: number) => rawServer(chunked(`${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`))
    const [few, many] = [await inPieces(16), await inPieces(17)]
    expect((await client({ bytesMax: 1000 }).send(get(few.url))).text).toBe(x(16))
    expect(await failureOf(client({ bytesMax: 1000 }).send(get(many.url)))).toMatchObject({
      failure: 'malformed',
      message: 'an answer of 17 bytes or more arrives in more than 16 pieces',
    })
  })

  it.each<[string, (socket: Socket) => unknown]>([
    ['a body shorter than announced', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"amount":"1"')],
    ['a chunked body that breaks off', (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":')],
    ['a connection reset', (socket) => socket.resetAndDestroy()],
    ['a connection closed without an answer', (socket) => socket.end()],
    ['bytes that are not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
  ])('reports %s as unreachable', async (_name, answer) => {
    const server = await rawServer(answer)
    expect((await failureOf(client().send(get(server.url)))).failure).toBe('unreachable')
  })

  it('reports a closed port and an unusable URL as unreachable, without the address in the message', async () => {
    const server = await rawServer(() => undefined)
    await server.close()
    for (const url of [`${server.url}&key=secret`, 'file:///etc/secret', 'no url, secret']) {
      const { failure, message } = await failureOf(client().send(get(url)))
      expect(failure).toBe('unreachable')
      expect(message).not.toMatch(/127\.0\.0\.1|secret/)
    }
  })

  it.each<[string, (socket: Socket, abort: () => void) => unknown]>([
    ['before an answer', (_socket, abort) => abort()],
    [
      'within a body',
      (socket, abort) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{', () => setImmediate(abort)),
    ],
  ])('disconnects when its signal aborts %s', async (_when, answer) => {
    const abort = new AbortController()
    const server = await rawServer((socket) => answer(socket, () => abort.abort()))
    expect((await failureOf(client().send(get(server.url, abort.signal)))).failure).toBe('aborted')
    await server.left
  })

  it('sends nothing when its signal was aborted before', async () => {
    const server = await rawServer(sized(''))
    expect((await failureOf(client().send(get(server.url, AbortSignal.abort())))).failure).toBe('aborted')
    expect(server.heard).toEqual([])
  })

  it('opens at most the allowed connections to one origin', async () => {
    const waiting: Socket[] = []
    const ok = respond('200 OK\r\ncontent-length: 0\r\nconnection: close')
    const server = await rawServer((socket) => {
      if (server.heard.at(-1)?.includes('/other') || waiting.push(socket) > 2) ok(socket)
    })
    const http = client({ connectionsMax: 2 })
    const calls = Array.from({ length: 4 }, () => http.send(get(server.url)))
    // After a whole round trip of another client, two calls have arrived.
    await client().send(get(new URL('/other', server.url).href))
    expect(waiting).toHaveLength(2)
    for (const socket of [...waiting]) ok(socket)
    await Promise.all(calls)
    expect(waiting).toHaveLength(4)
  })
})
