import { decodePaymentRequiredHeader } from '@x402/core/http'
import { validateAndExtract, validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Caller, RequestContext } from '../../engine/core/caller.ts'
import { type ErrorCode, SwapError } from '../../engine/errors.ts'
import { createPaidCalls } from '../../engine/x402/paidCalls.ts'
import { createPaymentRooms } from '../../handlers/http/paymentRooms.ts'
import { createRateCounter } from '../../handlers/http/rateCounter.ts'
import { closing } from '../support/closing.ts'
import { documentedOperations } from '../support/documentedOperations.ts'
import { ANONYMOUS, aQuote, startEdge } from '../support/edgeServer.ts'
import { createMemoryStore } from '../support/memoryStore.ts'
import { createTestClock } from '../support/testEngine.ts'
import { type Change, changed } from '../support/venueKit/calls.ts'
import { createPayer, readReceipt } from '../support/x402Bench.ts'
import { BODY, codeOf, openX402, reasonOf, type X402Stage, type X402Wish } from '../support/x402Stage.ts'
import cases from './alteredPayments.json' with { type: 'json' }

const own = closing()
const start = async (wish?: X402Wish): Promise<X402Stage> => own(await openX402(wish))

/** The longest header that most proxies pass on, both ways; the client sends it back with its signed payment. */
const HEADER_BYTES_MAX = 8 * 1024
const PAYMENT_BYTES = 1_500

const PAID = documentedOperations.all.filter(({ operation }) => operation.operationId.startsWith('x402'))

/** One with a body, and one without. */
const PATHS = [
  ['POST', 'quote', BODY],
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
  it.each(PAID.map(({ path, method }) => [method.toUpperCase(), path] as const))(
    '%s %s receives 402 before any work, with terms as documented and as the official validators expect [x402-challenge] [x402-discovery]',
    async (method, path) => {
      const never = () => Promise.reject(new Error('work was done'))
      const work = { quote: never, execute: never, submitSignature: never, submitTransaction: never, status: never }
      const { edge, facilitator } = await start({ engine: work })
      const reply = await (method === 'POST' ? edge.call(path, { method, body: BODY }) : edge.call(`${path}?quoteToken=t&ref=r`))
      expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'noPayment'])
      expect(reply.headers).toMatchObject({
        'cache-control': 'no-store',
        'access-control-expose-headers': expect.stringMatching(/PAYMENT-REQUIRED.*PAYMENT-RESPONSE/),
      })
      expect([facilitator.verified.length, facilitator.settled.length]).toEqual([0, 0])
      const header = reply.headers['payment-required'] ?? ''
      expect(header.length + PAYMENT_BYTES).toBeLessThan(HEADER_BYTES_MAX)
      const { extensions = {}, ...terms } = decodePaymentRequiredHeader(header)
      expect(terms).toMatchObject({
        x402Version: 2,
        resource: { url: expect.stringMatching(new RegExp(`${path}$`)) },
        accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: '1000', maxTimeoutSeconds: 300 }],
      })
      const bazaar = extensions['bazaar'] as Parameters<typeof validateDiscoveryExtension>[0]
      expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true })
      expect(validateDiscoveryExtensionSpec(bazaar as unknown as Record<string, unknown>)).toEqual({ valid: true })
      const { info } = validateAndExtract(bazaar)
      expect(info?.input).toMatchObject({ type: 'http', method })
      const asked = info?.input as { readonly body?: object; readonly queryParams?: object }
      expect(Object.keys((method === 'POST' ? asked.body : asked.queryParams) ?? {})).not.toEqual([])
      expect(Object.keys(info?.output?.example ?? {})).not.toEqual([])
    },
  )

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
    // A decision of the operator is no failure.
    expect(edge.logs.filter(({ event }) => event === 'request.failed')).toEqual([])
  })
})

describe('a call with a payment', () => {
  it.each(PATHS)('%s /%s is verified, answered, settled and booked, and has a receipt', async (method, path, body) => {
    const atWork: unknown[] = []
    const quote = async () => {
      atWork.push([facilitator.verified.length, facilitator.settled.length])
      return aQuote()
    }
    const stage = await start({ engine: { quote } })
    const { sign, facilitator, chain, payer, booked } = stage
    const reply = await call(stage, method, `x402/${path}`, body, { ...(await sign()), 'x-request-id': 'req-7' })
    expect([atWork, facilitator.verified.length, facilitator.settled.length]).toEqual([path === 'quote' ? [[1, 0]] : [], 1, 1])
    const plain = await call(stage, method, path, body)
    expect([reply.status, reply.json.data]).toEqual([200, plain.json.data])
    const [transaction] = chain.used.values()
    const paid = { transaction, network: 'eip155:8453', payer: payer.address }
    expect(readReceipt(reply.headers['payment-response'])).toEqual({ success: true, ...paid })
    expect(await booked()).toEqual([expect.objectContaining({ ...paid, requestId: 'req-7', amount: '1000' })])
  })

  it('with an invalid body is refused before its payment is verified, which stays usable, and is charged for a sandbox quote too [x402-charge-only-200]', async () => {
    const { post, sign, facilitator, quotes, chain } = await start()
    const payment = await sign()
    expect(codeOf(await post({ ...BODY, inputAmount: '0' }, payment))).toEqual([400, 'INVALID_REQUEST'])
    expect(codeOf(await post('{', payment))).toEqual([400, 'INVALID_REQUEST'])
    expect(codeOf(await post(BODY, { ...payment, 'content-type': 'text/plain' }))).toEqual([415, 'INVALID_REQUEST'])
    expect([facilitator.verified.length, quotes.length]).toEqual([0, 0])
    expect((await post({ ...BODY, sandbox: true }, payment)).status).toBe(200)
    expect(chain.used.size).toBe(1)
  })

  it.each<[ErrorCode, number]>([
    ['NO_LIQUIDITY', 404],
    ['INTERNAL', 500],
  ])('that ends with %s charges nothing, and settles nothing [x402-charge-only-200]', async (code, status) => {
    const { post, sign, facilitator, chain, booked } = await start({ engine: { quote: failing(code) } })
    const reply = await post(BODY, await sign())
    expect(codeOf(reply)).toEqual([status, code])
    expect(reply.headers['payment-response']).toBeUndefined()
    expect([facilitator.verified.length, facilitator.settled.length, chain.used.size]).toEqual([1, 0, 0])
    expect(await booked()).toEqual([])
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

describe('unpaid challenges', () => {
  const PLAIN = '/api/v1/status?quoteToken=t&ref=r'
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
  afterEach(() => void vi.useRealTimers())

  it('of an address are at most 120 a minute, beside its plain calls; each settled payment makes room for one', async () => {
    const { edge, post, sign } = await start({ engine: tiers(30, 120) })
    const payments = [await sign(), await sign(), await sign()]
    for (let i = 0; i < 30; i += 1) await edge.call(PLAIN)
    expect((await edge.call(PLAIN)).status).toBe(429)
    for (let i = 0; i < 40; i += 1)
      expect([(await post(BODY)).status, (await post(BODY, await sign())).status]).toEqual([402, 200])
    expect((await edge.call(PLAIN)).status).toBe(429)
    for (let i = 0; i < 120; i += 1) expect((await post(BODY)).status).toBe(402)
    for (let i = 0; i < 5; i += 1) expect(codeOf(await post(BODY))).toEqual([429, 'RATE_LIMITED'])
    // A refused request stays uncounted.
    for (let i = 0; i < 3; i += 1) expect((await post(BODY, await sign())).status).toBe(200)
    for (const status of [402, 402, 402, 429]) expect((await post(BODY)).status).toBe(status)
    // A payment in the minute after its challenge adds no plain call to it.
    vi.setSystemTime(Date.now() + 61_000)
    for (let i = 0; i < 30; i += 1) expect((await edge.call(PLAIN)).status).toBe(200)
    for (const payment of payments) expect((await post(BODY, payment)).status).toBe(200)
    expect((await edge.call(PLAIN)).status).toBe(429)
  })

  it('of a key and of the keys of its address are returned by its payments', async () => {
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
  })
})

describe('the limits of paid calls', () => {
  it('settled ones count against none, with and without a key [x402-no-call-limit]', async () => {
    const { post, sign, edge } = await start({ engine: tiers(2, 2) })
    for (const headers of [{}, KEY]) {
      for (let i = 0; i < 6; i += 1) {
        const reply = await post(BODY, { ...headers, ...(await sign()) })
        expect([reply.status, reply.headers['ratelimit']]).toEqual([200, undefined])
      }
      expect((await edge.call('/api/v1/status?quoteToken=t&ref=r', { headers })).headers['ratelimit']).toMatch(/;r=1;t=60$/)
    }
  })

  it.each([
    ['by an offer', 404],
    ['by a facilitator that is down', 503],
  ])(
    'ones that fail %s count as anonymous calls, and excess ones are refused before verification [x402-no-call-limit]',
    async (_what, status) => {
      const { post, sign, facilitator, edge } = await start({ engine: { ...limitedTo(2), quote: failing('NO_LIQUIDITY') } })
      if (status === 503) facilitator.onVerify = () => Promise.reject(new Error('the facilitator is down'))
      const first = await post(BODY, await sign())
      expect([first.status, first.headers['ratelimit']]).toEqual([status, '"anonymous";r=1;t=60'])
      await post(BODY, await sign())
      const third = await post(BODY, await sign())
      expect(codeOf(third)).toEqual([429, 'RATE_LIMITED'])
      expect(Number(third.headers['retry-after'])).toBeGreaterThan(1)
      expect(facilitator.verified).toHaveLength(2)
      expect((await edge.call('/api/v1/chains')).status).toBe(429)
    },
  )

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

  it('ones that other processes leave no room for hold none in this one [x402-no-call-limit]', async () => {
    let isRoom = false
    const counts = { count: async () => null, look: async () => null, giveBack: async () => null, leave: async () => undefined }
    const rooms = createPaymentRooms(createRateCounter(), { ...counts, enter: async () => isRoom })
    for (let i = 0; i < 10; i += 1) await expect(rooms.enterPayer('0x1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    isRoom = true
    await expect(rooms.enterPayer('0x1')).resolves.toBeTypeOf('function')
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

const startUnlimited = () => start({ engine: limitedTo(1e6) })

const altered = (header: string, changes: Change) => ({
  'payment-signature': Buffer.from(
    JSON.stringify(changed(JSON.parse(Buffer.from(header, 'base64').toString()) as unknown, changes)),
  ).toString('base64'),
})

/** Texts and addresses of a facilitator or a chain. */
const FOREIGN_TEXT = /rpc|10\.0\.0\.1|calldata|deadbeef|https?:\/\/(?!127)|token-\d|stack|viem|zod/i

describe('an altered payment receives 402, no answer and no charge [x402-altered-refused]', () => {
  it.each(cases as unknown as readonly [string, Change, string][])('%s', async (_what, changes, reason) => {
    const { post, sign, quotes, chain, facilitator } = await startUnlimited()
    const { 'payment-signature': header } = await sign()
    const reply = await post(BODY, altered(header, changes))
    expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], reason])
    expect(reply.headers['payment-required']).toMatch(/^[A-Za-z0-9+/]+=*$/)
    expect(reply.text).not.toMatch(FOREIGN_TEXT)
    expect([quotes.length, chain.used.size, facilitator.settled.length]).toEqual([0, 0, 0])
    // Only a wrong signature needs the facilitator.
    expect(facilitator.verified).toHaveLength(reason === 'badSignature' ? 1 : 0)
    // The payment itself stays usable.
    expect((await post(BODY, { 'payment-signature': header })).status).toBe(200)
  })

  it('the facilitator receives the checked fields, and the resource and extensions of the service, not those of the client', async () => {
    const { post, sign, facilitator, payer } = await startUnlimited()
    const { 'payment-signature': header } = await sign()
    const smuggled = altered(header, {
      'payload.permit2Authorization': { from: payer.address },
      'payload.authorization.more': 'x',
      resource: { url: 'http://elsewhere/' },
      extensions: { bazaar: { spam: 'x' }, more: {} },
    })
    expect((await post(BODY, smuggled)).status).toBe(200)
    for (const sent of [facilitator.verified[0], facilitator.settled[0]]) {
      expect(Object.keys(sent?.payload ?? {}).toSorted()).toEqual(['authorization', 'signature'])
      expect(Object.keys(sent?.payload['authorization'] as object)).toHaveLength(6)
      expect(sent?.resource?.url).toMatch(/\/api\/v1\/x402\/quote$/)
      expect(Object.keys(sent?.extensions ?? {})).toEqual(['bazaar'])
      expect(JSON.stringify(sent)).not.toContain('spam')
    }
  })
})

describe('a payment header', () => {
  it.each([
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{').toString('base64')],
    ['empty JSON', Buffer.from('{}').toString('base64')],
    ['very deep', Buffer.from('['.repeat(5_000)).toString('base64')],
    ['twelve thousand characters', 'A'.repeat(12_000)],
  ])('with %s receives 402 malformed', async (_what, header) => {
    const { post, facilitator } = await startUnlimited()
    const reply = await post(BODY, { 'payment-signature': header })
    expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'malformed'])
    expect(reply.text).not.toMatch(FOREIGN_TEXT)
    expect(facilitator.verified).toEqual([])
  })

  it('that is empty, or of version 1, counts as no payment', async () => {
    const { post } = await startUnlimited()
    expect(reasonOf(await post(BODY, { 'payment-signature': '' }))).toBe('noPayment')
    expect(reasonOf(await post(BODY, { 'x-payment': 'e30=' }))).toBe('noPayment')
  })
})

describe('a facilitator', () => {
  type Verify = X402Stage['facilitator']['verify']
  it.each<[string, Verify]>([
    ['that is down', () => Promise.reject(new Error('ECONNREFUSED 10.0.0.1 rpc'))],
    ['that answers nothing', async () => undefined as never],
    ['that answers garbage', async () => ({ isValid: 'yes' }) as never],
    ['that verifies for another', async () => ({ isValid: true, payer: '0x0' })],
    ['that refuses in words of its own', async () => ({ isValid: false, invalidReason: 'rpc https://node' })],
  ])('%s causes no work, and its text stays out of the response', async (_what, onVerify) => {
    const stage = await startUnlimited()
    const payment = await stage.sign()
    stage.facilitator.onVerify = onVerify
    const reply = await stage.post(BODY, payment)
    expect([402, 503]).toContain(reply.status)
    expect(reply.text).not.toMatch(FOREIGN_TEXT)
    expect([stage.quotes.length, stage.chain.used.size]).toEqual([0, 0])
    expect((await stage.edge.call('/api/v1/quote', { method: 'POST', body: BODY })).status).toBe(200)
    stage.facilitator.onVerify = null
    expect((await stage.post(BODY, payment)).status).toBe(200)
  })

  const OTHER_KIND = { x402Version: 2, scheme: 'exact', network: 'eip155:1' } as const
  it.each<[string, () => ReturnType<X402Stage['facilitator']['getSupported']>]>([
    ['that is down at the start', () => Promise.reject(new Error('ECONNREFUSED https://facilitator.example rpc'))],
    ['that settles nothing of what is accepted', async () => ({ kinds: [OTHER_KIND], extensions: [], signers: {} })],
  ])('%s is called again with the next request, and blocks no plain call', async (_what, supported) => {
    const { facilitator, instance } = await startUnlimited()
    facilitator.onSupported = supported
    const { post, edge } = await instance()
    const first = await post(BODY)
    expect(codeOf(first)).toEqual([503, 'PAYMENT_PENDING'])
    expect(first.headers['retry-after']).toBeDefined()
    expect(first.text).not.toMatch(FOREIGN_TEXT)
    expect((await edge.call('/api/v1/quote', { method: 'POST', body: BODY })).status).toBe(200)
    facilitator.onSupported = null
    expect((await post(BODY)).status).toBe(402)
  })

  it('is asked for what it supports every ten minutes, and its last answer stays in force while it is down', async () => {
    const { post, clock, facilitator } = await start()
    expect((await post(BODY)).status).toBe(402)
    const down = vi.fn(() => Promise.reject(new Error('down')))
    facilitator.onSupported = down
    clock.at += 9 * 60_000
    expect((await post(BODY)).status).toBe(402)
    expect(down).not.toHaveBeenCalled()
    clock.at += 60_000
    expect((await post(BODY)).status).toBe(402)
    expect(down).toHaveBeenCalledOnce()
  })

  it('reports a payer with an empty wallet as noFunds', async () => {
    const { post, sign, chain, quotes } = await startUnlimited()
    const reply = await post(BODY, await sign(createPayer(chain, 0n)))
    expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'noFunds'])
    expect(quotes).toEqual([])
  })
})
