import { describe, expect, test } from 'vitest'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import type { VenueError } from '../../../engine/venues/venueError.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, prove, refusalOf, swapOf, takenThrough } from '../../support/venueKit/calls.ts'
import { canned, changing, toldBy } from '../../support/venueKit/canned.ts'
import {
  bitcoinToBase,
  FEE_ACCOUNT,
  LIARS_KEY,
  NOBODYS_ACCOUNT,
  openBench,
  type QuoteAnswer,
  told,
  toldBySigner,
  usdcToSolana,
  VENUE_FEE_ACCOUNT,
} from './support.ts'

const open = closedAfterEach(openBench)
const DAY_MS = 24 * 60 * 60_000
const settings = { FEE_ACCOUNT }

/** The dry answer changed, and unsigned, so that the check of what was changed is what refuses it. */
const quotedWith = async (change: (answer: QuoteAnswer) => unknown) =>
  told(await open(), { quote: change }, { settings }).venue.quote(bitcoinToBase({ feeBps: 20 }), never())

test('the answer the changes below start from is a good one', async () => {
  expect((await quotedWith(() => undefined)).outputAmount).toBe(979_395_975n)
})

describe('an answer to another question is refused:', () => {
  const fees = (...fees: readonly (readonly [string, number])[]) => fees.map(([recipient, fee]) => ({ recipient, fee }))
  test.each<['quoteRequest' | 'quote', string, unknown]>([
    ['quoteRequest', 'dry', false],
    ['quoteRequest', 'depositMode', 'MEMO'],
    ['quoteRequest', 'swapType', 'EXACT_OUTPUT'],
    ['quoteRequest', 'slippageTolerance', 101],
    ['quoteRequest', 'originAsset', 'nep141:eth.omft.near'],
    ['quoteRequest', 'originAsset', 'nep141:unheard.of'],
    ['quoteRequest', 'depositType', 'INTENTS'],
    ['quoteRequest', 'destinationAsset', 'nep141:base.omft.near'],
    ['quoteRequest', 'amount', '1000001'],
    ['quoteRequest', 'refundTo', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ['quoteRequest', 'refundTo', 'nonsense'],
    ['quoteRequest', 'refundType', 'INTENTS'],
    ['quoteRequest', 'recipient', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['quoteRequest', 'recipientType', 'INTENTS'],
    ['quoteRequest', 'deadline', '2026-11-20T00:59:59.000Z'],
    ['quoteRequest', 'deadline', 'tomorrow'],
    ['quoteRequest', 'virtualChainRecipient', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['quoteRequest', 'virtualChainRefundRecipient', 'x'],
    ['quoteRequest', 'customRecipientMsg', 'run this'],
    ['quoteRequest', 'appFees', []],
    ['quoteRequest', 'appFees', null],
    ['quoteRequest', 'appFees', fees(['mallory.near', 20])],
    ['quoteRequest', 'appFees', fees([FEE_ACCOUNT, 21])],
    ['quoteRequest', 'appFees', fees([FEE_ACCOUNT, 0])],
    ['quoteRequest', 'appFees', fees([FEE_ACCOUNT, 20], ['mallory.near', 1])],
    ['quoteRequest', 'appFees', fees([FEE_ACCOUNT, 10], [FEE_ACCOUNT, 10])],
    ['quoteRequest', 'appFees', fees([FEE_ACCOUNT, 501])],
    ['quote', 'amountIn', '999999'],
    ['quote', 'amountIn', '1000001'],
    ['quote', 'minAmountIn', '1000001'],
    ['quote', 'amountOut', '0'],
    ['quote', 'minAmountOut', '979395976'],
    ['quote', 'minAmountOut', '0'],
    ['quote', 'depositMemo', '12345'],
    ['quote', 'depositMemo', 7],
    ['quote', 'customRecipientMsg', 'run this'],
    ['quote', 'timeEstimate', -1],
    ['quote', 'timeEstimate', 1e12],
    ['quote', 'deadline', 'tomorrow'],
  ])('%s.%s as %j', async (part, field, value) => {
    expect((await refusalOf(quotedWith((answer) => Reflect.set(answer[part], field, value)))).kind).toBe('badResponse')
  })
})

describe('an answer to the same question in other words is taken:', () => {
  test('any id of the same asset, for the venue moves its assets from bridge to bridge', async () => {
    for (const [field, id] of [
      ['originAsset', 'nep141:btc.omft.near'],
      ['originAsset', '1cs_v1:btc:native:coin'],
      ['destinationAsset', '1cs_v1:base:erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
    ] as const)
      expect((await quotedWith(({ quoteRequest }) => Reflect.set(quoteRequest, field, id))).outputAmount).toBe(979_395_975n)
  })

  test('a minimum above the rounded-down one, and an address in another spelling', async () => {
    const offer = await quotedWith(({ quoteRequest, quote }) => {
      quote['minAmountOut'] = '969602016'
      quoteRequest['recipient'] = String(quoteRequest['recipient']).toLowerCase()
    })
    expect(offer.slippage?.guaranteedMin).toBe(969_602_016n)
  })

  test('defaults the venue fills in', async () => {
    const offer = await quotedWith(({ quoteRequest, quote }) => {
      Object.assign(quoteRequest, { depositMode: null, quoteWaitingTimeMs: 0, insured: false, confidentiality: 'public' })
      Object.assign(quoteRequest, { referral: null, virtualChainRecipient: null })
      Object.assign(quote, { timeEstimate: 35.2, withdrawFee: null })
    })
    expect(offer.estimatedTimeSeconds).toBe(36)
  })
})

describe('the signature on a dry quote', () => {
  test('is verified when there is one', async () => {
    const bench = await open()
    bench.faults.set('near-intents', 'bad-signature', {}, 1)
    const refusal = await refusalOf(bench.venue.quote(bitcoinToBase(), never()))
    expect(refusal).toMatchObject({ kind: 'badResponse', message: expect.stringContaining('signature') })
  })

  test('covers the price: one altered digit is refused, and so is another key than the configured one', async () => {
    const bench = await open()
    const dearer = { '/v0/quote': (body: QuoteAnswer) => ({ ...body, quote: { ...body.quote, amountOut: '981362696' } }) }
    const altered = canned(nearIntents, changing(toldBy(bench.sim), dearer), { settings: bench.sim.settings })
    const otherKey = told(bench, {}, { settings: { PUBLIC_KEY: LIARS_KEY } })
    for (const { venue } of [altered, otherKey])
      expect((await refusalOf(venue.quote(bitcoinToBase(), never()))).message).toContain('signature')
  })

  test.each(['ed25519:', 'ed25519:0OIl', 'ed25519:abc', `ed25519:${'1'.repeat(200)}`])('%j is none', async (signature) => {
    const bench = await open()
    const spoilt = { '/v0/quote': (body: QuoteAnswer) => ({ ...body, signature }) }
    const { venue } = canned(nearIntents, changing(toldBy(bench.sim), spoilt), { settings: bench.sim.settings })
    expect((await refusalOf(venue.quote(bitcoinToBase(), never()))).kind).toBe('badResponse')
  })
})

describe('faults of the venue itself, properly signed', () => {
  test.each(['wrong-recipient', 'wrong-amount'] as const)('%s is refused at quote', async (fault) => {
    const bench = await open()
    bench.faults.set('near-intents', fault, {}, 1)
    expect((await refusalOf(bench.venue.quote(bitcoinToBase(), never()))).kind).toBe('badResponse')
  })

  test.each(['wrong-recipient', 'wrong-amount', 'bad-signature'] as const)('%s is refused at execute', async (fault) => {
    for (const order of [bitcoinToBase(), usdcToSolana()]) {
      const bench = await open()
      const offer = await bench.venue.quote(order, never())
      bench.faults.set('near-intents', fault, {}, null)
      expect((await refusalOf(bench.venue.execute({ order, offer }, order, never()))).kind).toBe('badResponse')
    }
  })

  test('wrong-contract, an address of the sender, never reaches the wallet', async () => {
    for (const order of [bitcoinToBase(), usdcToSolana()]) {
      const { venue, faults } = await open()
      const offer = await venue.quote(order, never())
      faults.set('near-intents', 'wrong-contract', {}, null)
      const outcome: readonly string[] = await venue.execute({ order, offer }, order, never()).then(
        (execution) => prove(venue, { order, offer, binding: order, execution }),
        ({ kind }: VenueError): readonly string[] => [kind],
      )
      expect([['badResponse'], ['deposit.owner']]).toContainEqual(outcome)
    }
  })

  test('wrong-minimum is declined by the rule for all offers at quote, and no proof at execute', async () => {
    for (const order of [bitcoinToBase(), usdcToSolana()]) {
      const { venue, clock, faults } = await open()
      const offer = await venue.quote(order, never())
      faults.set('near-intents', 'wrong-minimum', {}, null)
      const execution = await venue.execute({ order, offer }, order, never())
      expect(await prove(venue, { order, offer, binding: order, execution })).toEqual(['output.minimum'])
      const wide = await venue.quote(order, never())
      expect(() => checkOffer({ offer: wide, order, asked: order, profile: venue.profile, now: clock.now() })).toThrow(
        expect.objectContaining({ kind: 'noLiquidity', reason: 'boundTooWide' }),
      )
    }
  })
})

/** What the live venue was found to say, which its documents do not, or say otherwise. */
describe('a minimum', () => {
  const taken = async (minAmountOut: string) => {
    const { venue } = toldBySigner(await open(), ({ quote }) => Reflect.set(quote, 'minAmountOut', minAmountOut))
    return takenThrough(venue, bitcoinToBase())
  }
  // 981,362,695 expected, at 100 bps.
  test.each([
    ['rounded to fewer digits', '971549000'],
    ['with the withdrawal fee taken after the tolerance', '971548834'],
  ])('%s is taken, executed and proved', async (_what, minAmountOut) => {
    expect((await taken(minAmountOut)).offer.slippage?.guaranteedMin).toBe(BigInt(minAmountOut))
  })
  test('two basis points below what was asked for is a decline', async () => {
    expect(await refusalOf(taken('971352795'))).toMatchObject({ kind: 'noLiquidity', reason: 'boundTooWide' })
  })
})

describe('a deposit address', () => {
  test.each([
    [1, 'proved'],
    [3, 'proved'],
    [4, 'proved'],
    [14, 'proved'],
    [30, 'proved'],
    [31, 'deadline'],
  ])('that lives %i days is %s: the venue has changed it before', async (days, verdict) => {
    const bench = await open()
    const { venue } = toldBySigner(bench, ({ quoteRequest, quote }) => {
      const until = new Date(bench.clock.now() + days * DAY_MS).toISOString()
      if (quoteRequest['dry'] === false) Object.assign(quote, { deadline: until, timeWhenInactive: until })
    })
    const problems = await prove(venue, await swapOf(venue, bitcoinToBase()))
    expect(problems).toEqual(verdict === 'proved' ? [] : [verdict])
  })
})

describe('fee accounts', () => {
  const feesOf = async (...appFees: readonly (readonly [string, number])[]) =>
    toldBySigner(
      await open(),
      ({ quoteRequest }) =>
        Reflect.set(
          quoteRequest,
          'appFees',
          appFees.map(([recipient, fee]) => ({ recipient, fee })),
        ),
      { settings },
    )

  test('nobody knows are the venue’s own where no fee was asked for: the price is net of them, and the operator told', async () => {
    const { venue, notices } = await feesOf([NOBODYS_ACCOUNT, 20], ['partner.near', 5])
    const { offer } = await takenThrough(venue, bitcoinToBase())
    expect(offer).toMatchObject({ outputAmount: 981_362_695n, fee: { bps: 0, amount: 0n } })
    expect(new Set(notices)).toEqual(
      new Set([
        `a fee of 20 bps goes to ${NOBODYS_ACCOUNT}, which is neither our account nor known as the venue's`,
        "a fee of 5 bps goes to partner.near, which is neither our account nor known as the venue's",
      ]),
    )
  })

  test('nobody knows are refused where a fee was asked for: it may have been diverted, and the operator is told', async () => {
    const { venue, notices } = await feesOf([FEE_ACCOUNT, 20], [NOBODYS_ACCOUNT, 20])
    expect((await refusalOf(venue.quote(bitcoinToBase({ feeBps: 20 }), never()))).message).toContain('appFees')
    expect(notices).toEqual([expect.stringContaining(NOBODYS_ACCOUNT)])
  })

  test.each([[[[FEE_ACCOUNT, 0]]], [[]]] as const)('of ours that are left nothing of a small fee take none: %j', async (ours) => {
    const { venue, notices } = await feesOf(...ours, [VENUE_FEE_ACCOUNT, 20])
    expect((await takenThrough(venue, bitcoinToBase({ feeBps: 1 }))).offer.fee).toEqual({ bps: 0, amount: 0n })
    expect(notices).toEqual([])
  })
})
