import { createServer as createPlainServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ResolveHost, resolvePublicHost } from '../../../engine/net/targetAddresses.ts'
import { createTargetPost, type TargetPostOptions } from '../../../engine/net/targetPost.ts'
import { readWebhookUrl } from '../../../engine/webhooks/webhookUrl.ts'
import { makeCertificate } from '../../../scripts/client/certificate.ts'
import { HOOK_CERTIFICATE, HOOK_HOST, type HookTargetOptions, postLocally, startHookTarget } from '../../support/hookTarget.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'

const closers: (() => unknown)[] = []

afterEach(async () => {
  realTime()
  for (const close of closers.splice(0).reverse()) await close()
})

const startTarget = async (options?: HookTargetOptions) => {
  const target = await startHookTarget(options)
  closers.push(target.close)
  return target
}

const MESSAGE = { headers: { 'content-type': 'application/json', 'x-test': 'a' }, body: Buffer.from('{"ü": 1}') }

test('posts the very bytes, once, over TLS in the name of the target', async () => {
  const target = await startTarget()
  expect(await postLocally()(target.url, MESSAGE)).toEqual({ answered: 204 })
  expect(target.connections).toBe(1)
  expect(target.received).toHaveLength(1)
  const [{ method, path, headers, body, servername } = target.received[0] as never] = target.received
  expect({ method, path, servername }).toEqual({ method: 'POST', path: '/swaps?of=me', servername: HOOK_HOST })
  expect(body).toEqual(MESSAGE.body)
  expect(headers).toEqual({
    host: `${HOOK_HOST}:${target.port}`,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': '9',
    'x-test': 'a',
  })
})

test.each([200, 302, 307, 400, 410, 500, 503])(
  'takes %i for the answer, and asks nothing again [webhook-time-bounded]',
  async (status) => {
    const elsewhere = await startTarget()
    const target = await startTarget({
      answer: (response) => response.writeHead(status, { location: elsewhere.url, 'retry-after': '0' }).end('{}'),
    })
    expect(await postLocally()(target.url, MESSAGE)).toEqual({ answered: status })
    expect([target.connections, elsewhere.connections]).toEqual([1, 0])
  },
)

describe('connects to the addresses that were judged, and to no others: [webhook-public-targets]', () => {
  test('a name that has another address a moment later leads nowhere else', async () => {
    const judged = await startTarget({ address: '127.0.0.2' })
    const inside = await startTarget({ address: '127.0.0.1', port: judged.port })
    const answers = [['127.0.0.2'], ['127.0.0.1']]
    let asked = 0
    const resolve = async () => answers[asked++] ?? ['127.0.0.1']
    const post = postLocally({ resolve, mayConnect: (address) => address === '127.0.0.2' })
    expect(await post(judged.url, MESSAGE)).toEqual({ answered: 204 })
    expect(judged.received[0]).toMatchObject({ toAddress: '127.0.0.2', servername: HOOK_HOST })
    expect(asked).toBe(1)
    expect(await post(judged.url, MESSAGE)).toEqual({ failure: 'noPublicAddress' })
    expect([judged.connections, inside.connections]).toEqual([1, 0])
  })

  test('of very many addresses few are tried, and all are judged', async () => {
    const addresses = Array.from({ length: 9 }, (_, i) => `127.0.0.${i + 2}`)
    const [last = ''] = addresses.slice(-1)
    const target = await startTarget({ address: last })
    expect(await postLocally({ resolve: async () => addresses })(target.url, MESSAGE)).toEqual({ failure: 'unreachable' })
    const mayConnect = (address: string) => address !== last
    const post = postLocally({ resolve: async () => addresses, mayConnect })
    expect(await post(target.url, MESSAGE)).toEqual({ failure: 'noPublicAddress' })
    expect(await postLocally({ resolve: async () => addresses.slice(1) })(target.url, MESSAGE)).toEqual({ answered: 204 })
    expect(target.connections).toBe(1)
  })

  test('one address that may not be connected to is enough to connect to none', async () => {
    const target = await startTarget({ address: '127.0.0.2' })
    const post = postLocally({
      resolve: async () => ['127.0.0.2', '127.0.0.1'],
      mayConnect: (address) => address === '127.0.0.2',
    })
    expect(await post(target.url, MESSAGE)).toEqual({ failure: 'noPublicAddress' })
    expect(target.connections).toBe(0)
  })

  test.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '169.254.169.254',
    'fd00:ec2::254',
    'fe80::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '192.0.2.1',
    '2001:db8::1',
  ])('a name that has the address %s is not connected to', async (address) => {
    const target = await startTarget()
    const post = createTargetPost({ allowPrivate: false, resolve: async () => [address], ca: HOOK_CERTIFICATE.cert })
    expect(await post(target.url, MESSAGE)).toEqual({ failure: 'noPublicAddress' })
    expect(target.connections).toBe(0)
  })

  test.each([
    ['dotted', '127.0.0.1'],
    ['decimal', '2130706433'],
    ['hexadecimal', '0x7f000001'],
    ['hexadecimal by parts', '0x7f.0.0.1'],
    ['octal', '017700000001'],
    ['octal by parts', '0177.0.0.01'],
    ['short', '127.1'],
    ['with a dot at its end', '127.0.0.1.'],
    ['in full width', '１２７.０.０.１'],
    ['percent-encoded', '%31%32%37.0.0.1'],
    ['unspecified', '0'],
    ['IPv6', '[::1]'],
    ['mapped', '[::ffff:127.0.0.1]'],
    ['NAT64', '[64:ff9b::127.0.0.1]'],
    ['unspecified in IPv6', '[::]'],
  ])('the address itself, written %s', async (_name, host) => {
    const target = await startTarget()
    const { url } = readWebhookUrl(`https://${host}:${target.port}/`, true) as { url: string }
    const post = createTargetPost({ allowPrivate: false, ca: HOOK_CERTIFICATE.cert })
    expect(await post(url, MESSAGE)).toEqual({ failure: 'noPublicAddress' })
    expect(target.connections).toBe(0)
  })

  test.each(['localhost', 'localhost.', 'LOCALHOST', 'any.localhost'])('%s has no address that is public', async (host) => {
    const target = await startTarget()
    const post = createTargetPost({ allowPrivate: false, resolve: async () => ['127.0.0.1', '::1'], ca: HOOK_CERTIFICATE.cert })
    expect(await post(`https://${host}:${target.port}/`, MESSAGE)).toEqual({ failure: 'noPublicAddress' })
    expect(target.connections).toBe(0)
  })

  test('in development the same machine may be a target, by its name', async () => {
    const certificate = makeCertificate('localhost')
    const target = await startTarget({ certificate })
    const post = createTargetPost({ allowPrivate: true, ca: certificate.cert })
    expect(await post(`https://localhost:${target.port}/`, MESSAGE)).toEqual({ answered: 204 })
  })
})

describe('tells why there is no answer:', () => {
  test('no address', async () => {
    expect(await postLocally({ resolve: async () => [] })('https://hooks.example/', MESSAGE)).toEqual({
      failure: 'noPublicAddress',
    })
  })

  test('a certificate of nobody we know, or in another name', async () => {
    const target = await startTarget({ certificate: makeCertificate(HOOK_HOST) })
    expect(await postLocally()(target.url, MESSAGE)).toEqual({ failure: 'certificateRefused' })
    const certificate = makeCertificate('other.example')
    const other = await startTarget({ certificate })
    expect(await postLocally({ ca: certificate.cert })(other.url, MESSAGE)).toEqual({ failure: 'certificateRefused' })
    expect([...target.received, ...other.received]).toEqual([])
  })

  test('nobody listens, or the connection is closed without a word', async () => {
    const gone = await startHookTarget()
    await gone.close()
    expect(await postLocally()(gone.url, MESSAGE)).toEqual({ failure: 'unreachable' })
    const target = await startTarget({ answer: (response) => response.destroy() })
    expect(await postLocally()(target.url, MESSAGE)).toEqual({ failure: 'unreachable' })
    expect(target.connections).toBe(1)
  })

  test('no TLS, or no HTTP', async () => {
    const plain = createPlainServer((_request, response) => void response.end())
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    closers.push(() => new Promise((resolve) => plain.close(resolve)))
    const { port } = plain.address() as AddressInfo
    expect(await postLocally()(`https://${HOOK_HOST}:${port}/`, MESSAGE)).toEqual({ failure: 'unreadable' })
    const target = await startTarget({ answer: (response) => response.socket?.end('I am no HTTP\r\n\r\n') })
    expect(await postLocally()(target.url, MESSAGE)).toEqual({ failure: 'unreadable' })
  })

  const forever: ResolveHost = () => new Promise(() => undefined)

  test.each<[string, Partial<TargetPostOptions>]>([
    ['a name server', { resolve: forever }],
    ['a target that never answers', {}],
  ])('%s takes longer than it is given', async (_name, options) => {
    const target = await startTarget({ answer: () => undefined })
    expect(await postLocally({ timeoutMs: 100, ...options })(target.url, MESSAGE)).toEqual({ failure: 'timeout' })
  })

  test('a target, where nothing else is set, that takes longer than ten seconds in all [webhook-time-bounded]', async () => {
    fakeTime()
    const post = postLocally({ resolve: forever })(`https://${HOOK_HOST}/`, MESSAGE)
    await advance(9_999)
    expect(vi.getTimerCount()).toBe(1)
    await advance(1)
    expect(await post).toEqual({ failure: 'timeout' })
  })

  test('a target that never finishes its handshake', async () => {
    const silent = net.createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const sockets: net.Socket[] = []
    silent.on('connection', (socket) => sockets.push(socket))
    closers.push(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const url = `https://${HOOK_HOST}:${(silent.address() as AddressInfo).port}/`
    expect(await postLocally({ timeoutMs: 100 })(url, MESSAGE)).toEqual({ failure: 'timeout' })
  })
})

test.each([
  ['another protocol, unasked', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
  ['a status that HTTP has not', 'HTTP/1.1 099 No\r\ncontent-length: 0\r\n\r\n'],
])('%s is no answer, and nobody waits for one', async (_what, said) => {
  const target = await startTarget({ answer: ({ socket }) => void socket?.write(said) })
  expect(await postLocally()(target.url, MESSAGE)).toEqual({ failure: 'unreadable' })
  expect(target.connections).toBe(1)
})

describe('reads no more than it must:', () => {
  const CHUNK = Buffer.alloc(16 * 1024, 'x')

  test('an endless answer is cut at the cap, and its status is the answer', async () => {
    let written = 0
    const isCut = Promise.withResolvers<void>()
    const target = await startTarget({
      answer: (response) => {
        response.writeHead(200)
        const more = (): void => {
          written += CHUNK.length
          response.write(CHUNK, (error) => (error ? isCut.resolve() : more()))
        }
        response.on('close', () => isCut.resolve())
        more()
      },
    })
    expect(await postLocally({ timeoutMs: 60_000 })(target.url, MESSAGE)).toEqual({ answered: 200 })
    await isCut.promise
    // What the sockets of both sides hold was written, and not read.
    expect(written).toBeLessThan(16 * 1024 * 1024)
  })

  test.each([
    [64 * 1024, 300, 'not cut'],
    [64 * 1024 + 1, 10_000, { answered: 200 }],
  ])('an answer of %i bytes is cut where it has more than 64 KiB [webhook-time-bounded]', async (bytes, waitMs, told) => {
    const target = await startTarget({ answer: (response) => void response.writeHead(200).write(Buffer.alloc(bytes, 'x')) })
    const late = new Promise((resolve) => setTimeout(resolve, waitMs, 'not cut').unref())
    expect(await Promise.race([postLocally({ timeoutMs: 60_000 })(target.url, MESSAGE), late])).toEqual(told)
  })

  test('an answer that drips is left at the time it is given, and its status is the answer', async () => {
    const target = await startTarget({ answer: (response) => void response.writeHead(200).write('x') })
    expect(await postLocally({ timeoutMs: 100 })(target.url, MESSAGE)).toEqual({ answered: 200 })
  })

  test('one that announces an answer for ever is cut', async () => {
    const target = await startTarget({
      answer: (response) => {
        const { socket } = response
        const more = (): boolean | undefined =>
          socket?.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(500), (error) => void (error ?? more()))
        more()
      },
    })
    expect(await postLocally({ timeoutMs: 60_000 })(target.url, MESSAGE)).toEqual({ failure: 'unreachable' })
  })

  test('headers that never end are no answer', async () => {
    const target = await startTarget({
      answer: (response) => {
        const { socket } = response
        socket?.write('HTTP/1.1 200 OK\r\n')
        const more = (): boolean | undefined =>
          socket?.write(`x-pad: ${'x'.repeat(4_096)}\r\n`, (error) => void (error ?? more()))
        more()
      },
    })
    expect(await postLocally({ timeoutMs: 60_000 })(target.url, MESSAGE)).toEqual({ failure: 'unreadable' })
  })
})

test('a name that no name server knows has no address', async () => {
  // RFC 6761: names below `.invalid` are nowhere.
  const signal = AbortSignal.timeout(5_000)
  expect(await resolvePublicHost('nowhere.invalid', signal).catch(() => [])).toEqual([])
})
