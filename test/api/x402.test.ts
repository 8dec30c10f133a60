import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Caller, RequestContext } from '../../engine/core/caller.ts'
import { type ErrorCode, SwapError } from '../../engine/errors.ts'
import { createPaidCalls } from '../../engine/x402/paidCalls.ts'
import { ANONYMOUS, aQuote, startEdge } from '../support/edgeServer.ts'
import { createMemoryStore } from '../support/memoryStore.ts'
import { createTestClock } from '../support/testEngine.ts'
import { createPayer, readReceipt } from '../support/x402Bench.ts'
import { BODY, codeOf, openX402, reasonOf, type X402Stage, type X402Wish } from '../support/x402Stage.ts'

const open: X402Stage[] = []
const start = async (wish: X402Wish = {}): Promise<X402Stage> => {
  const stage = await openX402(wish)
  open.push(stage)
  return stage
}
afterEach(async () => {
  for (const stage of open.splice(0)) await stage.close()
})

const PATHS = [
  ['POST', 'quote', BODY],
  ['POST', 'execute', { quoteToken: 't' }],
  ['POST', 'submit-signature', { quoteToken: 't', signature: '0x00' }],
  ['POST', 'submit-transaction', { quoteToken: 't', signedTransaction: 'AAAA' }],
  ['GET', 'status?quoteToken=t&ref=r', undefined],
] as const

const PARTNER: Caller = { tier: 'selfServe', partnerId: 'ptn_1', feeBps: 10, requestsPerMinute: 120 }
const KEY = { 'x-api-key': 'swk_1' }
const tiers = (anonymous: number, selfServe: number) => ({
  identify: async (key: string | null) => ({
    ...(key === null ? ANONYMOUS : { ...PARTNER, partnerId: key }),
    requestsPerMinute: key === null ? anonymous : selfServe,
  }),
})
const limitedTo = (requestsPerMinute: number) => ({ identify: async () => ({ ...ANONYMOUS, requestsPerMinute }) })

describe('without a payment', () => {
  it.each(PATHS)(
    '%s /%s is a 402 at once that says how to pay, and no work is done [x402-challenge]',
    async (method, path, body) => {
      const never = () => Promise.reject(new Error('work was done'))
      const engine = { quote: never, execute: never, submitSignature: never, submitTransaction: never, status: never }
      const { edge, facilitator } = await start({ engine })
      const reply = await edge.call(`/api/v1/x402/${path}`, { method, ...(body && { body }) })
      expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'noPayment'])
      expect(reply.headers['cache-control']).toBe('no-store')
      const required = JSON.parse(Buffer.from(reply.headers['payment-required'] ?? '', 'base64').toString())
      expect(required).toMatchObject({
        x402Version: 2,
        resource: { url: expect.stringContaining(`/api/v1/x402/${path.split('?')[0]}`) },
        accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: '1000', maxTimeoutSeconds: 300 }],
      })
      expect([facilitator.verified.length, facilitator.settled.length]).toEqual([0, 0])
    },
  )

  it('nothing is read of the request, and it counts against the key, or against the address of a caller without one', async () => {
    const { post } = await start({ engine: tiers(3, 130), app: { keysPerAddressPerMinute: 131 } })
    expect(codeOf(await post('{ not json'))).toEqual([402, 'PAYMENT_REQUIRED'])
    const keyed = await post(BODY, KEY)
    expect([codeOf(keyed), keyed.headers['ratelimit']]).toEqual([[402, 'PAYMENT_REQUIRED'], '"payment-challenges";r=129;t=60'])
    for (const left of [1, 0, 0]) expect((await post(BODY)).headers['ratelimit']).toBe(`"anonymous";r=${left};t=60`)
    expect(codeOf(await post(BODY))).toEqual([402, 'PAYMENT_REQUIRED'])
  })

  it('what is asked for is told within its bounds, whatever host was asked', async () => {
    const { post } = await start()
    const { headers, status } = await post(BODY, { host: 'a'.repeat(12_000) })
    expect(status).toBe(402)
    expect(headers['payment-required']?.length).toBeLessThan(8_000)
  })

  it('an unknown path is a 404 and a wrong method a 405, as elsewhere', async () => {
    const { edge } = await start()
    expect(codeOf(await edge.call('/api/v1/x402/chains'))).toEqual([404, 'NOT_FOUND'])
    expect(codeOf(await edge.call('/api/v1/x402/quote'))).toEqual([405, 'INVALID_REQUEST'])
  })

  it('a browser may send a payment and read what is asked for and what was paid', async () => {
    const { edge } = await start()
    const asked = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    const { headers } = await edge.call('/api/v1/x402/quote', { method: 'OPTIONS', headers: asked })
    const allowed = headers['access-control-allow-headers']?.split(',')
    expect(allowed).toEqual(expect.arrayContaining(['payment-signature', 'access-control-expose-headers']))
    const { headers: told } = await edge.call('/api/v1/x402/quote', { method: 'POST', body: BODY })
    const exposed = told['access-control-expose-headers']?.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE']))
  })
})

describe('where nothing is configured', () => {
  it.each(PATHS)('%s /%s is not configured, and the plain call is as ever [x402-challenge]', async (method, path, body) => {
    const clock = createTestClock()
    const paidCalls = createPaidCalls({
      ports: null,
      store: createMemoryStore(clock),
      holder: 'h',
      clock,
      observe: () => undefined,
    })
    const edge = await startEdge({ engine: { paidCalls } })
    try {
      const ask = { method, ...(body && { body }) }
      expect(codeOf(await edge.call(`/api/v1/x402/${path}`, ask))).toEqual([503, 'NOT_CONFIGURED'])
      const paying = await edge.call(`/api/v1/x402/${path}`, { ...ask, headers: { 'payment-signature': 'e30=' } })
      expect(codeOf(paying)).toEqual([503, 'NOT_CONFIGURED'])
      expect((await edge.call(`/api/v1/${path}`, ask)).status).toBe(200)
      // The operator's decision, and no failure of ours: each request says its code.
      expect(edge.logs.filter(({ event }) => event === 'request.failed')).toEqual([])
      expect(edge.logs.filter(({ event, code }) => event === 'request' && code === 'NOT_CONFIGURED')).toHaveLength(2)
    } finally {
      await edge.close()
    }
  })
})

describe('with a payment', () => {
  it.each(PATHS)('%s /%s is verified, answered, settled, booked and sent with its receipt', async (method, path, body) => {
    const order: string[] = []
    const stage = await start({
      engine: {
        quote: async () => {
          order.push('work')
          return aQuote()
        },
      },
    })
    const { edge, sign, facilitator, chain, payer, booked } = stage
    const { verify, settle } = facilitator.really
    facilitator.onVerify = (...asked) => {
      order.push('verify')
      return verify(...asked)
    }
    facilitator.onSettle = (...asked) => {
      order.push('settle')
      return settle(...asked)
    }
    const headers = { ...(await sign()), 'x-request-id': 'req-7' }
    const reply = await edge.call(`/api/v1/x402/${path}`, { method, headers, ...(body && { body }) })
    const plain = await edge.call(`/api/v1/${path}`, { method, ...(body && { body }) })
    expect([reply.status, reply.json.data]).toEqual([200, plain.json.data])
    const [transaction] = chain.used.values()
    expect(readReceipt(reply.headers['payment-response'])).toEqual({
      success: true,
      transaction,
      network: 'eip155:8453',
      payer: payer.address,
    })
    expect(order.slice(0, 3)).toEqual(path === 'quote' ? ['verify', 'work', 'settle'] : ['verify', 'settle'])
    expect(await booked()).toEqual([
      expect.objectContaining({ transaction, requestId: 'req-7', amount: '1000', network: 'eip155:8453', payer: payer.address }),
    ])
  })

  it('a request that is not valid is refused first, and its payment stays whole [x402-charge-only-200]', async () => {
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
  ])('an answer %s charges nothing, and nobody is asked to settle [x402-charge-only-200]', async (code, status) => {
    const quote = () => Promise.reject(new SwapError(code, 'In words.', { details: {} }))
    const { post, sign, facilitator, chain, booked } = await start({ engine: { quote } })
    const reply = await post(BODY, await sign())
    expect(codeOf(reply)).toEqual([status, code])
    expect(reply.headers['payment-response']).toBeUndefined()
    expect([facilitator.verified.length, facilitator.settled.length, chain.used.size]).toEqual([1, 0, 0])
    expect(await booked()).toEqual([])
  })

  it('a sandbox quote costs the same', async () => {
    const { post, sign, chain } = await start()
    expect((await post({ ...BODY, sandbox: true }, await sign())).status).toBe(200)
    expect(chain.used.size).toBe(1)
  })

  it('a key keeps its fee and attribution; an unknown one is refused before anything [x402-charge-only-200]', async () => {
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

describe('limits of 30 and 120 calls a minute', () => {
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
  ])(
    '100 paid calls at once of the official client %s all succeed and leave the plain calls whole',
    async (_who, headers, left) => {
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
    },
  )

  it('an address without plain calls left can pay, and receives at most 120 payment challenges a minute that it leaves unpaid', async () => {
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

  it('a payment gives back a challenge of its key, and of the keys of its address where their minute counted it', async () => {
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

describe('limits', () => {
  it('paid calls are not held to so many a minute [x402-no-call-limit]', async () => {
    const { post, sign } = await start({ engine: limitedTo(2) })
    for (let i = 0; i < 6; i += 1) {
      const reply = await post(BODY, await sign())
      expect([reply.status, reply.headers['ratelimit']]).toEqual([200, undefined])
    }
  })

  it('those that end without a charge count as anonymous ones, and there is no room for more before they are verified [x402-no-call-limit]', async () => {
    const quote = () => Promise.reject(new SwapError('NO_LIQUIDITY', 'No venue.', { details: {} }))
    const { post, sign, facilitator, edge } = await start({ engine: { ...limitedTo(2), quote } })
    const first = await post(BODY, await sign())
    expect([first.status, first.headers['ratelimit']]).toEqual([404, '"anonymous";r=1;t=60'])
    await post(BODY, await sign())
    const third = await post(BODY, await sign())
    expect(codeOf(third)).toEqual([429, 'RATE_LIMITED'])
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(1)
    expect(facilitator.verified).toHaveLength(2)
    expect((await edge.call('/api/v1/chains')).status).toBe(429)
  })

  it('a payer has ten of those a minute, from however many addresses', async () => {
    const quote = () => Promise.reject(new SwapError('NO_LIQUIDITY', 'No venue.', { details: {} }))
    const { post, sign, facilitator, chain } = await start({ engine: { quote }, app: { trustedProxies: ['127.0.0.1'] } })
    const statuses: number[] = []
    const from = (i: number) => ({ 'x-forwarded-for': `198.18.0.${i}` })
    for (let i = 0; i < 12; i += 1) statuses.push((await post(BODY, { ...(await sign()), ...from(i) })).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429])
    expect(facilitator.verified).toHaveLength(10)
    expect((await post(BODY, { ...(await sign(createPayer(chain))), ...from(1) })).status).toBe(404)
  })

  it('a payer has ten calls under way; whoever only says that he is that payer takes none of them [x402-no-call-limit]', async () => {
    const going: (() => void)[] = []
    const quote = () =>
      new Promise<ReturnType<typeof aQuote>>((resolve) => {
        going.push(() => resolve(aQuote()))
      })
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
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  })

  it('of two hundred at once from one address no more than 120 are worked on, and none once too many ended without a charge', async () => {
    const going: (() => void)[] = []
    const quote = () =>
      new Promise<ReturnType<typeof aQuote>>((_resolve, reject) => {
        going.push(() => reject(new SwapError('NO_LIQUIDITY', 'No venue.', { details: {} })))
      })
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
