import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { addressOf } from '../../engine/core/address.ts'
import { toAmount } from '../../engine/core/amount.ts'
import type { Quote } from '../../engine/core/answers.ts'
import { nativeToken, type Token } from '../../engine/core/asset.ts'
import type { Caller } from '../../engine/core/caller.ts'
import type { Engine } from '../../engine/engine.ts'
import { SwapError } from '../../engine/errors.ts'
import { observeToLog } from '../../engine/observe/jsonLog.ts'
import { type AppOptions, createApp } from '../../handlers/app.ts'
import { createRooms, type RoomsBounds } from '../../handlers/http/rooms.ts'
import { createServer, type ServerOptions } from '../../handlers/http/server.ts'
import { WIDE } from './wideRooms.ts'

export const ANONYMOUS: Caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 30 }

export const USDC: Token = {
  chainId: 1,
  address: addressOf('evm', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  isNative: false,
}

/** A quote the contract has nothing against. */
export const aQuote = (change: Partial<Quote> = {}): Quote => ({
  quoteToken: 'a.quote.token',
  venue: { id: 'across', name: 'Across' },
  routeType: 'EVM_CROSS_CHAIN',
  input: { token: USDC, amount: toAmount(25_000_000n) },
  output: { token: nativeToken(10), amount: toAmount(7_000_000_000_000_000n) },
  fee: { bps: 0, amount: toAmount(0n), token: nativeToken(10) },
  isExecutable: true,
  slippage: null,
  gas: null,
  venueFee: null,
  depositAmount: null,
  expectedProof: { recipient: 'proved', minimum: 'proved', refund: 'proved' },
  approval: null,
  estimatedTimeSeconds: 4,
  estimatedTimeIsGuess: false,
  expiresAt: 1_795_000_060_000,
  ...change,
})

const unknownKey = () => new SwapError('UNAUTHORIZED', 'The API key is not valid.')

/** An engine that knows no key and answers every call well, in the way `change` does not say otherwise. */
export const fakeEngine = (change: Partial<Engine> = {}): Engine => ({
  identify: async (apiKey) => {
    if (apiKey !== null) throw unknownKey()
    return ANONYMOUS
  },
  venueIds: ['across', 'cow'],
  quote: async () => aQuote(),
  execute: async () => ({
    payload: {
      executionType: 'DEPOSIT',
      deposit: { chainId: -1, address: addressOf('bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'), amount: toAmount(5n) },
      token: nativeToken(-1),
    },
    proof: { recipient: 'proved', minimum: 'proved', refund: 'proved' },
    approval: null,
    statusRef: null,
    submission: null,
    ignored: [],
  }),
  submitSignature: async () => ({ statusRef: '0xabc', venue: 'cow' }),
  submitTransaction: async () => ({ txHash: 'abc' }),
  status: async () => ({
    venue: 'across',
    isTracked: true,
    state: 'processing',
    venueStatus: 'FILLING',
    deliveredAmount: null,
    txHash: null,
    payments: [],
  }),
  resolveToken: async () => USDC,
  bitcoinCoverage: async ({ chainId }) => ({ chainId, isFiltered: true, venuesByToken: new Map([[USDC.address, 2]]) }),
  signUp: async ({ feeBps }) => ({ apiKey: 'swk_new', partnerId: 'ptn_1', feeBps }),
  changeSettings: async (change) => ({ ...change, webhookSecret: null }),
  account: async () => ({
    partnerId: 'ptn_1',
    kind: 'selfServe',
    feeBps: null,
    payoutAddresses: [],
    webhookUrl: null,
    requestsPerMinute: 120,
    requestsPerAddressPerMinute: 1_200,
    balances: [],
    createdAt: 1_795_000_000_000,
  }),
  partnerFeed: async () => ({ events: [], hasMore: false }),
  testWebhook: async () => ({
    sent: {
      event: 'webhook.test',
      requestId: 'r',
      partnerId: 'ptn_1',
      venue: 'test',
      deliveredOut: null,
      slippageBps: null,
      ts: 1,
    },
    delivery: 'answered',
    attemptedAt: 1,
    answered: 204,
    failure: null,
  }),
  paidCalls: {
    demand: async () => ({ header: 'e30=', words: 'Pay.' }),
    serve: async (_request, { work }) => ({
      answer: await work(),
      receipt: 'e30=',
      isCharged: true,
    }),
  },
  pins: { start: () => undefined, check: async () => 0, stop: async () => undefined },
  settlement: { start: () => undefined, runOnce: async () => null, stop: async () => undefined },
  watch: {
    report: async () => ({ isDegraded: false, venues: [] }),
    problems: () => [],
    venues: () => [],
    isClockCompared: () => true,
    look: async () => undefined,
    start: () => undefined,
    stop: async () => undefined,
  },
  health: async () => ({
    isDegraded: false,
    venues: [{ id: 'across', name: 'Across', trouble: null, off: null, rejecting: [] }],
  }),
  ...change,
})

export type LogRecord = { readonly [field: string]: unknown }

export type Reply = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly text: string
  /** The parsed body, whose halves are there or not as the status says; empty when there is no body. */
  readonly json: Envelope
}

type Envelope = {
  readonly data: { readonly [field: string]: unknown }
  readonly error: { readonly code: string; readonly message: string; readonly details: { readonly [name: string]: unknown } }
  readonly meta: { readonly requestId: string; readonly version: string }
}

const parseBody = (text: string): Envelope => JSON.parse(text === '' ? '{}' : text)

export type Request = {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
  /** Objects are sent as JSON; text is sent as it is, with the content type of JSON unless headers say otherwise. */
  readonly body?: object | string
}

/** What every response there is must bear, whoever wrote it. */
export const expectDressed = ({ status, headers, text, json }: Reply, method = 'GET'): void => {
  expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
  expect(headers['service-version']).toBe('2026-11')
  expect(headers['access-control-allow-origin']).toBe('*')
  const readable = ['x-request-id', 'service-version', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Date', 'service-network']
  for (const name of readable) expect(headers['access-control-expose-headers']?.split(', ')).toContain(name)
  expect(Date.parse(headers['date'] ?? '')).not.toBeNaN()
  if (status === 204 || status === 304) return
  expect(headers['content-type']).toBe('application/json')
  if (method === 'HEAD') return
  expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
  // The document itself has no envelope.
  if (!('openapi' in json)) expect(json.meta).toEqual({ requestId: headers['x-request-id'], version: '2026-11' })
}

const readReply = (response: http.IncomingMessage): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
      resolve({ status: response.statusCode ?? 0, headers, text, json: parseBody(text) })
    })
  })

/** Reads a response off the wire. */
export const parseReply = (wire: string): Reply => {
  const end = wire.indexOf('\r\n\r\n')
  const [first = '', ...lines] = wire.slice(0, end).split('\r\n')
  const text = wire.slice(end + 4)
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  return { status: Number(first.split(' ')[1]), headers, text, json: parseBody(text) }
}

export type EdgeServer = {
  readonly port: number
  readonly logs: readonly LogRecord[]
  /** Makes one request and holds its response against what every response must bear. */
  call(path: string, request?: Request): Promise<Reply>
  /** Resolves with the first log record, past or to come, of that event and with those fields. */
  logged(event: string, fields?: LogRecord): Promise<LogRecord>
  /** Writes bytes to a new connection and resolves with all that came back once the server has closed it. */
  wire(...writes: readonly (string | Buffer)[]): Promise<string>
  close(): Promise<void>
}

export type EdgeWish = {
  readonly engine?: Partial<Engine>
  readonly app?: Partial<AppOptions>
  readonly server?: Omit<ServerOptions, 'observe'>
  /** How much is done at once. */
  readonly bounds?: Partial<RoomsBounds>
}

/** The whole edge on a free port, over an engine that is not real. */
export const startEdge = async ({
  engine = {},
  app = {},
  server: serverOptions = {},
  bounds = {},
}: EdgeWish = {}): Promise<EdgeServer> => {
  const logs: LogRecord[] = []
  const waiting: (() => void)[] = []
  const log = (record: LogRecord): void => {
    logs.push(record)
    for (const look of waiting) look()
  }
  const observe = observeToLog(log)
  const koa = createApp(fakeEngine(engine), {
    trustedProxies: [],
    keysPerAddressPerMinute: 0,
    validateResponses: true,
    observe,
    rooms: createRooms({ ...WIDE, ...bounds }, { observe }),
    ...app,
  })
  const server = createServer(koa, { observe, headers: app.headers ?? {}, ...serverOptions })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    port,
    logs,
    call: async (path, { method = 'GET', headers = {}, body } = {}) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
        const request = http.request(
          { port, host: '127.0.0.1', path, method, headers: { ...type, ...headers }, agent: false },
          resolve,
        )
        request.on('error', reject)
        request.end(typeof body === 'object' ? JSON.stringify(body) : body)
      })
      const reply = await readReply(response)
      expectDressed(reply, method)
      return reply
    },
    logged: (event, fields = {}) =>
      new Promise((resolve) => {
        const look = () => {
          const found = logs.find((record) =>
            Object.entries({ event, ...fields }).every(([name, value]) => record[name] === value),
          )
          if (found) resolve(found)
        }
        waiting.push(look)
        look()
      }),
    wire: (...writes) =>
      new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1')
        let received = ''
        socket.on('data', (chunk) => {
          received += chunk.toString('latin1')
        })
        socket.on('error', reject)
        socket.on('close', () => resolve(received))
        for (const bytes of writes) socket.write(bytes)
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
