import http from 'node:http'
import net from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { nativeToken } from '../../engine/core/asset.ts'
import type { Engine } from '../../engine/engine.ts'
import { connectService } from '../../scripts/client/service.ts'
import { ANONYMOUS, aQuote, type EdgeServer, type EdgeWish, parseReply, type Reply, startEdge } from '../support/edgeServer.ts'
import { only, startService } from '../support/service.ts'
import { DEPOSIT_SWAP, TRANSACTION_SWAP, USDC_SWAP } from '../support/swaps.ts'

const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Calls of each kind, the first of each kind held until they are let go. */
const BOUNDED = [
  ['quotes', 'quote', 'POST', 'quote', USDC_SWAP],
  ['executes', 'execute', 'POST', 'execute', { quoteToken: 't' }],
  ['executes', 'submitSignature', 'POST', 'submit-signature', { quoteToken: 't', signature: '0x00' }],
  ['executes', 'submitTransaction', 'POST', 'submit-transaction', { quoteToken: 't', signedTransaction: 'AAAA' }],
  ['statuses', 'status', 'GET', 'status?quoteToken=t&ref=r', undefined],
] as const

type Held = {
  readonly edge: EdgeServer
  /** Resolves once that many calls of the engine are held. */
  holding(count: number): Promise<void>
  /** How many calls the engine had in all. */
  readonly calls: () => number
  /** Lets all calls go that are held. */
  letGo(): void
  readonly signals: AbortSignal[]
}

/** An edge over an engine that keeps every call waiting. */
const startHeld = async (wish: EdgeWish = {}): Promise<Held> => {
  const held: (() => void)[] = []
  const signals: AbortSignal[] = []
  const looking: (() => void)[] = []
  let calls = 0
  const hold =
    (told: (...asked: never[]) => unknown) =>
    async (...asked: unknown[]) => {
      calls += 1
      const { signal } = asked[1] as { signal: AbortSignal }
      signals.push(signal)
      await new Promise<void>((resolve) => {
        held.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
        for (const look of looking) look()
      })
      return told()
    }
  const engine = {
    quote: hold(() => aQuote()),
    execute: hold(() => ({
      payload: {
        executionType: 'DEPOSIT',
        deposit: { chainId: 1, address: USDC_SWAP.userAddress, amount: 5n },
        token: nativeToken(1),
      },
      proof: { recipient: 'proved', minimum: 'proved', refund: 'proved' },
      approval: null,
      statusRef: null,
      submission: null,
      ignored: [],
    })),
    submitSignature: hold(() => ({ statusRef: '0xabc', venue: 'cow' })),
    submitTransaction: hold(() => ({ txHash: 'abc' })),
    status: hold(() => ({
      venue: 'cow',
      isTracked: true,
      state: 'pending',
      venueStatus: null,
      deliveredAmount: null,
      txHash: null,
      payments: [],
    })),
    ...wish.engine,
  } as unknown as Partial<Engine>
  const edge = await startEdge({ ...wish, engine })
  closers.push(() => edge.close())
  return {
    edge,
    calls: () => calls,
    signals,
    holding: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (held.length >= count) resolve()
        }
        looking.push(look)
        look()
      }),
    letGo: () => {
      for (const go of held.splice(0)) go()
    },
  }
}

/** What is held when a test ends is cut off. */
const ask = ({ edge }: Held, path: string, method: string, body?: object, headers = {}): Promise<Reply> => {
  const reply = edge.call(`/api/v1/${path}`, { method, headers, ...(body && { body }) })
  reply.catch(() => undefined)
  return reply
}

const quote = (held: Held, headers = {}): Promise<Reply> => ask(held, 'quote', 'POST', USDC_SWAP, headers)

const expectOverloaded = ({ status, headers, json }: Reply): void => {
  expect([status, json.error.code]).toEqual([503, 'OVERLOADED'])
  const { retryAfterSec, ...rest } = json.error.details
  expect(rest).toEqual({ retryable: true })
  expect(Number(retryAfterSec)).toBeGreaterThanOrEqual(1)
  expect(Number(retryAfterSec)).toBeLessThanOrEqual(10)
  expect(headers['retry-after']).toBe(String(retryAfterSec))
  expect(headers['cache-control']).toBe('no-store')
}

const ONE = { quotes: 1, executes: 1, statuses: 1, waiting: 0 }

describe('a full service', () => {
  it.each(BOUNDED)(
    'of %s refuses %s before any work, and serves it again once a place is free [overload-503-before-work]',
    async (_room, _id, method, path, body) => {
      const identified: unknown[] = []
      const identify = async (key: string | null) => {
        identified.push(key)
        return ANONYMOUS
      }
      const held = await startHeld({ bounds: ONE, engine: { identify } })
      const first = ask(held, path, method, body)
      await held.holding(1)
      const [before] = [identified.length]
      for (const text of ['{ not json', JSON.stringify(body ?? {})])
        expectOverloaded(
          await held.edge.call(`/api/v1/${path}`, { method, ...(body && { body: text }), headers: { 'x-api-key': 'swk_any' } }),
        )
      expect([identified.length, held.calls()]).toEqual([before, 1])
      held.letGo()
      expect((await first).status).toBe(200)
      const again = ask(held, path, method, body)
      await held.holding(1)
      held.letGo()
      expect((await again).status).toBe(200)
    },
  )

  it('of one kind serves the others, and always health, chains and its own description [overload-503-before-work]', async () => {
    const held = await startHeld({ bounds: ONE })
    for (const [, , method, path, body] of [BOUNDED[0], BOUNDED[1], BOUNDED[4]]) void ask(held, path, method, body)
    await held.holding(3)
    for (const path of [
      '/api/v1/health',
      '/api/v1/chains',
      '/openapi.json',
      '/api/v1/tokens/resolve?chainId=1&address=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    ])
      expect([path, (await held.edge.call(path)).status]).toEqual([path, 200])
    expect((await held.edge.call('/api/v1/quote', { method: 'OPTIONS' })).status).toBe(204)
    expect((await held.edge.call('/api/v1/quote')).status).toBe(405)
    held.letGo()
  })

  it('verifies no payment and charges nothing: a paid call finds no place either', async () => {
    const demanded: unknown[] = []
    const never = () => Promise.reject(new Error('a payment was looked at'))
    const demand = async (resource: unknown) => {
      demanded.push(resource)
      return { header: 'e30=', words: 'Pay.' }
    }
    const held = await startHeld({ bounds: ONE, engine: { paidCalls: { demand, serve: never } } })
    for (const [, , method, path, body] of [BOUNDED[0], BOUNDED[1], BOUNDED[4]]) void ask(held, path, method, body)
    await held.holding(3)
    for (const [, , method, path, body] of BOUNDED)
      for (const payment of ['', 'e30=']) {
        const reply = await ask(held, `x402/${path}`, method, body, { 'payment-signature': payment })
        expectOverloaded(reply)
        expect(reply.headers['payment-response']).toBeUndefined()
      }
    expect(demanded).toEqual([])
    held.letGo()
  })

  it('counts what it refuses against no limit [overload-503-before-work]', async () => {
    const identify = async () => ({ ...ANONYMOUS, requestsPerMinute: 2 })
    const held = await startHeld({ bounds: ONE, engine: { identify } })
    const first = quote(held)
    await held.holding(1)
    for (let i = 0; i < 10; i += 1) {
      const refused = await quote(held)
      expectOverloaded(refused)
      expect(refused.headers['ratelimit']).toBeUndefined()
    }
    held.letGo()
    expect((await first).headers['ratelimit']).toBe('"anonymous";r=1;t=60')
    const second = quote(held)
    await held.holding(1)
    held.letGo()
    expect((await second).headers['ratelimit']).toBe('"anonymous";r=0;t=60')
  })

  it('tells of it once a second, and of no single refusal as a failure', async () => {
    const held = await startHeld({ bounds: ONE })
    void quote(held)
    await held.holding(1)
    for (let i = 0; i < 5; i += 1) await quote(held)
    expect(await held.edge.logged('overload')).toMatchObject({
      level: 'warn',
      room: 'quotes',
      refused: 5,
      underWay: 1,
      waiting: 0,
    })
    expect(held.edge.logs.filter(({ event }) => event === 'request').map(({ level, code }) => [level, code])).toEqual(
      Array(5).fill(['debug', 'OVERLOADED']),
    )
    expect(held.edge.logs.filter(({ event }) => event === 'request.failed' || event === 'contract.mismatch')).toEqual([])
    held.letGo()
  })
})

describe('a caller who waits for a place', () => {
  const QUEUE = { ...ONE, waiting: 2, waitMs: 60_000 }

  it('is refused when it has waited long enough', async () => {
    const held = await startHeld({ bounds: { ...QUEUE, waitMs: 20 } })
    void quote(held)
    await held.holding(1)
    expectOverloaded(await quote(held))
    expect(held.calls()).toBe(1)
    held.letGo()
  })

  it('gives up his turn by leaving', async () => {
    const held = await startHeld({ bounds: { ...QUEUE, waiting: 1 } })
    const first = quote(held)
    await held.holding(1)
    const leaver = leavingQuote(held.edge.port)
    // The next one finds the only place to wait taken.
    await expect.poll(async () => (await quote(held)).status).toBe(503)
    leaver.destroy()
    await held.edge.logged('request', { aborted: true })
    const second = quote(held)
    held.letGo()
    await held.holding(1)
    held.letGo()
    expect([(await first).status, (await second).status, held.calls()]).toEqual([200, 200, 2])
  })
})

describe('a caller whose executes all hang', () => {
  it('leaves a quarter of the places to others [overload-slots-freed]', async () => {
    const held = await startHeld({ bounds: { ...ONE, executes: 4 }, app: { trustedProxies: ['127.0.0.1'] } })
    const execute = (address: string) => ask(held, 'execute', 'POST', { quoteToken: 't' }, { 'x-forwarded-for': address })
    const his = [execute('198.18.0.1'), execute('198.18.0.1'), execute('198.18.0.1')]
    await held.holding(3)
    expectOverloaded(await execute('198.18.0.1'))
    const another = execute('198.18.0.2')
    await held.holding(4)
    expectOverloaded(await execute('198.18.0.3'))
    held.letGo()
    expect((await Promise.all([...his, another])).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(held.calls()).toBe(4)
  })
})

const leavingQuote = (port: number): http.ClientRequest => {
  const request = http.request({
    port,
    host: '127.0.0.1',
    path: '/api/v1/quote',
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json' },
  })
  request.on('error', () => undefined)
  request.end(JSON.stringify(USDC_SWAP))
  return request
}

describe('a place', () => {
  it('is free at once when its caller leaves: his quote is told so [overload-slots-freed]', async () => {
    const held = await startHeld({ bounds: ONE })
    const leaver = leavingQuote(held.edge.port)
    await held.holding(1)
    leaver.destroy()
    await held.edge.logged('request', { aborted: true })
    expect(held.signals[0]?.aborted).toBe(true)
    const next = quote(held)
    await held.holding(2)
    held.letGo()
    expect((await next).status).toBe(200)
  })

  const HEAD = 'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const bytes = JSON.stringify(USDC_SWAP)

  const connect = (port: number): net.Socket => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => undefined)
    closers.push(() => socket.destroy())
    return socket
  }

  it('is not held by whoever sends a body slowly, who is served when it is there', async () => {
    const held = await startHeld({ bounds: ONE })
    const slow = Array.from({ length: 20 }, () => connect(held.edge.port))
    for (const socket of slow) socket.write(`${HEAD}content-length: ${bytes.length}\r\n\r\n${bytes.slice(0, 10)}`)
    // Their heads were read when this one's was.
    await held.edge.call('/api/v1/health')
    const quick = quote(held)
    await held.holding(1)
    held.letGo()
    expect((await quick).status).toBe(200)
    const [first] = slow
    const answer = new Promise<string>((resolve) => first?.once('data', (chunk) => resolve(chunk.toString('latin1'))))
    first?.write(bytes.slice(10))
    await held.holding(1)
    held.letGo()
    expect(parseReply(await answer).status).toBe(200)
  })

  it('is asked for again when a slow body is there, and may be gone by then', async () => {
    const held = await startHeld({ bounds: ONE })
    const slow = connect(held.edge.port)
    slow.write(`${HEAD}content-length: ${bytes.length}\r\n\r\n${bytes.slice(0, 10)}`)
    await held.edge.call('/api/v1/health')
    void quote(held)
    await held.holding(1)
    const answer = new Promise<string>((resolve) => slow.once('data', (chunk) => resolve(chunk.toString('latin1'))))
    slow.write(bytes.slice(10))
    expectOverloaded(parseReply(await answer))
    held.letGo()
  })

  it('is asked for once the body is there: what is refused then is counted against no limit, and no key looked up', async () => {
    const identified: unknown[] = []
    const identify = async (key: string | null) => {
      identified.push(key)
      return ANONYMOUS
    }
    const held = await startHeld({ bounds: ONE, engine: { identify } })
    const slow = Array.from({ length: 3 }, () => connect(held.edge.port))
    for (const socket of slow)
      socket.write(`${HEAD}x-api-key: swk_any\r\ncontent-length: ${bytes.length}\r\n\r\n${bytes.slice(0, 10)}`)
    // Their heads were read when this one's was.
    await held.edge.call('/api/v1/health')
    const first = quote(held)
    await held.holding(1)
    for (const socket of slow) {
      const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString('latin1'))))
      socket.write(bytes.slice(10))
      const refused = parseReply(await answer)
      expectOverloaded(refused)
      expect(refused.headers['ratelimit']).toBeUndefined()
    }
    held.letGo()
    expect((await first).headers['ratelimit']).toBe('"anonymous";r=29;t=60')
    expect(identified).not.toContain('swk_any')
  })

  it('is taken for no work of a caller who sent his body late and left', async () => {
    const held = await startHeld({ bounds: { ...ONE, waiting: 1, waitMs: 60_000 } })
    const late = connect(held.edge.port)
    late.write(`${HEAD}expect: 100-continue\r\ncontent-length: ${bytes.length}\r\n\r\n`)
    await new Promise((resolve) => late.once('data', resolve))
    const first = quote(held)
    await held.holding(1)
    late.write(bytes)
    // He waits for a place when this one is answered.
    await held.edge.call('/api/v1/health')
    late.destroy()
    await held.edge.logged('request', { aborted: true })
    held.letGo()
    expect((await first).status).toBe(200)
    const second = quote(held)
    await held.holding(1)
    held.letGo()
    expect([(await second).status, held.calls()]).toEqual([200, 2])
  })

  it('is not held by a connection that is half closed', async () => {
    const held = await startHeld({ bounds: ONE })
    const half = connect(held.edge.port)
    half.end(`${HEAD}content-length: ${bytes.length}\r\n\r\n${bytes}`)
    await expect.poll(() => held.signals[0]?.aborted).toBe(true)
    const next = quote(held)
    await held.holding(2)
    held.letGo()
    expect((await next).status).toBe(200)
  })

  it('is free for each of a pipeline of requests whose connection ends', async () => {
    const held = await startHeld({ bounds: { ...ONE, quotes: 4 } })
    const pipe = connect(held.edge.port)
    pipe.write(`${HEAD}content-length: ${bytes.length}\r\n\r\n${bytes}`.repeat(6))
    await held.holding(4)
    pipe.destroy()
    await expect.poll(() => held.signals.filter(({ aborted }) => aborted).length).toBe(4)
    const next = Array.from({ length: 4 }, () => quote(held))
    await held.holding(8)
    held.letGo()
    expect((await Promise.all(next)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })
})

describe('a service that is stopped', () => {
  it('answers those who wait for a place as well as those who have one', async () => {
    const env = {
      QUOTE_DEADLINE_MS: '400',
      QUOTE_SOFT_DEADLINE_MS: '400',
      OVERLOAD_QUOTES_MAX: '1',
      OVERLOAD_WAITING_MAX: '1',
      OVERLOAD_WAIT_MS: '10000',
    }
    const service = await startService({ ...only('across'), ...env })
    await service.control.fault('across', 'hang')
    // Past what records the answers of tests: that is closed before the service.
    const { send } = connectService(service.url)
    const asked = Array.from({ length: 3 }, () => send('POST', '/api/v1/quote', { body: USDC_SWAP }))
    // It was refused because one is served and another waits.
    const refused = await Promise.race(asked)
    expect(refused.status).toBe(503)
    const closing = service.close()
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([500, 500, 503])
    await closing
  })
})

describe('a venue that hangs at execute', () => {
  it('holds half of the places, and leaves the others to swaps of other venues, whoever asks [overload-slots-freed]', async () => {
    const service = await startService({
      ...only('across', 'near-intents'),
      OVERLOAD_EXECUTES_MAX: '4',
      OVERLOAD_WAITING_MAX: '0',
    })
    closers.push(service.close)
    const { send } = connectService(service.url)
    const quoteToken = async (swap: object): Promise<string> =>
      ((await send('POST', '/api/v1/quote', { body: swap })).body as { data: { quoteToken: string } }).data.quoteToken
    const [hanging, well] = [await quoteToken(DEPOSIT_SWAP), await quoteToken(TRANSACTION_SWAP)]
    const execute = (token: string) => send('POST', '/api/v1/execute', { body: { quoteToken: token } })
    await service.control.fault('near-intents', 'hang')
    // Of one quote as of many: who asks again waits as well.
    const held = Array.from({ length: 3 }, () => execute(hanging))
    const refused = await Promise.race(held)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(refused.body).toMatchObject({ error: { code: 'OVERLOADED', details: { retryAfterSec: 5, retryable: true } } })
    expect((await execute(well)).status).toBe(200)
    await fetch(`${service.control.url}/faults`, { method: 'DELETE' })
    expect((await Promise.all(held)).map(({ status }) => status).toSorted()).toEqual([500, 500, 503])
    expect((await execute(hanging)).status).toBe(200)
  })
})
