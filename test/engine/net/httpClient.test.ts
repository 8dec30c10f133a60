import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { boundAnswers, HttpError, type HttpRequest } from '../../../engine/net/httpClient.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { closing } from '../../support/closing.ts'

const own = closing()

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
  own({
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/path?query=1`, heard, left: left.promise }
}

const client = (bytesMax = 1000) => own(createHttpClient({ bytesMax }))

const get = (url: string, signal: AbortSignal = new AbortController().signal): HttpRequest => ({ method: 'GET', url, signal })

const failureOf = async (call: Promise<unknown>): Promise<HttpError> => {
  const error = await call.then(() => null).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(HttpError)
  return error as HttpError
}

const respond =
  (head: string, body = '') =>
  (socket: Socket) =>
    socket.write(`HTTP/1.1 ${head}\r\n\r\n${body}`)
const sized = (text: string) => respond(`200 OK\r\ncontent-length: ${text.length}`, text)
const chunked = (chunks = '') => respond('200 OK\r\ntransfer-encoding: chunked', chunks)
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
  it.each([
    ['an error that is too large, without its text', 503, x(1001), ''],
    ['a redirect, which it does not follow', 307, '', ''],
  ])('returns %s', async (_what, status, body, text) => {
    const target = await rawServer(sized('target'))
    const head = `${status} Other\r\nretry-after: 7\r\nlocation: ${target.url}\r\ncontent-length: ${body.length}`
    const server = await rawServer(respond(head, body))
    expect(await client().send(get(server.url))).toMatchObject({ status, text, headers: { 'retry-after': '7' } })
    expect(target.heard).toEqual([])
  })

  it('accepts an answer of exactly the limit of the client, of the request, of the kind of venue call, and of pieces', async () => {
    const [exact, more] = [await rawServer(sized(x(1000))), await rawServer(sized(x(1001)))]
    const pieces = await rawServer(chunked(`${'1\r\nx\r\n'.repeat(16)}0\r\n\r\n`))
    const lengthOf = async (call: ReturnType<ReturnType<typeof client>['send']>) => (await call).text.length
    const venues = boundAnswers(client(), { answerMax: 1000, listMax: 1001 })
    expect(await lengthOf(client().send(get(exact.url)))).toBe(1000)
    expect(await lengthOf(client().send({ ...get(more.url), bytesMax: 1001 }))).toBe(1001)
    expect(await lengthOf(venues.send({ ...get(more.url), isList: true }))).toBe(1001)
    expect(await lengthOf(client().send(get(pieces.url)))).toBe(16)
    const excesses: readonly [typeof venues, HttpRequest][] = [
      [client(), get(more.url)],
      [client(), { ...get(exact.url), bytesMax: 999 }],
      [venues, get(more.url)],
    ]
    for (const [http, request] of excesses) expect((await failureOf(http.send(request))).failure).toBe('tooLarge')
  })

  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  it.each([
    ['nests deeper than 32 levels', 'malformed', chunked(chunk('['.repeat(33)))],
    ['holds more than 84 values', 'malformed', chunked(chunk(`[${'1,'.repeat(84)}`))],
    ['arrives in more than 16 pieces', 'malformed', chunked('1\r\nx\r\n'.repeat(17))],
    ['is larger than 1000 bytes', 'tooLarge', chunked(chunk(x(1001)))],
    ['is larger than 1000 bytes', 'tooLarge', endless],
  ])('disconnects from an unfinished answer that %s [venue-answer-size]', async (excess, failure, answer) => {
    const server = await rawServer(answer)
    const message = expect.stringMatching(`^an answer of [0-9]+ bytes or more ${excess}$`)
    expect(await failureOf(client().send(get(server.url)))).toMatchObject({ failure, message })
    await server.left
  })

  it('reports a closed port and an unusable URL as unreachable, without the address in the message', async () => {
    for (const url of ['http://127.0.0.1:1/?key=secret', 'file:///etc/secret', 'no url, secret']) {
      const { failure, message } = await failureOf(client().send(get(url)))
      expect(failure).toBe('unreachable')
      expect(message).not.toMatch(/127\.0\.0\.1|secret/)
    }
  })

  it('disconnects when its signal aborts within a body', async () => {
    const abort = new AbortController()
    const unfinished = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'
    const server = await rawServer((socket) => socket.write(unfinished, () => setImmediate(() => abort.abort())))
    expect((await failureOf(client().send(get(server.url, abort.signal)))).failure).toBe('aborted')
    await server.left
  })

  it('opens at most the allowed connections to one origin', async () => {
    const waiting: Socket[] = []
    const ok = respond('200 OK\r\ncontent-length: 0\r\nconnection: close')
    const server = await rawServer((socket) => {
      if (server.heard.at(-1)?.includes('/other') || waiting.push(socket) > 2) ok(socket)
    })
    const http = own(createHttpClient({ connectionsMax: 2 }))
    const calls = Array.from({ length: 4 }, () => http.send(get(server.url)))
    // After a whole round trip of another client, two calls have arrived.
    await client().send(get(new URL('/other', server.url).href))
    expect(waiting).toHaveLength(2)
    for (const socket of [...waiting]) ok(socket)
    await Promise.all(calls)
    expect(waiting).toHaveLength(4)
  })
})
