import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import net, { type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { rpcUrlsKey } from '../../../engine/config/chains.ts'
import { venueKey } from '../../../engine/config/venues.ts'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { CHAIN_IDS } from '../../../engine/core/chain.ts'
import { boundAnswers, HttpError, type HttpRequest } from '../../../engine/net/httpClient.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { connectService } from '../../../scripts/client/service.ts'
import { serve } from '../../../scripts/serve.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closing } from '../../support/closing.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { listening } from '../../support/listening.ts'
import { lacks } from '../../support/needs.ts'

const own = closing()

/** A server that writes what a test wants, byte by byte. `heard`: the paths of its requests. `left` resolves when a client disconnects. */
const rawServer = async (answer: (socket: Socket) => unknown) => {
  const heard: string[] = []
  const left = Promise.withResolvers<void>()
  const server = createServer(({ url = '', socket }) => {
    heard.push(url)
    socket.on('close', () => left.resolve())
    answer(socket)
  })
  const { url } = own(await listening(server))
  return { url: `${url}/path?query=1`, heard, left: left.promise }
}

const client = (bytesMax = 1000) => own(createHttpClient({ bytesMax }))

const get = (url: string): HttpRequest => ({ method: 'GET', url, signal: new AbortController().signal })

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
    const venues = boundAnswers(client(), { answerMax: 1000, listMax: 1001 })
    const calls: readonly [typeof venues, HttpRequest, length: number | 'tooLarge'][] = [
      [client(), get(exact.url), 1000],
      [client(), get(more.url), 'tooLarge'],
      [client(), { ...get(more.url), bytesMax: 1001 }, 1001],
      [client(), { ...get(exact.url), bytesMax: 999 }, 'tooLarge'],
      [venues, { ...get(more.url), isList: true }, 1001],
      [venues, get(more.url), 'tooLarge'],
      [client(), get(pieces.url), 16],
    ]
    const readLength = ({ text }: { readonly text: string }) => text.length
    for (const [http, request, length] of calls)
      expect(await http.send(request).then(readLength, ({ failure }: HttpError) => failure)).toBe(length)
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

const SUPPORT = fileURLToPath(new URL('../../support/', import.meta.url))

/** Delivers webhooks without a descriptor left: from the start of a pass, and from the resolution of a name. */
const STARVED_WEBHOOKS = `
  import { closeSync, openSync } from 'node:fs'
  import { anEvent, hookStage } from '${SUPPORT}hookStage.ts'
  import { startHookTarget } from '${SUPPORT}hookTarget.ts'
  const held = []
  const fill = () => { try { for (;;) held.push(openSync('/dev/null', 'r')) } catch {} }
  const free = () => { for (const one of held.splice(0)) closeSync(one) }
  let onResolve = () => undefined
  const target = await startHookTarget()
  const stage = hookStage({ resolve: async () => (onResolve(), ['127.0.0.1']) })
  await stage.addPartner('p1', target.url)
  const states = async () => (await stage.feedOf('p1')).map(({ delivery, attemptedAt }) => delivery + (attemptedAt === null ? '' : '!'))
  const told = []
  const pass = async () => {
    const { tried, isCut } = await stage.sender.deliverDue(new AbortController().signal)
    free()
    told.push([tried, isCut, ...(await states()), target.received.length].join(' '))
  }
  await stage.store.partnerEvents.add(anEvent('p1'))
  await pass()
  for (let i = 0; i < 2; i += 1) await stage.store.partnerEvents.add(anEvent('p1'))
  fill()
  await pass()
  onResolve = fill
  await pass()
  onResolve = () => undefined
  await pass()
  console.log(JSON.stringify(told))
  process.exit(0)`

it.each([
  ['EADDRNOTAVAIL', '2001:db8::1', true, 'unreachable'],
  ['EADDRNOTAVAIL', '192.0.2.1', true, 'starved'],
  ['EMFILE', '192.0.2.1', true, 'starved'],
  ['ENOTFOUND', '', true, 'unreachable'],
  ['ENOTFOUND', '', false, 'starved'],
])(
  'starved: a call that ends with %s (address "%s", a file can be opened: %s) is %s',
  async (code, address, canOpen, failure) => {
    const error = Object.assign(new Error('scripted'), { code, address })
    vi.spyOn(net, 'connect').mockImplementation(() => new net.Socket().destroy(error))
    if (!canOpen)
      vi.spyOn(fs, 'openSync').mockImplementation(() => {
        throw error
      })
    syncBuiltinESMExports()
    onTestFinished(() => {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })
    expect((await failureOf(client().send(get('http://venue.invalid')))).failure).toBe(failure)
  },
)

it.skipIf(lacks('prlimit'))(
  'starved: webhooks stay due while no connection can be opened, and each is sent once later [webhook-starved-stays-due]',
  () => {
    const program = ['--nofile=96', process.execPath, '--input-type=module', '-e', STARVED_WEBHOOKS]
    expect(JSON.parse(execFileSync('prlimit', program, { encoding: 'utf8' }))).toEqual([
      '1 false answered! 1',
      '0 false answered! due due 1',
      '0 false answered! due due 1',
      '2 false answered! answered! answered! 3',
    ])
  },
)

const venueIds = VENUE_DEFINITIONS.map(({ id }) => id)
const chainHost = (chainId: number) => `chain${chainId}`
const { evm, solana, bitcoin } = WALLETS
const usdcArbitrum = pair(TOKENS.usdcArbitrum)

/** Swaps from each kind of chain, so that the service uses each kind of client. */
const SWAPS = [
  [pair(TOKENS.usdcEthereum), usdcArbitrum, evm],
  [pair(TOKENS.usdcSolana), usdcArbitrum, solana],
  [[-1, NATIVE], usdcArbitrum, bitcoin],
  [pair(TOKENS.usdcEthereum), [1, NATIVE], evm],
  [[-2, NATIVE_SOL], pair(TOKENS.usdcSolana), solana],
] as const

it('user agent: every request to venues and chain endpoints names the service [venue-user-agent]', async () => {
  const userAgent = 'example-swaps/7 (ops@example.org)'
  const hosts = new Set<string | undefined>()
  const agents = new Set<string | undefined>()
  const server = createServer((request, response) => {
    hosts.add(request.url?.split('/')[1])
    agents.add(request.headers['user-agent'])
    request.resume()
    response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
  })
  const outside = own(await listening(server))
  const dataDir = await mkdtemp(join(tmpdir(), 'swap-agent-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const keyed = VENUE_DEFINITIONS.filter(({ needsKey }) => needsKey)
  const service = await serve({
    ...{ NETWORK: 'mainnet', PORT: '0', METRICS_PORT: 'off', DATA_DIR: dataDir, LOG_LEVEL: 'silent', USER_AGENT: userAgent },
    ...Object.fromEntries(venueIds.map((id) => [venueKey(id, 'BASE_URL'), `${outside.url}/${id}`])),
    ...Object.fromEntries(keyed.map(({ id }) => [venueKey(id, 'API_KEY'), 'a-key'])),
    ...Object.fromEntries(CHAIN_IDS.map((chainId) => [rpcUrlsKey(chainId), `${outside.url}/${chainHost(chainId)}`])),
  })
  for (const [[inputChainId, inputToken], [outputChainId, outputToken], userAddress] of SWAPS) {
    const addresses = outputChainId === usdcArbitrum[0] ? { destinationAddress: evm, refundAddress: userAddress } : {}
    const route = { inputChainId, inputToken, inputAmount: '5000000', outputChainId, outputToken }
    await connectService(service.url).send('POST', '/api/v1/quote', { body: { ...route, userAddress, ...addresses } })
  }
  await service.close()
  for (const host of [...venueIds, ...[1, 42161, -1, -2].map(chainHost)]) expect(hosts).toContain(host)
  expect([...agents]).toEqual([userAgent])
})
