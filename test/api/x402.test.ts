import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Caller, RequestContext } from '../../engine/core/caller.ts'
import { type ErrorCode, SwapError } from '../../engine/errors.ts'
import { createPaidCalls } from '../../engine/x402/paidCalls.ts'
import { closing } from '../support/closing.ts'
import { ANONYMOUS, aQuote, startEdge } from '../support/edgeServer.ts'
import { createMemoryStore } from '../support/memoryStore.ts'
import { createTestClock } from '../support/testEngine.ts'
import { createPayer, readReceipt } from '../support/x402Bench.ts'
import { BODY, codeOf, openX402, reasonOf, type X402Stage, type X402Wish } from '../support/x402Stage.ts'

const own = closing()
const start = async (wish?: X402Wish): Promise<X402Stage> => own(await openX402(wish))

const PATHS = [
  ['POST', 'quote', BODY],
  ['POST', 'execute', { quoteToken: 't' }],
  ['POST', 'submit-signature', { quoteToken: 't', signature: '0x00' }],
  ['POST', 'submit-transaction', { quoteToken: 't', signedTransaction: 'AAAA' }],
  ['GET', 'status?quoteToken=t&ref=r', undefined],
] as const

const call = ({ edge }: Pick<X402Stage, 'edge'>, method: string, path: string, body?: object, headers = {}) =>
  edge.call(`/api/v1/${path}`, { method, headers, ...(body && { body }) })

const PARTNER: Caller = { tier: 'selfServe', partnerId: 'ptn_1', feeBps: 10, requestsPerMinute: 120 }
const KEY = { 'x-api-key': 'swk_1' }
const tiers = (anonymous: number, selfServe: number) => ({
  identify: async (key: string | null) => ({
    ...(key === null ? ANONYMOUS : { ...PARTNER, partnerId: key }),
    requestsPerMinute: key === null ? anonymous : selfServe,
  }),
})
const limitedTo = (requestsPerMinute: number) => ({ identify: async () => ({ ...ANONYMOUS, requestsPerMinute }) })
const failing = (code: ErrorCode) => () => Promise.reject(new SwapError(code, 'In words.', { details: {} }))

/** A quote that works until it is ended. */
const heldQuotes = (answer: () => Promise<ReturnType<typeof aQuote>>) => {
  const going: (() => void)[] = []
  const quote = () => new Promise<void>((resolve) => going.push(resolve)).then(answer)
  return { going, quote }
}

describe('a call without a payment', () => {
  it.each(PATHS)('%s /%s receives 402 with the terms, before any work [x402-challenge]', async (method, path, body) => {
    const never = () => Promise.reject(new Error('work was done'))
    const engine = { quote: never, execute: never, submitSignature: never, submitTransaction: never, status: never }
    const stage = await start({ engine })
    const reply = await call(stage, method, `x402/${path}`, body)
    expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'noPayment'])
    expect(reply.headers['cache-control']).toBe('no-store')
    const required = JSON.parse(Buffer.from(reply.headers['payment-required'] ?? '', 'base64').toString())
    expect(required).toMatchObject({
      x402Version: 2,
      resource: { url: expect.stringContaining(`/api/v1/x402/${path.split('?')[0]}`) },
      accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: '1000', maxTimeoutSeconds: 300 }],
    })
    expect([stage.facilitator.verified.length, stage.facilitator.settled.length]).toEqual([0, 0])
  })

  it('is unread, and counts against its key, else against its address', async () => {
    const { post } = await start({ engine: tiers(3, 130), app: { keysPerAddressPerMinute: 131 } })
    expect(codeOf(await post('{ not json'))).toEqual([402, 'PAYMENT_REQUIRED'])
    const keyed = await post(BODY, KEY)
    expect([codeOf(keyed), keyed.headers['ratelimit']]).toEqual([[402, 'PAYMENT_REQUIRED'], '"payment-challenges";r=129;t=60'])
    for (const left of [1, 0, 0]) expect((await post(BODY)).headers['ratelimit']).toBe(`"anonymous";r=${left};t=60`)
    expect(codeOf(await post(BODY))).toEqual([402, 'PAYMENT_REQUIRED'])
  })

  it('receives terms of at most 8,000 characters, also for a host of 12,000', async () => {
    const { post } = await start()
    const { headers, status } = await post(BODY, { host: 'a'.repeat(12_000) })
    expect(status).toBe(402)
    expect(headers['payment-required']?.length).toBeLessThan(8_000)
  })

  it('receives 404 at an unknown path and 405 for a wrong method', async () => {
    const { edge } = await start()
    expect(codeOf(await edge.call('/api/v1/x402/chains'))).toEqual([404, 'NOT_FOUND'])
    expect(codeOf(await edge.call('/api/v1/x402/quote'))).toEqual([405, 'INVALID_REQUEST'])
  })

  it('lets a browser send a payment, and read the terms and the receipt', async () => {
    const { edge, post } = await start()
    const asked = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    const { headers } = await edge.call('/api/v1/x402/quote', { method: 'OPTIONS', headers: asked })
    const allowed = headers['access-control-allow-headers']?.split(',')
    expect(allowed).toEqual(expect.arrayContaining(['payment-signature', 'access-control-expose-headers']))
    const exposed = (await post(BODY)).headers['access-control-expose-headers']?.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE']))
  })
})

describe('without a configured payee', () => {
  it.each(PATHS)('%s /%s receives 503, and the plain call 200 [x402-challenge]', async (method, path, body) => {
    const clock = createTestClock()
    const store = createMemoryStore(clock)
    const paidCalls = createPaidCalls({ ports: null, store, holder: 'h', clock, observe: () => undefined })
    const edge = own(await startEdge({ engine: { paidCalls } }))
    for (const headers of [{}, { 'payment-signature': 'e30=' }])
      expect(codeOf(await call({ edge }, method, `x402/${path}`, body, headers))).toEqual([503, 'NOT_CONFIGURED'])
    expect((await call({ edge }, method, path, body)).status).toBe(200)
    // A decision of the operator is no failure: each request logs its code.
    expect(edge.logs.filter(({ event }) => event === 'request.failed')).toEqual([])
    expect(edge.logs.filter(({ event, code }) => event === 'request' && code === 'NOT_CONFIGURED')).toHaveLength(2)
  })
})

describe('a call with a payment', () => {
  it.each(PATHS)('%s /%s is verified, answered, settled and booked, and has a receipt', async (method, path, body) => {
    const order: string[] = []
    const noted =
      <A extends unknown[], R>(step: string, work: (...asked: A) => R) =>
      (...asked: A): R => {
        order.push(step)
        return work(...asked)
      }
    const stage = await start({ engine: { quote: noted('work', async () => aQuote()) } })
    const { sign, facilitator, chain, payer, booked } = stage
    facilitator.onVerify = noted('verify', facilitator.really.verify)
    facilitator.onSettle = noted('settle', facilitator.really.settle)
    const reply = await call(stage, method, `x402/${path}`, body, { ...(await sign()), 'x-request-id': 'req-7' })
    const plain = await call(stage, method, path, body)
    expect([reply.status, reply.json.data]).toEqual([200, plain.json.data])
    const [transaction] = chain.used.values()
    const paid = { transaction, network: 'eip155:8453', payer: payer.address }
    expect(readReceipt(reply.headers['payment-response'])).toEqual({ success: true, ...paid })
    expect(order.slice(0, 3)).toEqual(path === 'quote' ? ['verify', 'work', 'settle'] : ['verify', 'settle'])
    expect(await booked()).toEqual([expect.objectContaining({ ...paid, requestId: 'req-7', amount: '1000' })])
  })

  it('with an invalid body is refused before its payment is verified, which stays usable [x402-charge-only-200]', async () => {
    const { post, sign, facilitator, quotes } = await start()
    const payment = await sign()
    expect(codeOf(await post({ ...BODY, inputAmount: '0' }, payment))).toEqual([400, 'INVALID_REQUEST'])
    expect(codeOf(await post('{', payment))).toEqual([400, 'INVALID_REQUEST'])
    expect(codeOf(await post(BODY, { ...payment, 'content-type': 'text/plain' }))).toEqual([415, 'INVALID_REQUEST'])
    expect([facilitator.verified.length, quotes.length]).toEqual([0, 0])
    expect((await post(BODY, payment)).status).toBe(200)
  })

  it.each<[ErrorCode, number]>([
    ['NO_LIQUIDITY', 404],
    ['UNSUPPORTED_TOKEN', 400],
    ['INTERNAL', 500],
  ])('that ends with %s charges nothing, and settles nothing [x402-charge-only-200]', async (code, status) => {
    const { post, sign, facilitator, chain, booked } = await start({ engine: { quote: failing(code) } })
    const reply = await post(BODY, await sign())
    expect(codeOf(reply)).toEqual([status, code])
    expect(reply.headers['payment-response']).toBeUndefined()
    expect([facilitator.verified.length, facilitator.settled.length, chain.used.size]).toEqual([1, 0, 0])
    expect(await booked()).toEqual([])
  })

  it('for a sandbox quote is charged as well', async () => {
    const { post, sign, chain } = await start()
    expect((await post({ ...BODY, sandbox: true }, await sign())).status).toBe(200)
    expect(chain.used.size).toBe(1)
  })

  it('and a key keeps fee and attribution of the key; an unknown key is refused first [x402-charge-only-200]', async () => {
    const contexts: RequestContext[] = []
    const identify = async (key: string | null) => {
      if (key === 'swk_unknown') throw new SwapError('UNAUTHORIZED', 'The x-api-key is not known.')
      return key === null ? ANONYMOUS : PARTNER
    }
    const quote = async (_order: unknown, context: RequestContext) => {
      contexts.push(context)
      return aQuote()
    }
    const { post, sign, facilitator } = await start({ engine: { identify, quote } })
    const payment = await sign()
    expect(codeOf(await post(BODY, { ...payment, 'x-api-key': 'swk_unknown' }))).toEqual([401, 'UNAUTHORIZED'])
    expect((await post(BODY, { 'x-api-key': 'swk_unknown' })).headers['ratelimit-policy']).toMatch('anonymous')
    expect(facilitator.verified).toEqual([])
    expect((await post(BODY, { ...payment, 'x-api-key': 'swk_1' })).status).toBe(200)
    expect(contexts.map(({ caller }) => caller)).toEqual([PARTNER])
    expect(reasonOf(await post(BODY, payment))).toBe('spent')
  })
})

describe('with limits of 30 and 120 calls a minute', () => {
  const PLAIN = '/api/v1/status?quoteToken=t&ref=r'
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
  afterEach(() => void vi.useRealTimers())

  /** Paid quotes by the official client. A payer has at most ten under way. */
  const payFor = async ({ edge, chain }: X402Stage, calls: number, headers = {}, atOnce = 10): Promise<readonly number[]> => {
    const statuses: number[] = []
    const clientOf = () => new x402Client().register('eip155:8453', new ExactEvmScheme(createPayer(chain).account))
    const payers = Array.from({ length: atOnce / 10 }, () => wrapFetchWithPayment(fetch, clientOf()))
    const ask = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(BODY) }
    for (let done = 0; done < calls; done += atOnce) {
      const ten = (pay: typeof fetch) =>
        Array.from({ length: 10 }, () => pay(`http://127.0.0.1:${edge.port}/api/v1/x402/quote`, ask))
      for (const response of await Promise.all(payers.flatMap(ten))) {
        await response.arrayBuffer()
        statuses.push(response.status)
      }
    }
    return statuses
  }

  it.each([
    ['without a key', {}, '"anonymous";r=29;t=60'],
    ['with a self-serve key', KEY, '"self-serve";r=119;t=60'],
  ])('100 paid calls at once of the official client %s succeed, and use up no plain call', async (_who, headers, left) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let going = 0
    const quote = () => {
      going += 1
      if (going === 100) resolve()
      return promise.then(() => aQuote())
    }
    const stage = await start({ engine: { ...tiers(30, 120), quote }, app: { keysPerAddressPerMinute: 121 } })
    expect(new Set(await payFor(stage, 100, headers, 100))).toEqual(new Set([200]))
    expect(stage.chain.used.size).toBe(100)
    expect((await stage.edge.call(PLAIN, { headers })).headers['ratelimit']).toBe(left)
  })

  it('an address without plain calls left can pay, and receives at most 120 unpaid challenges a minute', async () => {
    const stage = await start({ engine: tiers(30, 120) })
    const { edge, post, sign } = stage
    const payments = [await sign(), await sign(), await sign()]
    for (let i = 0; i < 30; i += 1) await edge.call(PLAIN)
    expect((await edge.call(PLAIN)).status).toBe(429)
    expect(new Set(await payFor(stage, 40))).toEqual(new Set([200]))
    expect((await edge.call(PLAIN)).status).toBe(429)
    for (let i = 0; i < 120; i += 1) expect((await post(BODY)).status).toBe(402)
    for (let i = 0; i < 5; i += 1) expect(codeOf(await post(BODY))).toEqual([429, 'RATE_LIMITED'])
    // A refused request stays uncounted: each settled payment makes room for one challenge.
    for (let i = 0; i < 3; i += 1) expect((await post(BODY, await sign())).status).toBe(200)
    for (const status of [402, 402, 402, 429]) expect((await post(BODY)).status).toBe(status)
    // A payment in the minute after its challenge adds no plain call to it.
    vi.setSystemTime(Date.now() + 61_000)
    for (let i = 0; i < 30; i += 1) expect((await edge.call(PLAIN)).status).toBe(200)
    for (let i = 0; i < 3; i += 1) expect((await post(BODY, payments[i])).status).toBe(200)
    expect((await edge.call(PLAIN)).status).toBe(429)
  })

  it('a payment returns a challenge of its key, and of the keys of its address if their minute counted it', async () => {
    const app = { trustedProxies: ['127.0.0.1'], keysPerAddressPerMinute: 121 }
    const { post, sign } = await start({ engine: tiers(30, 130), app })
    const ask = async (times: number, key: string, address: string, sent: () => object | Promise<object> = () => ({})) => {
      const from = { 'x-api-key': key, 'x-forwarded-for': address }
      for (let i = 1; i < times; i += 1) await post(BODY, { ...from, ...(await sent()) })
      return (await post(BODY, { ...from, ...(await sent()) })).headers['ratelimit']
    }
    await ask(14, 'swk_1', '198.18.0.1')
    await ask(3, 'swk_2', '198.19.0.1')
    await ask(14, 'swk_1', '198.19.0.1', sign)
    expect(await ask(1, 'swk_3', '198.19.0.1')).toBe('"payment-challenges";r=117;t=60')
    expect(await ask(1, 'swk_1', '198.20.0.1')).toBe('"payment-challenges";r=120;t=60')
    vi.setSystemTime(Date.now() + 50_000)
    await ask(3, 'swk_4', '198.19.0.1')
    vi.setSystemTime(Date.now() + 15_000)
    await ask(2, 'swk_2', '198.19.0.1')
    await ask(3, 'swk_4', '198.19.0.1', sign)
    expect(await ask(1, 'swk_3', '198.19.0.1')).toBe('"payment-challenges";r=118;t=60')
  })

  it('a paid call that fails while the facilitator is down costs one plain call', async () => {
    const stage = await start({ engine: tiers(30, 120) })
    stage.facilitator.onVerify = () => Promise.reject(new Error('the facilitator is down'))
    expect(new Set(await payFor(stage, 10))).toEqual(new Set([503]))
    expect((await stage.edge.call(PLAIN)).headers['ratelimit']).toBe('"anonymous";r=19;t=60')
  })
})

describe('the limits of paid calls', () => {
  it('settled ones count against none [x402-no-call-limit]', async () => {
    const { post, sign } = await start({ engine: limitedTo(2) })
    for (let i = 0; i < 6; i += 1) {
      const reply = await post(BODY, await sign())
      expect([reply.status, reply.headers['ratelimit']]).toEqual([200, undefined])
    }
  })

  it('uncharged ones count as anonymous calls, and excess ones are refused before verification [x402-no-call-limit]', async () => {
    const { post, sign, facilitator, edge } = await start({ engine: { ...limitedTo(2), quote: failing('NO_LIQUIDITY') } })
    const first = await post(BODY, await sign())
    expect([first.status, first.headers['ratelimit']]).toEqual([404, '"anonymous";r=1;t=60'])
    await post(BODY, await sign())
    const third = await post(BODY, await sign())
    expect(codeOf(third)).toEqual([429, 'RATE_LIMITED'])
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(1)
    expect(facilitator.verified).toHaveLength(2)
    expect((await edge.call('/api/v1/chains')).status).toBe(429)
  })

  it('a payer has ten uncharged ones a minute, from any number of addresses', async () => {
    const wish = { engine: { quote: failing('NO_LIQUIDITY') }, app: { trustedProxies: ['127.0.0.1'] } }
    const { post, sign, facilitator, chain } = await start(wish)
    const statuses: number[] = []
    const from = (i: number) => ({ 'x-forwarded-for': `198.18.0.${i}` })
    for (let i = 0; i < 12; i += 1) statuses.push((await post(BODY, { ...(await sign()), ...from(i) })).status)
    expect(statuses).toEqual([...Array(10).fill(404), 429, 429])
    expect(facilitator.verified).toHaveLength(10)
    expect((await post(BODY, { ...(await sign(createPayer(chain))), ...from(1) })).status).toBe(404)
  })

  it('a payer has ten at once, of which forged payments in its name use none [x402-no-call-limit]', async () => {
    const { going, quote } = heldQuotes(async () => aQuote())
    const { post, sign, facilitator, chain, payer } = await start({ engine: { ...limitedTo(1_000), quote } })
    const stranger = createPayer(chain)
    const forged = async () => {
      const { 'payment-signature': header } = await sign(stranger)
      const payment = JSON.parse(Buffer.from(header, 'base64').toString())
      payment.payload.authorization.from = payer.address
      return { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') }
    }
    for (let i = 0; i < 12; i += 1) expect(reasonOf(await post(BODY, await forged()))).toBe('badSignature')
    const payments = await Promise.all(Array.from({ length: 11 }, () => sign()))
    const calls = payments.slice(0, 10).map((payment) => post(BODY, payment))
    await expect.poll(() => going.length).toBe(10)
    const verified = facilitator.verified.length
    const eleventh = await post(BODY, payments[10])
    expect([codeOf(eleventh), eleventh.headers['retry-after']]).toEqual([[429, 'RATE_LIMITED'], '1'])
    expect(facilitator.verified).toHaveLength(verified)
    for (const end of going) end()
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(10).fill(200))
  })

  it('of 200 at once from one address 120 are worked on, and none after these ended without a charge', async () => {
    const { going, quote } = heldQuotes(failing('NO_LIQUIDITY'))
    const { post, sign, chain, facilitator } = await start({ engine: { ...limitedTo(5), quote } })
    const payments = await Promise.all(Array.from({ length: 200 }, () => sign(createPayer(chain))))
    const calls = payments.map((payment) => post(BODY, payment))
    await expect.poll(() => going.length).toBe(120)
    for (const end of going) end()
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect([statuses.filter((one) => one === 404).length, statuses.filter((one) => one === 429).length]).toEqual([120, 80])
    expect(codeOf(await post(BODY, await sign(createPayer(chain))))).toEqual([429, 'RATE_LIMITED'])
    expect(facilitator.verified).toHaveLength(120)
  })
})
