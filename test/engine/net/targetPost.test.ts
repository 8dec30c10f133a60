import { createServer as createPlainServer, type ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { isPublicAddress } from '../../../engine/net/publicAddress.ts'
import type { ResolveHost } from '../../../engine/net/targetAddresses.ts'
import { createTargetPost, type TargetPostOptions } from '../../../engine/net/targetPost.ts'
import { readWebhookUrl } from '../../../engine/webhooks/webhookUrl.ts'
import { makeCertificate } from '../../../scripts/client/certificate.ts'
import { closing } from '../../support/closing.ts'
import { HOOK_CERTIFICATE, HOOK_HOST, type HookTargetOptions, postLocally, startHookTarget } from '../../support/hookTarget.ts'
import { listening } from '../../support/listening.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'

const own = closing()
afterEach(() => realTime())

const startTarget = async (options?: HookTargetOptions) => own(await startHookTarget(options))

const MESSAGE = { headers: { 'content-type': 'application/json', 'x-test': 'a' }, body: Buffer.from('{"ü": 1}') }
const NOT_PUBLIC = { failure: 'noPublicAddress' }

/** Posts to a target that answers so; returns the result and the target. */
const postTo = async (options: HookTargetOptions, post: Partial<TargetPostOptions> = {}) => {
  const target = await startTarget(options)
  return { answer: await postLocally({ timeoutMs: 60_000, ...post })(target.url, MESSAGE), target }
}

test('webhook post: sends the exact bytes once, over TLS in the name of the target', async () => {
  const target = await startTarget()
  expect(await postLocally()(target.url, MESSAGE)).toEqual({ answered: 204 })
  expect([target.connections, target.received.length]).toEqual([1, 1])
  const [received] = target.received
  expect(received).toMatchObject({ method: 'POST', path: '/swaps?of=me', servername: HOOK_HOST, body: MESSAGE.body })
  expect(received?.headers).toEqual({
    host: `${HOOK_HOST}:${target.port}`,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': '9',
    'x-test': 'a',
  })
})

test('webhook post: connects to the address that was checked, also if the name changes [webhook-public-targets]', async () => {
  const checked = await startTarget({ address: '127.0.0.2' })
  const inside = await startTarget({ address: '127.0.0.1', port: checked.port })
  const resolve = vi.fn<ResolveHost>(async () => ['127.0.0.1']).mockImplementationOnce(async () => ['127.0.0.2'])
  const post = postLocally({ resolve, mayConnect: (address) => address === '127.0.0.2' })
  expect(await post(checked.url, MESSAGE)).toEqual({ answered: 204 })
  expect(checked.received[0]).toMatchObject({ toAddress: '127.0.0.2', servername: HOOK_HOST })
  expect(resolve).toHaveBeenCalledTimes(1)
  expect(await post(checked.url, MESSAGE)).toEqual(NOT_PUBLIC)
  expect([checked.connections, inside.connections]).toEqual([1, 0])
})

test('webhook post: checks all addresses of a name, and tries eight [webhook-public-targets]', async () => {
  const addresses = Array.from({ length: 9 }, (_, i) => `127.0.0.${i + 2}`)
  const [last = ''] = addresses.slice(-1)
  const target = await startTarget({ address: last })
  const post = (resolved: readonly string[], mayConnect = (_address: string) => true) =>
    postLocally({ resolve: async () => resolved, mayConnect })(target.url, MESSAGE)
  expect(await post(addresses)).toEqual({ failure: 'unreachable' })
  expect(await post(addresses, (address) => address !== last)).toEqual(NOT_PUBLIC)
  expect(await post([last, '127.0.0.1'], (address) => address === last)).toEqual(NOT_PUBLIC)
  expect(await post([])).toEqual(NOT_PUBLIC)
  expect(target.connections).toBe(0)
  expect(await post(addresses.slice(1))).toEqual({ answered: 204 })
  expect(target.connections).toBe(1)
})

test('webhook post: connects to no name with a private address, nor to such an address in any spelling [webhook-public-targets]', async () => {
  const target = await startTarget()
  const { cert: ca } = HOOK_CERTIFICATE
  for (const address of ['127.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', '64:ff9b::7f00:1']) {
    const post = createTargetPost({ allowPrivate: false, resolve: async () => [address], ca })
    expect([address, await post(target.url, MESSAGE)]).toEqual([address, NOT_PUBLIC])
  }
  const post = createTargetPost({ allowPrivate: false, ca })
  const ipv4 = ['127.0.0.1', '2130706433', '0x7f.0.0.1', '0177.0.0.01', '127.1', '127.0.0.1.', '0', '%31%32%37.0.0.1']
  const ipv6 = ['[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[::]']
  for (const host of ['localhost', 'any.localhost', '１２７.０.０.１', ...ipv4, ...ipv6]) {
    const { url } = readWebhookUrl(`https://${host}:${target.port}/`, true) as { url: string }
    expect([host, await post(url, MESSAGE)]).toEqual([host, NOT_PUBLIC])
  }
  expect(target.connections).toBe(0)
})

test('webhook post: a certificate of an unknown authority or for another name is certificateRefused, and nothing is sent', async () => {
  const unknown = await postTo({ certificate: makeCertificate(HOOK_HOST) })
  const certificate = makeCertificate('other.example')
  const other = await postTo({ certificate }, { ca: certificate.cert })
  for (const { answer, target } of [unknown, other])
    expect([answer, target.received]).toEqual([{ failure: 'certificateRefused' }, []])
})

test('webhook post: a closed port is unreachable, a server without TLS unreadable', async () => {
  const gone = await startHookTarget()
  await gone.close()
  expect(await postLocally()(gone.url, MESSAGE)).toEqual({ failure: 'unreachable' })
  const plain = own(await listening(createPlainServer((_request, response) => void response.end())))
  expect(await postLocally()(`https://${HOOK_HOST}:${plain.port}/`, MESSAGE)).toEqual({ failure: 'unreadable' })
})

/** Writes a text again and again to the socket. */
const endlessly =
  (text: string, first = '') =>
  (response: ServerResponse) => {
    const { socket } = response
    socket?.write(first)
    const more = (): boolean | undefined => socket?.write(text, (error) => void (error ?? more()))
    more()
  }
const switchesProtocol = ({ socket }: ServerResponse) =>
  socket?.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')

test.each<[string, object, (response: ServerResponse) => unknown, Partial<TargetPostOptions>?]>([
  ['redirects to itself', { answered: 307 }, (response) => response.writeHead(307, { location: '/' }).end()],
  ['asks for a repetition', { answered: 503 }, (response) => response.writeHead(503, { 'retry-after': '0' }).end()],
  ['closes the connection', { failure: 'unreachable' }, (response) => void response.destroy()],
  ['announces an answer without end', { failure: 'unreachable' }, endlessly('HTTP/1.1 102 Processing\r\n\r\n'.repeat(500))],
  ['does not speak HTTP', { failure: 'unreadable' }, (response) => void response.socket?.end('I am no HTTP\r\n\r\n')],
  ['sends headers without end', { failure: 'unreadable' }, endlessly(`x: ${'x'.repeat(4_096)}\r\n`, 'HTTP/1.1 200 OK\r\n')],
  ['changes the protocol without a request', { failure: 'unreadable' }, switchesProtocol, { timeoutMs: 2_000 }],
  ['answers with status 099', { failure: 'unreadable' }, ({ socket }) => socket?.write('HTTP/1.1 099 No\r\n\r\n')],
  ['never answers', { failure: 'timeout' }, () => undefined, { timeoutMs: 100 }],
  ['never ends its answer', { answered: 200 }, (response) => void response.writeHead(200).write('x'), { timeoutMs: 1_000 }],
])(
  'webhook post: a target that %s receives one POST, with the result %j [webhook-time-bounded]',
  async (_what, expected, answer, options = {}) => {
    const posted = await postTo({ answer: (response) => void answer(response) }, options)
    expect(posted.answer).toEqual(expected)
    expect(posted.target.connections).toBe(1)
  },
)

test('webhook post: ends after ten seconds in all by default [webhook-time-bounded]', async () => {
  fakeTime()
  const post = postLocally({ resolve: () => new Promise(() => undefined) })(`https://${HOOK_HOST}/`, MESSAGE)
  await advance(9_999)
  expect(vi.getTimerCount()).toBe(1)
  await advance(1)
  expect(await post).toEqual({ failure: 'timeout' })
})

test.each([
  [64 * 1024, 300, 'read on'],
  [64 * 1024 + 1, 10_000, { answered: 200 }],
])(
  'webhook post: an unfinished answer of %i bytes is cut off above 64 KiB [webhook-time-bounded]',
  async (bytes, ms, expected) => {
    const late = new Promise((resolve) => setTimeout(resolve, ms, 'read on').unref())
    const posted = postTo({ answer: (response) => void response.writeHead(200).write(Buffer.alloc(bytes, 'x')) })
    expect(await Promise.race([posted.then(({ answer }) => answer), late])).toEqual(expected)
  },
)

test.each([
  [
    'loopback, this network and unspecified',
    ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::', '0.0.0.0', '0.1.2.3'],
  ],
  ['private and of carriers', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.127.255.255']],
  ['link-local and cloud metadata', ['169.254.169.254', '100.100.100.200', '168.63.129.16', 'fe80::1', 'fe80::1%eth0']],
  ['unique-local and site-local', ['fc00::1', 'fd12:3456::1', 'fd00:ec2::254', 'fec0::1']],
  ['multicast and broadcast', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1']],
  ['for documentation and benchmarks', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255']],
  ['for documentation and benchmarks in IPv6', ['2001:db8::1', '3fff::1', '2001:2::1']],
  ['reserved', ['192.0.0.1', '192.88.99.1', '240.0.0.1', '2001:1::1', '100::1', '5f00::1', '4000::1', 'e000::1']],
  ['IPv4 in IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1']],
  ['NAT64, 6to4 and Teredo', ['64:ff9b::127.0.0.1', '64:ff9b::808:808', '64:ff9b:1::a00:1', '2002:7f00:1::', '2001:0:7f00:1::']],
  ['loopback in other spellings', ['2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '127.1', '0', '134744072']],
  ['text that is no address', ['', 'localhost', '127.0.0.1.', '1.2.3.4.5', '8.8.8.8/8', '[::1]', ' 8.8.8.8', 'g::1']],
])('public address: %s is not public', (_name, addresses) => {
  for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, false])
})

test('public address: addresses of the Internet, also beside private ranges, are public', () => {
  const beside = ['172.15.0.1', '172.32.0.1', '100.63.255.255']
  for (const address of ['8.8.8.8', '93.184.216.34', ...beside, '2606:4700::1111', '2a00:1450::1'])
    expect([address, isPublicAddress(address)]).toEqual([address, true])
})
