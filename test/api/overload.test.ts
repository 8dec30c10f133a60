import { once } from 'node:events'
import net from 'node:net'
import { describe, expect, it } from 'vitest'
import { createRoom, type Entry, type Leave, type RoomBounds } from '../../handlers/http/room.ts'
import { connectService } from '../../scripts/client/service.ts'
import { closing } from '../support/closing.ts'
import { ANONYMOUS, type EdgeWish, fakeEngine, parseReply, type Reply, startEdge } from '../support/edgeServer.ts'
import { only, startService } from '../support/service.ts'
import { DEPOSIT_SWAP, TRANSACTION_SWAP, USDC_SWAP } from '../support/swaps.ts'

const own = closing()

/** Calls of each kind, the first of each kind held until they are let go. */
const BOUNDED = [
  ['quotes', 'quote', 'POST', 'quote', USDC_SWAP],
  ['executes', 'execute', 'POST', 'execute', { quoteToken: 't' }],
  ['executes', 'submitSignature', 'POST', 'submit-signature', { quoteToken: 't', signature: '0x00' }],
  ['executes', 'submitTransaction', 'POST', 'submit-transaction', { quoteToken: 't', signedTransaction: 'AAAA' }],
  ['statuses', 'status', 'GET', 'status?quoteToken=t&ref=r', undefined],
] as const

type Held = Awaited<ReturnType<typeof startHeld>>

/** An edge over an engine that keeps every call waiting. `signals` has one of each call. */
const startHeld = async (wish: EdgeWish = {}) => {
  const held: (() => void)[] = []
  const signals: AbortSignal[] = []
  const hold =
    (told: () => unknown) =>
    async (_asked: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal)
      await new Promise<void>((resolve) => {
        held.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      return told()
    }
  const ready = fakeEngine()
  const holding = Object.fromEntries(BOUNDED.map(([, id]) => [id, hold(ready[id] as () => unknown)]))
  return {
    edge: own(await startEdge({ ...wish, engine: { ...holding, ...wish.engine } })),
    signals,
    calls: () => signals.length,
    /** Resolves once that many calls of the engine are held. */
    holding: async (count: number) => expect.poll(() => held.length, { interval: 2 }).toBeGreaterThanOrEqual(count),
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
const ALL_KINDS = [BOUNDED[0], BOUNDED[1], BOUNDED[4]]

const keyWatch = () => {
  const keys: (string | null)[] = []
  const identify = async (key: string | null) => {
    keys.push(key)
    return ANONYMOUS
  }
  return { keys, identify }
}

describe('full slots', () => {
  it.each(BOUNDED)(
    'of %s: %s receives 503 before any work, and 200 once a slot is free [overload-503-before-work]',
    async (_room, _id, method, path, body) => {
      const { keys, identify } = keyWatch()
      const held = await startHeld({ bounds: ONE, engine: { identify } })
      const first = ask(held, path, method, body)
      await held.holding(1)
      const before = keys.length
      for (const text of ['{ not json', JSON.stringify(body ?? {})])
        expectOverloaded(
          await held.edge.call(`/api/v1/${path}`, { method, ...(body && { body: text }), headers: { 'x-api-key': 'swk_any' } }),
        )
      expect([keys.length, held.calls()]).toEqual([before, 1])
      held.letGo()
      expect((await first).status).toBe(200)
      const again = ask(held, path, method, body)
      await held.holding(1)
      held.letGo()
      expect((await again).status).toBe(200)
    },
  )

  it('of one kind leave the other kinds, health, chains and the contract served [overload-503-before-work]', async () => {
    const held = await startHeld({ bounds: ONE })
    for (const [, , method, path, body] of ALL_KINDS) void ask(held, path, method, body)
    await held.holding(3)
    for (const [method, path, status] of [
      ['GET', '/api/v1/health', 200],
      ['GET', '/api/v1/chains', 200],
      ['OPTIONS', '/api/v1/quote', 204],
      ['GET', '/api/v1/quote', 405],
    ] as const)
      expect([path, (await held.edge.call(path, { method })).status]).toEqual([path, status])
  })

  it('refuse a paid call before its payment is verified or demanded', async () => {
    const demanded: unknown[] = []
    const demand = async (resource: unknown) => {
      demanded.push(resource)
      return { header: 'e30=', words: 'Pay.' }
    }
    const serve = () => Promise.reject(new Error('a payment was looked at'))
    const held = await startHeld({ bounds: ONE, engine: { paidCalls: { demand, serve } } })
    for (const [, , method, path, body] of ALL_KINDS) void ask(held, path, method, body)
    await held.holding(3)
    for (const [, , method, path, body] of BOUNDED)
      for (const payment of ['', 'e30=']) {
        const reply = await ask(held, `x402/${path}`, method, body, { 'payment-signature': payment })
        expectOverloaded(reply)
        expect(reply.headers['payment-response']).toBeUndefined()
      }
    expect(demanded).toEqual([])
  })

  it('refuse without counting against a limit, and are logged once a second [overload-503-before-work]', async () => {
    const identify = async () => ({ ...ANONYMOUS, requestsPerMinute: 2 })
    const held = await startHeld({ bounds: ONE, engine: { identify } })
    const first = quote(held)
    await held.holding(1)
    for (let i = 0; i < 5; i += 1) {
      const refused = await quote(held)
      expectOverloaded(refused)
      expect(refused.headers['ratelimit']).toBeUndefined()
    }
    const record = { level: 'warn', room: 'quotes', refused: 5, underWay: 1, waiting: 0 }
    expect(await held.edge.logged('overload')).toMatchObject(record)
    const requests = held.edge.logs.filter(({ event }) => event === 'request')
    expect(requests.map(({ level, code }) => [level, code])).toEqual(Array(5).fill(['debug', 'OVERLOADED']))
    expect(held.edge.logs.filter(({ event }) => event === 'request.failed' || event === 'contract.mismatch')).toEqual([])
    held.letGo()
    expect((await first).headers['ratelimit']).toContain('"anonymous";r=1;')
    const second = quote(held)
    await held.holding(1)
    held.letGo()
    expect((await second).headers['ratelimit']).toContain('"anonymous";r=0;')
  })

  it('of executes: one address holds at most three quarters [overload-slots-freed]', async () => {
    const held = await startHeld({ bounds: { ...ONE, executes: 4 }, app: { trustedProxies: ['127.0.0.1'] } })
    const execute = (address: string) => ask(held, 'execute', 'POST', { quoteToken: 't' }, { 'x-forwarded-for': address })
    const one = [execute('198.18.0.1'), execute('198.18.0.1'), execute('198.18.0.1')]
    await held.holding(3)
    expectOverloaded(await execute('198.18.0.1'))
    const another = execute('198.18.0.2')
    await held.holding(4)
    expectOverloaded(await execute('198.18.0.3'))
    held.letGo()
    expect((await Promise.all([...one, another])).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(held.calls()).toBe(4)
  })
})

const bytes = JSON.stringify(USDC_SWAP)
const head = (more = '') =>
  `POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${more}content-length: ${bytes.length}\r\n\r\n`

const connect = ({ edge }: Held, text: string): net.Socket => {
  const socket = net.connect({ port: edge.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  own({ close: () => socket.destroy() })
  socket.write(text)
  return socket
}

const answerOn = async (socket: net.Socket): Promise<Reply> => {
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return parseReply(chunk.toString('latin1'))
}

describe('a waiting request', () => {
  it('receives 503 after the longest wait', async () => {
    const held = await startHeld({ bounds: { ...ONE, waiting: 2, waitMs: 20 } })
    void quote(held)
    await held.holding(1)
    expectOverloaded(await quote(held))
    expect(held.calls()).toBe(1)
  })

  it('whose client disconnects leaves its place in the queue to another', async () => {
    const held = await startHeld({ bounds: { ...ONE, waiting: 1, waitMs: 60_000 } })
    const first = quote(held)
    await held.holding(1)
    const waiter = connect(held, head() + bytes)
    // The next one finds the only place to wait taken.
    await expect.poll(async () => (await quote(held)).status).toBe(503)
    waiter.destroy()
    await held.edge.logged('request', { aborted: true })
    const second = quote(held)
    held.letGo()
    await held.holding(1)
    held.letGo()
    expect([(await first).status, (await second).status, held.calls()]).toEqual([200, 200, 2])
  })
})

describe('a slot is free again at once [overload-slots-freed]', () => {
  it.each([
    ['when its client disconnects', 1, 'destroy'],
    ['when its client closes its half of the connection', 1, 'end'],
    ['for each request of a pipeline whose client disconnects', 4, 'destroy'],
  ] as const)('%s', async (_when, slots, leave) => {
    const held = await startHeld({ bounds: { ...ONE, quotes: slots } })
    const socket = connect(held, (head() + bytes).repeat(slots === 1 ? 1 : slots + 2))
    await held.holding(slots)
    socket[leave]()
    await expect.poll(() => held.signals.filter(({ aborted }) => aborted).length).toBe(slots)
    const next = Array.from({ length: slots }, () => quote(held))
    await held.holding(2 * slots)
    held.letGo()
    expect((await Promise.all(next)).map(({ status }) => status)).toEqual(Array(slots).fill(200))
  })
})

describe('a slow body', () => {
  it('holds no slot, and takes one when it has arrived; without a free one it receives 503, uncounted, its key unread', async () => {
    const { keys, identify } = keyWatch()
    const held = await startHeld({ bounds: ONE, engine: { identify } })
    const slow = Array.from({ length: 20 }, () => connect(held, head('x-api-key: swk_any\r\n') + bytes.slice(0, 10)))
    // The server has read their heads once it answers this.
    await held.edge.call('/api/v1/health')
    const quick = quote(held)
    await held.holding(1)
    for (const socket of slow.slice(1, 4)) {
      socket.write(bytes.slice(10))
      const refused = await answerOn(socket)
      expectOverloaded(refused)
      expect(refused.headers['ratelimit']).toBeUndefined()
    }
    held.letGo()
    expect((await quick).headers['ratelimit']).toContain('"anonymous";r=29;')
    expect(keys).not.toContain('swk_any')
    const [first] = slow as [net.Socket]
    first.write(bytes.slice(10))
    await held.holding(1)
    held.letGo()
    expect((await answerOn(first)).status).toBe(200)
  })

  it('after 100 Continue holds no slot either, and without a free one receives 503 when it has arrived [overload-slots-freed]', async () => {
    const held = await startHeld({ bounds: ONE })
    const slow = connect(held, head('expect: 100-continue\r\n'))
    await once(slow, 'data')
    const quick = quote(held)
    await Promise.race([held.holding(1), quick])
    slow.write(bytes)
    expectOverloaded(await answerOn(slow))
    held.letGo()
    expect([(await quick).status, held.calls()]).toEqual([200, 1])
  })
})

it('the running service lets a venue that hangs at execute hold half of the slots, and executes other venues [overload-slots-freed]', async () => {
  const service = own(
    await startService({ ...only('across', 'near-intents'), OVERLOAD_EXECUTES_MAX: '4', OVERLOAD_WAITING_MAX: '0' }),
  )
  const { send } = connectService(service.url)
  const quoteToken = async (swap: object): Promise<string> =>
    ((await send('POST', '/api/v1/quote', { body: swap })).body as { data: { quoteToken: string } }).data.quoteToken
  const [hanging, well] = [await quoteToken(DEPOSIT_SWAP), await quoteToken(TRANSACTION_SWAP)]
  const execute = (token: string) => send('POST', '/api/v1/execute', { body: { quoteToken: token } })
  await service.control.fault('near-intents', 'hang')
  // Repeated calls of one quote count as well as those of many.
  const held = Array.from({ length: 3 }, () => execute(hanging))
  const refused = await Promise.race(held)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(refused.body).toMatchObject({ error: { code: 'OVERLOADED', details: { retryAfterSec: 5, retryable: true } } })
  expect((await execute(well)).status).toBe(200)
  await fetch(`${service.control.url}/faults`, { method: 'DELETE' })
  expect((await Promise.all(held)).map(({ status }) => status).toSorted()).toEqual([500, 500, 503])
  expect((await execute(hanging)).status).toBe(200)
})

const never = () => new AbortController().signal

const openRoom = (bounds: Partial<RoomBounds> = {}) => {
  const room = createRoom(
    { max: 1, waitingMax: 100, waitMs: 60_000, ...bounds },
    { random: () => 0, now: () => 0, onRefused: () => undefined },
  )
  const ended: string[] = []
  const places: Leave[] = []
  const note = (name: string, entry: Entry) => {
    ended.push(`${name} ${entry.entry}`)
    if (entry.entry === 'place') places.push(entry.leave)
  }
  /** Comes from an address; the name is the address and a number. */
  const come = async (name: string, leaving = never): Promise<void> => note(name, await room.enter(name.slice(0, 1), leaving))
  /** The oldest holder releases its slot; a repeated release has no effect. */
  const leave = async (): Promise<void> => {
    const place = places.shift()
    for (let i = 0; i < 2; i += 1) place?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { room, come, leave, ended }
}

describe('waiting requests', () => {
  it('take turns by address, and are served in their order within one [overload-turns-by-address]', async () => {
    const { room, come, leave, ended } = openRoom()
    await come('x0')
    for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2']) void come(name)
    expect(room.standing).toEqual({ underWay: 1, waiting: 7, max: 1 })
    for (let i = 0; i < 8; i += 1) await leave()
    expect(ended).toEqual(['x0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'].map((name) => `${name} place`))
    expect(room.standing).toEqual({ underWay: 0, waiting: 0, max: 1 })
  })

  it('lose no turn to a request that leaves or is evicted', async () => {
    const { come, leave, ended, room } = openRoom({ waitingMax: 3 })
    const gone = new AbortController()
    await come('x0')
    void come('a1', () => gone.signal)
    for (const name of ['a2', 'a3', 'b1']) void come(name)
    gone.abort()
    for (let i = 0; i < 3; i += 1) await leave()
    expect(ended).toEqual(['x0 place', 'a3 refused', 'a1 gone', 'a2 place', 'b1 place'])
    expect(room.standing).toEqual({ underWay: 0, waiting: 0, max: 1 })
  })

  it('are not evicted for a request whose address has as many already', async () => {
    const { come, ended } = openRoom({ waitingMax: 2 })
    await come('x0')
    for (const name of ['a1', 'b1', 'a2', 'b2', 'c1']) void come(name)
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended.slice(1)).toEqual(['a2 refused', 'b2 refused', 'c1 refused'])
  })
})

it('the slots of one address are limited, and the others are served in their turns', async () => {
  const { room, come, leave, ended } = openRoom({ max: 4, ofOne: 3 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2']) void come(name)
  await new Promise((resolve) => setImmediate(resolve))
  expect(ended).toEqual(['a1', 'a2', 'a3', 'b1'].map((name) => `${name} place`))
  expect(room.standing).toEqual({ underWay: 4, waiting: 4, max: 4 })
  for (let i = 0; i < 3; i += 1) await leave()
  expect(ended.slice(4)).toEqual(['a4', 'c1', 'b2'].map((name) => `${name} place`))
})
