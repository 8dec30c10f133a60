import { describe, expect, test } from 'vitest'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, prove, refusalOf, swapOf, takenThrough } from '../../support/venueKit/calls.ts'
import { canned, changing, toldBy } from '../../support/venueKit/canned.ts'
import otherAnswers from './otherAnswers.json' with { type: 'json' }
import {
  BASE_USDC_ID,
  bitcoinToBase,
  FEE_ACCOUNT,
  LIARS_KEY,
  MINUTE_MS,
  NOBODYS_ACCOUNT,
  openBench,
  type QuoteAnswer,
  told,
  toldBySigner,
  usdcToSolana,
  VENUE_FEE_ACCOUNT,
} from './support.ts'

const open = closedAfterEach(openBench)
const DAY_MS = 24 * 60 * MINUTE_MS
const settings = { FEE_ACCOUNT, CHAIN_CODES: '8453=base2' }

/** The dry answer changed, and unsigned, so that the check of what was changed is what refuses it. */
const quotedWith = async (change: (answer: QuoteAnswer) => QuoteAnswer | undefined) =>
  told(await open(), { quote: change }, { settings }).venue.quote(bitcoinToBase({ feeBps: 20 }), never())

test('quote: accepts the unaltered answer used below', async () => {
  expect((await quotedWith(() => undefined)).outputAmount).toBe(979_395_975n)
})

const spoilt = Object.entries(otherAnswers.spoilt).flatMap(([field, values]) => values.map((value) => [field, value] as const))
test.each(spoilt)('quote: rejects an answer to another request: %s as %j', async (field, value) => {
  expect((await refusalOf(quotedWith((answer) => altered(answer, field, value)))).kind).toBe('rejected')
})

test.each(otherAnswers.assetIds)('quote: %s as %s rejects orders of that asset, and reports the id', async (field, found) => {
  const refusal = await refusalOf(quotedWith((answer) => altered(answer, `quoteRequest.${field}`, found)))
  expect(refusal).toMatchObject({ kind: 'rejected', check: 'assetId', found })
})

describe('quote: accepts an equivalent answer', () => {
  test.each([
    ['originAsset', 'nep141:btc.omft.near'],
    ['originAsset', '1cs_v1:btc:native:coin'],
    ['destinationAsset', '1cs_v1:base:erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
    ['destinationAsset', '1cs_v1:base2:erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
    ['destinationAsset', BASE_USDC_ID],
  ])('with another id of the same asset, since the venue moves assets between bridges: %s %s', async (field, id) => {
    expect((await quotedWith((answer) => altered(answer, `quoteRequest.${field}`, id))).outputAmount).toBe(979_395_975n)
  })

  test('with a higher minimum, another address spelling or added default values', async () => {
    const { slippage, estimatedTimeSeconds } = await quotedWith(({ quoteRequest, quote }) => {
      Object.assign(quote, { minAmountOut: '969602016', timeEstimate: -1, withdrawFee: null })
      Object.assign(quoteRequest, { recipient: String(quoteRequest['recipient']).toLowerCase() })
      Object.assign(quoteRequest, { depositMode: null, quoteWaitingTimeMs: 0, insured: false, confidentiality: 'public' })
      Object.assign(quoteRequest, { referral: null, virtualChainRecipient: null })
    })
    expect([slippage?.guaranteedMin, estimatedTimeSeconds]).toEqual([969_602_016n, null])
  })
})

describe('quote: the signature of a dry quote', () => {
  test('covers the price: rejects one altered digit or another key', async () => {
    const bench = await open()
    const dearer = { '/v0/quote': (body: QuoteAnswer) => altered(body, 'quote.amountOut', '981362696') }
    const otherPrice = canned(nearIntents, changing(toldBy(bench.sim), dearer), { settings: bench.sim.settings })
    const otherKey = told(bench, {}, { settings: { PUBLIC_KEY: LIARS_KEY } })
    for (const { venue } of [otherPrice, otherKey])
      expect((await refusalOf(venue.quote(bitcoinToBase(), never()))).message).toContain('signature')
  })

  test.each(['ed25519:', 'ed25519:0OIl', 'ed25519:abc', `ed25519:${'1'.repeat(200)}`])('%j is invalid', async (signature) => {
    const { sim } = await open()
    const unsigned = { '/v0/quote': (body: QuoteAnswer) => ({ ...body, signature }) }
    const { venue } = canned(nearIntents, changing(toldBy(sim), unsigned), { settings: sim.settings })
    expect((await refusalOf(venue.quote(bitcoinToBase(), never()))).kind).toBe('rejected')
  })
})

/** Refused by the adapter where its answer is about something else, and by the proof where it is only another deposit. */
describe.each([bitcoinToBase, usdcToSolana])('near-intents: correctly signed faults of the venue (%#)', (order) => {
  test.each([
    ['wrong-recipient', /^rejected$/, /^rejected$/],
    ['wrong-amount', /^rejected$/, /^rejected$/],
    ['bad-signature', /^rejected$/, /^rejected$/],
    // An address of the sender, where one is opened.
    ['wrong-contract', /^$/, /^badResponse$|^deposit\.owner$/],
    ['wrong-minimum', /^noLiquidity$/, /^output\.minimum$/],
  ] as const)('%s: at quote %s, at execute %s', async (fault, atQuote, atExecute) => {
    const { venue, clock, faults } = await open()
    const sealed = { order: order(), binding: order(), offer: await venue.quote(order(), never()) }
    faults.set('near-intents', fault, {}, null)
    const kindOf = (work: Promise<readonly string[]>) =>
      work.catch((error: unknown) => (error instanceof VenueError ? [error.kind] : Promise.reject(error)))
    const quote = async () => {
      const offer = await venue.quote(order(), never())
      checkOffer({ ...{ offer, order: order(), asked: order() }, profile: venue.profile, now: clock.now() })
      return []
    }
    const execute = async () => prove(venue, { ...sealed, execution: await venue.execute(sealed, order(), never()) })
    expect((await kindOf(quote())).join()).toMatch(atQuote)
    expect((await kindOf(execute())).join()).toMatch(atExecute)
  })
})

/** What the live venue was found to say, which its documents do not, or say otherwise. */
describe('quote: a minimum', () => {
  const taken = async (minAmountOut: string) => {
    const { venue } = toldBySigner(await open(), (answer) => altered(answer, 'quote.minAmountOut', minAmountOut))
    return takenThrough(venue, bitcoinToBase())
  }
  // 981,362,695 expected, at 100 bps.
  test.each([
    ['rounded to fewer digits', '971549000'],
    ['with the withdrawal fee taken after the tolerance', '971548834'],
  ])('%s is accepted, executed and proved', async (_what, minAmountOut) => {
    expect((await taken(minAmountOut)).offer.slippage?.guaranteedMin).toBe(BigInt(minAmountOut))
  })
  test('two basis points below the requested one is declined', async () => {
    expect(await refusalOf(taken('971352795'))).toMatchObject({ kind: 'noLiquidity', reason: 'boundTooWide' })
  })
})

test.each([1, 3, 14, 30, 31])('execute: accepts a deposit address with a lifetime of %i days, up to 30', async (days) => {
  const bench = await open()
  const { venue } = toldBySigner(bench, ({ quoteRequest, quote }) => {
    const until = new Date(bench.clock.now() + days * DAY_MS).toISOString()
    if (quoteRequest['dry'] === false) Object.assign(quote, { deadline: until, timeWhenInactive: until })
  })
  expect(await prove(venue, await swapOf(venue, bitcoinToBase()))).toEqual(days > 30 ? ['deadline'] : [])
})

describe('near-intents fee accounts', () => {
  const feesOf = async (...fees: readonly (readonly [string, number])[]) => {
    const appFees = fees.map(([recipient, fee]) => ({ recipient, fee }))
    return toldBySigner(await open(), (answer) => altered(answer, 'quoteRequest.appFees', appFees), { settings })
  }

  test('unknown to us belong to the venue when no fee was requested: the price is net of them, and logged', async () => {
    const { venue, notices } = await feesOf([NOBODYS_ACCOUNT, 20], ['partner.near', 5])
    const { offer } = await takenThrough(venue, bitcoinToBase())
    expect(offer).toMatchObject({ outputAmount: 981_362_695n, fee: { bps: 0, amount: 0n } })
    const told = (bps: number, account: string) =>
      `a fee of ${bps} bps goes to ${account}, which is neither our account nor known as the venue's`
    expect(new Set(notices)).toEqual(new Set([told(20, NOBODYS_ACCOUNT), told(5, 'partner.near')]))
  })

  test('unknown to us reject the quote when a fee was requested, and are logged', async () => {
    const { venue, notices } = await feesOf([FEE_ACCOUNT, 20], [NOBODYS_ACCOUNT, 20])
    expect((await refusalOf(venue.quote(bitcoinToBase({ feeBps: 20 }), never()))).message).toContain('appFees')
    expect(notices).toEqual([expect.stringContaining(NOBODYS_ACCOUNT)])
  })

  test.each([[[[FEE_ACCOUNT, 0]]], [[]]] as const)('of ours with a zero share of a small fee take no fee: %j', async (ours) => {
    const { venue, notices } = await feesOf(...ours, [VENUE_FEE_ACCOUNT, 20])
    expect((await takenThrough(venue, bitcoinToBase({ feeBps: 1 }))).offer.fee).toEqual({ bps: 0, amount: 0n })
    expect(notices).toEqual([])
  })
})
