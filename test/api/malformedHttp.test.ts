import net from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closing } from '../support/closing.ts'
import { ANONYMOUS, aQuote, type EdgeServer, expectDressed, parseReply, startEdge } from '../support/edgeServer.ts'
import { USDC_SWAP } from '../support/swaps.ts'

const GENEROUS = { identify: async () => ({ ...ANONYMOUS, requestsPerMinute: 1e6 }) }

const own = closing()
let edge: EdgeServer
beforeAll(async () => {
  edge = await startEdge({ engine: GENEROUS })
})
afterAll(() => edge.close())

const GET = 'GET /api/v1/chains HTTP/1.1\r\n'
const POST = 'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\n'
const JSON_POST = `${POST}content-type: application/json\r\n`
const CHUNK = `10000\r\n${'x'.repeat(64 * 1024)}\r\n`
const statusesIn = (wire: string): readonly string[] => [...wire.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)

/** One answer on the connection, in the form of every failure. Resolves with its status and the header that ends the connection. */
const refusalOf = async (server: EdgeServer, ...writes: readonly string[]) => {
  const wire = await server.wire(...writes)
  expect(statusesIn(wire)).toHaveLength(1)
  const reply = parseReply(wire)
  expectDressed(reply)
  expect(reply.json.error.code).toBe('INVALID_REQUEST')
  return [reply.status, reply.headers['connection']]
}

describe('a malformed or oversized request receives one refusal, and its connection ends [error-malformed-http]', () => {
  it.each<[number, string, readonly string[]]>([
    [400, 'a request line that is none', ['HELLO\r\n\r\n']],
    [400, 'no Host header', [`${GET}\r\n`]],
    [400, 'two Host headers', [`${GET}host: a.example\r\nHost: b.example\r\n\r\n`]],
    [400, 'two Host headers before 100 Continue', [`${POST}host: y\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n`]],
    [400, 'two content lengths', [`${POST}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`]],
    [400, 'a length and chunks', [`${POST}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`]],
    [400, 'a broken header', [`${GET}host: x\r\nbad header: x\r\n\r\n`]],
    [400, 'a CONNECT', ['CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n']],
    [400, 'a broken chunk', [`${JSON_POST}transfer-encoding: chunked\r\n\r\n`, 'zz\r\n']],
    [413, '70 kB announced before 100 Continue', [`${JSON_POST}expect: 100-continue\r\ncontent-length: 70000\r\n\r\n`]],
    [
      413,
      'chunks of 64 KiB and a byte',
      [`${JSON_POST}connection: close\r\ntransfer-encoding: chunked\r\n\r\n`, CHUNK, '1\r\nx\r\n0\r\n\r\n'],
    ],
    [415, 'a body without a type', [`${POST}connection: close\r\ncontent-length: 2\r\n\r\n{}`]],
    [417, 'an unknown expectation', [`${GET}host: x\r\nexpect: a-miracle\r\n\r\n`]],
    [431, 'one header of 20,000 characters', [`${GET}host: x\r\nx-flood: ${'x'.repeat(20_000)}\r\n\r\n`]],
    [431, '2,000 small headers', [`${GET}host: x\r\n${'x-flood: drop\r\n'.repeat(2_000)}\r\n`]],
    [431, '200,000 headers, more than the answer waits for', [`${GET}host: x\r\n${'x-flood: drop\r\n'.repeat(200_000)}\r\n`]],
  ])('%i: %s', async (status, _what, writes) => {
    expect(await refusalOf(edge, ...writes)).toEqual([status, 'close'])
  })

  it.each([
    ['headers that never end', `${GET}host: x\r\n`],
    ['silence', ''],
    ['a body that never ends', `${JSON_POST}content-length: 50\r\n\r\n{`],
  ])('408: %s', async (_what, bytes) => {
    const limits = { headersTimeoutMs: 150, requestTimeoutMs: 200, checkIntervalMs: 25 }
    const slow = own(await startEdge({ server: { limits } }))
    expect(await refusalOf(slow, bytes)).toEqual([408, 'close'])
    // An answer given before the body has arrived is the only one.
    expect(statusesIn(await slow.wire(`${POST}content-length: 50\r\ncontent-type: text/plain\r\n\r\n{`))).toEqual(['415'])
  })

  it('413: chunks without an end, and the next connection is served', async () => {
    const wire = await new Promise<string>((resolve) => {
      const socket = net.connect(edge.port, '127.0.0.1')
      let received = ''
      const pour = () => {
        while (socket.writable && socket.write(CHUNK));
      }
      socket.on('data', (bytes) => {
        received += bytes.toString()
      })
      socket.on('drain', pour)
      // Whether the end shows as an end or as a reset is up to the kernel.
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(received))
      socket.write(`${JSON_POST}transfer-encoding: chunked\r\n\r\n`)
      pour()
    })
    expect(wire.startsWith('HTTP/1.1 413')).toBe(true)
    expect((await edge.call('/api/v1/chains')).status).toBe(200)
  })

  it('the log names status and request id of a refusal, which has the headers of the installation', async () => {
    const simnet = own(await startEdge({ app: { headers: { 'service-network': 'simnet' } } }))
    const { headers, json } = parseReply(await simnet.wire('HELLO\r\n\r\n'))
    expect(headers['service-network']).toBe('simnet')
    expect(await simnet.logged('request.refused')).toMatchObject({ status: 400, requestId: json.meta.requestId })
  })
})

describe('the size and the type of a body', () => {
  it('64 KiB are accepted, and one byte more receives 413', async () => {
    const exact = `{"quoteToken":"t"}${' '.repeat(64 * 1024)}`.slice(0, 64 * 1024)
    expect((await edge.call('/api/v1/execute', { method: 'POST', body: exact })).status).toBe(200)
    const reply = await edge.call('/api/v1/execute', { method: 'POST', body: `${exact} ` })
    expect([reply.status, reply.json.error.code]).toEqual([413, 'INVALID_REQUEST'])
  })

  it('a small body after 100 Continue is accepted', async () => {
    const head = `${JSON_POST.replace('quote', 'execute')}expect: 100-continue\r\ncontent-length: 18\r\n\r\n`
    const wire = await edge.wire(head, '{"quoteToken":"t"}')
    expect(statusesIn(wire)).toEqual(['100', '200'])
  })

  it('the body of a GET stays unread, and the connection ends', async () => {
    const reply = parseReply(await edge.wire(`${GET}host: x\r\ncontent-length: 9000000\r\n\r\n{`))
    expect([reply.status, reply.headers['connection']]).toEqual([200, 'close'])
  })

  it.each<[number, string, string]>([
    [415, 'content-type', 'text/plain'],
    [415, 'content-type', 'application/jsonx'],
    [415, 'content-type', 'application/json; charset=latin1'],
    [415, 'content-encoding', 'gzip'],
    [200, 'content-type', 'Application/JSON;charset="UTF-8"'],
    [200, 'content-encoding', 'identity'],
  ])('%i for %s: %j', async (status, name, value) => {
    const reply = await edge.call('/api/v1/quote', { method: 'POST', body: USDC_SWAP, headers: { [name]: value } })
    expect([reply.status, reply.json.error?.code]).toEqual([status, status === 200 ? undefined : 'INVALID_REQUEST'])
  })
})

describe('paths and methods', () => {
  it.each(['/nowhere', '/api/v1/quote/', '/API/v1/chains', '/api/v1/%63hains', '/%E0%A4%A'])('%s receives 404', async (path) => {
    const reply = await edge.call(path)
    expect([reply.status, reply.json.error.code, reply.headers['cache-control']]).toEqual([404, 'NOT_FOUND', 'no-store'])
  })

  const GET_ALONE = 'GET, HEAD, OPTIONS'
  it.each([
    [405, 'GET', '/api/v1/quote', 'OPTIONS, POST'],
    [405, 'HEAD', '/api/v1/quote', 'OPTIONS, POST'],
    [405, 'TRACE', '/api/v1/status', GET_ALONE],
    [405, 'PUT', '/openapi.json', GET_ALONE],
    [204, 'OPTIONS', '/api/v1/quote', 'OPTIONS, POST'],
    [204, 'OPTIONS', '/api/v1/chains', GET_ALONE],
    [404, 'OPTIONS', '/nowhere', undefined],
  ])('%i for %s %s, with the allowed methods [error-malformed-http]', async (status, method, path, allow) => {
    const reply = await edge.call(path, { method })
    expect([reply.status, reply.headers['allow']]).toEqual([status, allow])
    if (status === 405 && method !== 'HEAD') expect(reply.json.error.code).toBe('INVALID_REQUEST')
  })
})

describe('several requests on a connection', () => {
  it('a request after a refused one is served', async () => {
    const bad = `${JSON_POST}content-length: 2\r\n\r\n{}`
    expect(statusesIn(await edge.wire(`${bad}${GET}host: x\r\nconnection: close\r\n\r\n`))).toEqual(['400', '200'])
  })

  it('a whole request receives its own answer, whatever is wrong with the bytes after it', async () => {
    // The garbage is there long before the answer.
    const slow = own(await startEdge({ engine: { quote: () => setTimeout(50, aQuote()) } }))
    const body = JSON.stringify(USDC_SWAP)
    const wire = await slow.wire(`${JSON_POST}content-length: ${body.length}\r\n\r\n${body}GARBAGE\r\n\r\n`)
    expect(statusesIn(wire)).toEqual(['200'])
    expect(parseReply(wire).headers['connection']).toBe('close')
  })

  it('a client that never reads is disconnected after the stall timeout', async () => {
    const stalled = own(await startEdge({ server: { limits: { stallTimeoutMs: 200 } }, engine: GENEROUS }))
    const socket = net.connect(stalled.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    // More than the kernel keeps between the two ends.
    for (let i = 0; i < 200; i += 1) socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(await stalled.logged('request', { aborted: true })).toMatchObject({ path: '/openapi.json' })
    socket.destroy()
  })
})
