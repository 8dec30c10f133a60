import { afterEach, describe, expect, test } from 'vitest'
import { provePayload } from '../../../engine/execution/payloadProof.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import type { VenueErrorKind } from '../../../engine/venues/venueError.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import {
  aBench,
  againstAnswers,
  aLiar,
  bindingOf,
  bitcoinToBase,
  FEE_ACCOUNT,
  never,
  relayedFrom,
  usdcToSolana,
  venueErrorOf,
} from './support.ts'

const opened: VenueBench[] = []
const open = async (...options: Parameters<typeof aBench>): Promise<VenueBench> => {
  const bench = await aBench(...options)
  opened.push(bench)
  return bench
}
afterEach(() => Promise.all(opened.splice(0).map((bench) => bench.close())))

describe('a broken line', () => {
  const LINE: readonly (readonly [FaultName, VenueErrorKind, Record<string, number>])[] = [
    ['reset', 'unavailable', {}],
    ['http-500', 'unavailable', {}],
    ['http-429', 'rateLimited', {}],
    ['malformed-body', 'badResponse', {}],
    ['truncated-body', 'unavailable', {}],
    ['huge-body', 'badResponse', { bytes: 6_000_000 }],
    ['wrong-shape', 'badResponse', {}],
  ]
  test.each(
    LINE.flatMap(([fault, kind, params]) => ['/v0/tokens', '/v0/quote'].map((path) => [fault, path, kind, params] as const)),
  )('%s on %s', async (fault, path, kind, params) => {
    const bench = await open()
    bench.faults.set('near-intents', fault, { path, ...params }, 1)
    expect((await venueErrorOf(bench.venue.quote(bitcoinToBase(), never()))).kind).toBe(kind)
    expect((await bench.venue.quote(bitcoinToBase(), never())).outputAmount).toBe(981_362_695n)
  })

  test.each(['/v0/tokens', '/v0/quote'])('a hanging %s ends at the caller’s signal', async (path) => {
    const bench = await open()
    bench.faults.set('near-intents', 'hang', { path }, 1)
    expect((await venueErrorOf(bench.venue.quote(bitcoinToBase(), AbortSignal.timeout(60)))).kind).toBe('timeout')
  })

  test('a signal that is over already costs no waiting', async () => {
    const bench = await open()
    expect((await venueErrorOf(bench.venue.quote(bitcoinToBase(), AbortSignal.abort()))).kind).toBe('timeout')
  })
})

/** The dry answer of the simulator with one field changed and no signature, so that the check of that field is what refuses. */
const quotedWith = async (
  change: (
    answer: { quoteRequest: Record<string, unknown>; quote: Record<string, unknown> } & Record<string, unknown>,
  ) => unknown,
) => {
  const bench = await open()
  const relay = relayedFrom(bench, (path, body) => {
    if (path !== '/v0/quote') return body
    const answer = { ...body, signature: undefined } as unknown as Parameters<typeof change>[0]
    change(answer)
    return answer
  })
  const { venue, close } = await againstAnswers(relay, { ...bench.sim.settings, FEE_ACCOUNT })
  try {
    return await venue.quote(bitcoinToBase({ feeBps: 20 }), never())
  } finally {
    await close()
  }
}

test('the answer the changes below start from is a good one', async () => {
  expect((await quotedWith(() => undefined)).outputAmount).toBe(979_395_975n)
})

describe('a field of the wrong shape', () => {
  const AMOUNTS = ['amountIn', 'minAmountIn', 'amountOut', 'minAmountOut']
  const NOT_AMOUNTS = [undefined, null, 1000000, '', '-1', '1.0', '1e6', ' 1', '01', '0x10', '9'.repeat(79)]
  test.each(AMOUNTS)('quote.%s', async (field) => {
    for (const value of NOT_AMOUNTS)
      expect((await venueErrorOf(quotedWith(({ quote }) => Reflect.set(quote, field, value)))).kind, String(value)).toBe(
        'badResponse',
      )
  })

  const REQUIRED = [
    'dry',
    'swapType',
    'slippageTolerance',
    'originAsset',
    'depositType',
    'destinationAsset',
    'amount',
    'refundTo',
    'refundType',
    'recipient',
    'recipientType',
    'deadline',
  ]
  test.each(REQUIRED)('quoteRequest.%s', async (field) => {
    for (const value of [undefined, null, [], {}, 'x'.repeat(600)])
      expect(
        (await venueErrorOf(quotedWith(({ quoteRequest }) => Reflect.set(quoteRequest, field, value)))).kind,
        String(value),
      ).toBe('badResponse')
  })

  test.each([
    ['timeEstimate', -1],
    ['timeEstimate', 'soon'],
    ['timeEstimate', 1e12],
    ['deadline', 'tomorrow'],
    ['depositMemo', 7],
    ['refundFee', 1],
    ['amountInFormatted', 1],
    ['amountOutUsd', null],
  ])('quote.%s as %s', async (field, value) => {
    expect((await venueErrorOf(quotedWith(({ quote }) => Reflect.set(quote, field, value)))).kind).toBe('badResponse')
  })

  test.each([
    ['timestamp', 1],
    ['timestamp', 'now'],
    ['signature', 5],
    ['quote', null],
    ['quoteRequest', []],
    ['quote', 'x'],
  ])('%s as %s', async (field, value) => {
    expect((await venueErrorOf(quotedWith((answer) => Reflect.set(answer, field as 'quote', value as never)))).kind).toBe(
      'badResponse',
    )
  })

  test.each([
    ['assetId', 5],
    ['assetId', undefined],
    ['decimals', '8'],
    ['decimals', -1],
    ['decimals', 1.5],
    ['symbol', null],
    ['contractAddress', 3],
    ['price', '1'],
  ])('%s of a listed token as %s', async (field, value) => {
    const bench = await open()
    const relay = relayedFrom(bench, (path, body) =>
      path === '/v0/tokens'
        ? (body as unknown as Record<string, unknown>[]).map((row) =>
            row['blockchain'] === 'base' ? { ...row, [field]: value } : row,
          )
        : body,
    )
    const { venue, close } = await againstAnswers(relay, bench.sim.settings)
    expect((await venueErrorOf(venue.quote(bitcoinToBase(), never()))).kind).toBe('badResponse')
    await close()
  })

  test.each([[[]], [{}], [null], ['tokens']])('a token list of %j', async (body) => {
    const { venue, close } = await againstAnswers(() => ({ body }))
    expect((await venueErrorOf(venue.quote(bitcoinToBase(), never()))).kind).toBe('badResponse')
    await close()
  })
})

describe('an answer to another question', () => {
  test.each([
    ['dry', false],
    ['depositMode', 'MEMO'],
    ['swapType', 'EXACT_OUTPUT'],
    ['slippageTolerance', 101],
    ['originAsset', 'nep141:eth.omft.near'],
    ['originAsset', 'nep141:unheard.of'],
    ['depositType', 'INTENTS'],
    ['destinationAsset', 'nep141:base.omft.near'],
    ['amount', '1000001'],
    ['refundTo', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ['refundTo', 'nonsense'],
    ['refundType', 'INTENTS'],
    ['recipient', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['recipientType', 'INTENTS'],
    ['deadline', '2026-11-20T00:59:59.000Z'],
    ['virtualChainRecipient', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['virtualChainRefundRecipient', 'x'],
    ['customRecipientMsg', 'run this'],
    ['appFees', []],
    ['appFees', null],
    ['appFees', [{ recipient: 'mallory.near', fee: 20 }]],
    ['appFees', [{ recipient: FEE_ACCOUNT, fee: 21 }]],
    ['appFees', [{ recipient: FEE_ACCOUNT, fee: 0 }]],
    [
      'appFees',
      [
        { recipient: FEE_ACCOUNT, fee: 20 },
        { recipient: 'mallory.near', fee: 1 },
      ],
    ],
    [
      'appFees',
      [
        { recipient: FEE_ACCOUNT, fee: 10 },
        { recipient: FEE_ACCOUNT, fee: 10 },
      ],
    ],
    ['appFees', [{ recipient: FEE_ACCOUNT, fee: 501 }]],
  ])('quoteRequest.%s as %j is refused', async (field, value) => {
    expect((await venueErrorOf(quotedWith(({ quoteRequest }) => Reflect.set(quoteRequest, field, value)))).kind).toBe(
      'badResponse',
    )
  })

  test.each([
    ['amountIn', '999999'],
    ['amountIn', '1000001'],
    ['minAmountIn', '1000001'],
    ['amountOut', '0'],
    ['minAmountOut', '979395976'],
    ['minAmountOut', '0'],
    ['depositMemo', '12345'],
    ['customRecipientMsg', 'run this'],
  ])('quote.%s as %s is refused', async (field, value) => {
    expect((await venueErrorOf(quotedWith(({ quote }) => Reflect.set(quote, field, value)))).kind).toBe('badResponse')
  })

  test('any id of the same asset is the same answer: the venue moves its assets from bridge to bridge', async () => {
    for (const echoed of ['nep141:btc.omft.near', '1cs_v1:btc:native:coin'])
      expect((await quotedWith(({ quoteRequest }) => Reflect.set(quoteRequest, 'originAsset', echoed))).outputAmount).toBe(
        979_395_975n,
      )
    const moved = '1cs_v1:base:erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
    expect((await quotedWith(({ quoteRequest }) => Reflect.set(quoteRequest, 'destinationAsset', moved))).outputAmount).toBe(
      979_395_975n,
    )
  })

  test('a minimum above the rounded-down one is taken, and so is an address in another spelling', async () => {
    const offer = await quotedWith(({ quoteRequest, quote }) => {
      quote['minAmountOut'] = '969602016'
      quoteRequest['recipient'] = String(quoteRequest['recipient']).toLowerCase()
    })
    expect(offer.slippage?.guaranteedMin).toBe(969_602_016n)
  })

  test('defaults the venue fills in are taken', async () => {
    const offer = await quotedWith(({ quoteRequest, quote }) => {
      Object.assign(quoteRequest, {
        depositMode: null,
        quoteWaitingTimeMs: 0,
        insured: false,
        confidentiality: 'public',
        referral: null,
        virtualChainRecipient: null,
      })
      Object.assign(quote, { timeEstimate: 35.2, withdrawFee: null })
    })
    expect(offer.estimatedTimeSeconds).toBe(36)
  })
})

describe('the signature', () => {
  test('on a dry quote is verified when there is one', async () => {
    const bench = await open()
    bench.faults.set('near-intents', 'bad-signature', {}, 1)
    expect(await venueErrorOf(bench.venue.quote(bitcoinToBase(), never()))).toMatchObject({
      kind: 'badResponse',
      message: expect.stringContaining('signature'),
    })
  })

  test('covers the price: one altered digit is refused', async () => {
    const bench = await open()
    const relay = relayedFrom(bench, (path, body) =>
      path === '/v0/quote' ? { ...body, quote: { ...(body['quote'] as object), amountOut: '981362696' } } : body,
    )
    const { venue, close } = await againstAnswers(relay, bench.sim.settings)
    expect((await venueErrorOf(venue.quote(bitcoinToBase(), never()))).message).toContain('signature')
    await close()
  })

  test('of another key than the configured one is refused', async () => {
    const bench = await open({ settings: { PUBLIC_KEY: aLiar().publicKey } })
    expect((await venueErrorOf(bench.venue.quote(bitcoinToBase(), never()))).message).toContain('signature')
  })
})

describe('faults of the venue itself', () => {
  test.each(['wrong-recipient', 'wrong-amount'] as const)('%s, properly signed, is refused at quote', async (fault) => {
    const bench = await open()
    bench.faults.set('near-intents', fault, {}, 1)
    expect((await venueErrorOf(bench.venue.quote(bitcoinToBase(), never()))).kind).toBe('badResponse')
  })

  test('wrong-minimum, properly signed, is declined by the rule for all offers at quote, and no proof at execute', async () => {
    for (const order of [bitcoinToBase(), usdcToSolana()]) {
      const bench = await open()
      const { venue, clock } = bench
      const offer = await venue.quote(order, never())
      bench.faults.set('near-intents', 'wrong-minimum', {}, null)
      const binding = bindingOf(order)
      const execution = await venue.execute({ order, offer }, binding, never())
      expect(await provePayload(venue, execution, { sealed: { order, offer }, binding, now: clock.now() })).toEqual([
        'output.minimum',
      ])
      const wide = await venue.quote(order, never())
      expect(() => checkOffer({ offer: wide, order, asked: order, profile: venue.profile, now: clock.now() })).toThrow(
        expect.objectContaining({ kind: 'noLiquidity', reason: 'boundTooWide' }),
      )
    }
  })

  test.each(['wrong-recipient', 'wrong-amount', 'wrong-contract', 'bad-signature'] as const)(
    '%s is refused at execute',
    async (fault) => {
      for (const order of [bitcoinToBase(), usdcToSolana()]) {
        const bench = await open()
        const offer = await bench.venue.quote(order, never())
        bench.faults.set('near-intents', fault, {}, null)
        expect((await venueErrorOf(bench.venue.execute({ order, offer }, bindingOf(order), never()))).kind).toBe('badResponse')
      }
    },
  )
})
