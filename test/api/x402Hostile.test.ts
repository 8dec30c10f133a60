import { describe, expect, it } from 'vitest'
import { closing } from '../support/closing.ts'
import { ANONYMOUS } from '../support/edgeServer.ts'
import { type Change, changed } from '../support/venueKit/calls.ts'
import { createPayer } from '../support/x402Bench.ts'
import { BODY, codeOf, openX402, reasonOf, type X402Stage } from '../support/x402Stage.ts'
import cases from './alteredPayments.json' with { type: 'json' }

const own = closing()
const UNLIMITED = { identify: async () => ({ ...ANONYMOUS, requestsPerMinute: 1e6 }) }
const start = async (): Promise<X402Stage> => own(await openX402({ engine: UNLIMITED }))

const altered = (header: string, changes: Change) => ({
  'payment-signature': Buffer.from(
    JSON.stringify(changed(JSON.parse(Buffer.from(header, 'base64').toString()) as unknown, changes)),
  ).toString('base64'),
})

/** Texts and addresses of a facilitator or a chain. */
const FOREIGN_TEXT = /rpc|10\.0\.0\.1|calldata|deadbeef|https?:\/\/(?!127)|token-\d|stack|viem|zod/i

describe('an altered payment receives 402, no answer and no charge [x402-altered-refused]', () => {
  it.each(cases as unknown as readonly [string, Change, string][])('%s', async (_what, changes, reason) => {
    const { post, sign, quotes, chain, facilitator } = await start()
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
    const { post, sign, facilitator, payer } = await start()
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
    const { post, facilitator } = await start()
    const reply = await post(BODY, { 'payment-signature': header })
    expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'malformed'])
    expect(reply.text).not.toMatch(FOREIGN_TEXT)
    expect(facilitator.verified).toEqual([])
  })

  it('that is empty, or of version 1, counts as no payment', async () => {
    const { post } = await start()
    expect(reasonOf(await post(BODY, { 'payment-signature': '' }))).toBe('noPayment')
    expect(reasonOf(await post(BODY, { 'x-payment': 'e30=' }))).toBe('noPayment')
  })
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
  it.each(trouble)('%s causes no work, and its text stays out of the response', async (_what, onVerify) => {
    const stage = await start()
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
    const { facilitator, instance } = await start()
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
    let asked = 0
    facilitator.onSupported = () => {
      asked += 1
      return Promise.reject(new Error('down'))
    }
    for (const [ms, times] of [
      [9 * 60_000, 0],
      [60_000, 1],
    ] as const) {
      clock.at += ms
      expect([(await post(BODY)).status, asked]).toEqual([402, times])
    }
  })

  it('reports a payer with an empty wallet as noFunds', async () => {
    const { post, sign, chain, quotes } = await start()
    const reply = await post(BODY, await sign(createPayer(chain, 0n)))
    expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'noFunds'])
    expect(quotes).toEqual([])
  })
})
