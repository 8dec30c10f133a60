import { afterEach, describe, expect, it } from 'vitest'
import { ANONYMOUS } from '../support/edgeServer.ts'
import { type Change, changed } from '../support/venueKit/calls.ts'
import { createPayer } from '../support/x402Bench.ts'
import { BODY, codeOf, openX402, reasonOf, type X402Stage, type X402Wish } from '../support/x402Stage.ts'
import cases from './alteredPayments.json' with { type: 'json' }

const open: X402Stage[] = []
const start = async (wish: X402Wish = {}): Promise<X402Stage> => {
  const stage = await openX402({ engine: { identify: async () => ({ ...ANONYMOUS, requestsPerMinute: 1e6 }) }, ...wish })
  open.push(stage)
  return stage
}
afterEach(async () => {
  for (const stage of open.splice(0)) await stage.close()
})

const altered = (header: string, changes: Change) => ({
  'payment-signature': Buffer.from(
    JSON.stringify(changed(JSON.parse(Buffer.from(header, 'base64').toString()) as unknown, changes)),
  ).toString('base64'),
})

/** None of what a facilitator or a chain says, nor where they are. */
const OTHERS_WORDS = /rpc|10\.0\.0\.1|calldata|deadbeef|https?:\/\/(?!127)|token-\d|stack|viem|zod/i

describe('an altered payment is refused, answers nothing and charges nothing [x402-altered-refused]', () => {
  it.each(cases as unknown as readonly [string, Change, string][])('%s', async (_what, changes, reason) => {
    const { post, sign, quotes, chain, facilitator } = await start()
    const { 'payment-signature': header } = await sign()
    const reply = await post(BODY, altered(header, changes))
    expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], reason])
    expect(reply.headers['payment-required']).toMatch(/^[A-Za-z0-9+/]+=*$/)
    expect(reply.text).not.toMatch(OTHERS_WORDS)
    expect([quotes.length, chain.used.size, facilitator.settled.length]).toEqual([0, 0, 0])
    // Before anybody outside is asked, unless only the signature tells.
    expect(facilitator.verified).toHaveLength(reason === 'badSignature' ? 1 : 0)
    // What was refused is no way to spoil the payment of whom it was stolen from.
    expect((await post(BODY, { 'payment-signature': header })).status).toBe(200)
  })

  it('who settles it sees what was looked at, and nothing else that came with it', async () => {
    const { post, sign, facilitator, payer } = await start()
    const { 'payment-signature': header } = await sign()
    const smuggled = altered(header, {
      'payload.permit2Authorization': { from: payer.address },
      'payload.authorization.more': 'x',
    })
    expect((await post(BODY, smuggled)).status).toBe(200)
    const [sent] = facilitator.settled
    expect(Object.keys(sent?.payload ?? {}).toSorted()).toEqual(['authorization', 'signature'])
    expect(Object.keys(sent?.payload['authorization'] as object)).toHaveLength(6)
  })

  it('who settles it is told what it is for by us, whatever a client says of that', async () => {
    const { post, sign, facilitator } = await start()
    const { 'payment-signature': header } = await sign()
    const told = altered(header, { resource: { url: 'http://elsewhere/' }, extensions: { bazaar: { spam: 'x' }, more: {} } })
    expect((await post(BODY, told)).status).toBe(200)
    for (const sent of [facilitator.verified[0], facilitator.settled[0]]) {
      expect(sent?.resource?.url).toMatch(/\/api\/v1\/x402\/quote$/)
      expect([Object.keys(sent?.extensions ?? {}), JSON.stringify(sent)]).toEqual([
        ['bazaar'],
        expect.not.stringContaining('spam'),
      ])
    }
  })
})

describe('a header that cannot be read', () => {
  it.each([
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{').toString('base64')],
    ['empty JSON', Buffer.from('{}').toString('base64')],
    ['no text', Buffer.from([0xff, 0xfe, 0x00]).toString('base64')],
    ['very deep', Buffer.from('['.repeat(5_000)).toString('base64')],
    ['deep and whole', Buffer.from(`${'['.repeat(2_500)}${']'.repeat(2_500)}`).toString('base64')],
    ['two of them', 'e30=, e30='],
    ['twelve thousand characters', 'A'.repeat(12_000)],
  ])('%s is a 402 that says so', async (_what, header) => {
    const { post, facilitator } = await start()
    const reply = await post(BODY, { 'payment-signature': header })
    expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'malformed'])
    expect(reply.text).not.toMatch(OTHERS_WORDS)
    expect(facilitator.verified).toEqual([])
  })

  it('over the size of all headers never reaches an operation', async () => {
    const { post, edge } = await start()
    expect((await post(BODY, { 'payment-signature': 'A'.repeat(17_000) })).status).toBe(431)
    expect((await edge.call('/api/v1/quote', { method: 'POST', body: BODY })).status).toBe(200)
  })

  it('an empty one is no payment, and one of version 1 is not looked at', async () => {
    const { post } = await start()
    expect(reasonOf(await post(BODY, { 'payment-signature': '' }))).toBe('noPayment')
    expect(reasonOf(await post(BODY, { 'x-payment': 'e30=' }))).toBe('noPayment')
  })
})

describe('a thousand at once', () => {
  it('of one payment with as many requests are one call', async () => {
    const { post, sign, chain, booked } = await start()
    const payment = await sign()
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_one, i) => post({ ...BODY, inputAmount: String(1_000 + i) }, payment)),
    )
    const answered = replies.filter(({ status }) => status === 200)
    expect(answered).toHaveLength(1)
    expect(new Set(replies.map(({ status }) => status))).toEqual(
      new Set([200, 402, 429, 503].filter((one) => replies.some(({ status }) => status === one))),
    )
    expect([chain.used.size, (await booked()).length]).toEqual([1, 1])
  }, 60_000)
})

describe('a facilitator', () => {
  type Verify = X402Stage['facilitator']['verify']
  const trouble: [string, Verify][] = [
    ['that is down', () => Promise.reject(new Error('ECONNREFUSED 10.0.0.1 rpc'))],
    ['that answers nothing', async () => undefined as never],
    ['that answers garbage', async () => ({ isValid: 'yes' }) as never],
    ['that verifies for another', async () => ({ isValid: true, payer: '0x0' })],
    ['that refuses in words of its own', async () => ({ isValid: false, invalidReason: 'rpc https://node' })],
  ]
  it.each(trouble)('%s lets no work be done, and is told in our words', async (_what, onVerify) => {
    const stage = await start()
    const payment = await stage.sign()
    stage.facilitator.onVerify = onVerify
    const reply = await stage.post(BODY, payment)
    expect([402, 503]).toContain(reply.status)
    expect(reply.text).not.toMatch(OTHERS_WORDS)
    expect([stage.quotes.length, stage.chain.used.size]).toEqual([0, 0])
    expect((await stage.edge.call('/api/v1/quote', { method: 'POST', body: BODY })).status).toBe(200)
    stage.facilitator.onVerify = null
    expect((await stage.post(BODY, payment)).status).toBe(200)
  })

  const OTHER_KIND = { x402Version: 2, scheme: 'exact', network: 'eip155:1' } as const
  it.each<[string, () => ReturnType<X402Stage['facilitator']['getSupported']>]>([
    ['that is down at the start', () => Promise.reject(new Error('ECONNREFUSED https://facilitator.example rpc'))],
    ['that settles nothing of what is accepted', async () => ({ kinds: [OTHER_KIND], extensions: [], signers: {} })],
  ])('%s is asked again with the next call, and blocks nothing else', async (_what, supported) => {
    const down = await openX402Down(await start(), supported)
    expect(codeOf(down.first)).toEqual([503, 'PAYMENT_PENDING'])
    expect(down.first.headers['retry-after']).toBeDefined()
    expect(down.first.text).not.toMatch(OTHERS_WORDS)
    expect(down.plain.status).toBe(200)
    expect(down.later.status).toBe(402)
  })

  it('that has changed what it supports is asked again in time, and what it said before stands while it is down', async () => {
    const { post, clock, facilitator } = await start()
    const answers: number[] = []
    const askAfter = async (ms: number) => {
      clock.at += ms
      answers.push((await post(BODY)).status)
    }
    let asked = 0
    facilitator.onSupported = () => {
      asked += 1
      return Promise.reject(new Error('down'))
    }
    await askAfter(0)
    expect([answers, asked]).toEqual([[503], 1])
    facilitator.onSupported = null
    await askAfter(0)
    facilitator.onSupported = () => {
      asked += 1
      return Promise.reject(new Error('down'))
    }
    await askAfter(9 * 60_000)
    expect(asked).toBe(1)
    await askAfter(60_000)
    expect([answers, asked]).toEqual([[503, 402, 402, 402], 2])
  })

  it('that settles, and says it did not, is not believed against the chain', async () => {
    const { post, sign, facilitator, chain, booked } = await start()
    facilitator.onSettle = async (...asked) => {
      await facilitator.really.settle(...asked)
      return { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:8453' }
    }
    expect((await post(BODY, await sign())).status).toBe(200)
    expect([chain.used.size, (await booked()).length]).toEqual([1, 1])
  })

  it('a payer with an empty wallet is told so', async () => {
    const { post, sign, chain, quotes } = await start()
    const reply = await post(BODY, await sign(createPayer(chain, 0n)))
    expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'noFunds'])
    expect(quotes).toEqual([])
  })
})

/** Another instance, whose facilitator comes up after its first call. */
const openX402Down = async (stage: X402Stage, supported: () => ReturnType<X402Stage['facilitator']['getSupported']>) => {
  const { facilitator } = stage
  facilitator.onSupported = supported
  const { post, edge } = await stage.instance()
  const first = await post(BODY)
  const plain = await edge.call('/api/v1/quote', { method: 'POST', body: BODY })
  facilitator.onSupported = null
  return { first, plain, later: await post(BODY) }
}
