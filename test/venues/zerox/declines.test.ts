import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseConfig } from '../../../engine/config/config.ts'
import type { VenueErrorKind } from '../../../engine/venues/venueError.ts'
import { createTestEngine } from '../../support/testEngine.ts'
import { alteredBy, never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import type { Answer } from '../../support/venueKit/canned.ts'
import table from './declines.json' with { type: 'json' }
import { DAI, GASLESS, GASLESS_PRICE, openBench, orders, refusing, told, type ZeroxBench } from './support.ts'

let bench: ZeroxBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const declined = (answer: Answer) => refusalOf(told(bench, { instead: () => answer }).venue.quote(orders.ether(), never()))

describe('quote: a 0x refusal', () => {
  const named = (names: string, status: number, kind: VenueErrorKind, party: string | null = null) =>
    names.split(' ').map((name) => [name, { status }, kind, party] as const)
  const field = (name: string) => ({ details: [{ field: name, reason: 'no' }] })

  test.each<readonly [string, Parameters<typeof refusing>[1], VenueErrorKind, string | null]>([
    ['INPUT_INVALID', field('gasPrice'), 'badRequest', null],
    ['INPUT_INVALID', field('taker'), 'badRequest', 'sender'],
    ['INPUT_INVALID', field('recipient'), 'badRequest', 'recipient'],
    ['INPUT_INVALID', field('slippageBps'), 'badRequest', 'slippageBps'],
    ['TOKEN_NOT_SUPPORTED', { token: DAI }, 'unsupportedPair', null],
    ...named('INPUT_INVALID SWAP_VALIDATION_FAILED', 400, 'badRequest'),
    ...named('TOKEN_PAIR_NOT_SUPPORTED', 400, 'unsupportedPair'),
    ...named('BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE', 422, 'unsupportedPair'),
    ...named('TAKER_NOT_AUTHORIZED_FOR_TRADE XSTOCKS_NOT_AUTHORIZED', 403, 'badRequest', 'sender'),
    ...named('RECIPIENT_NOT_SUPPORTED RECIPIENT_NOT_AUTHORIZED_FOR_TRADE', 403, 'badRequest', 'recipient'),
    ...named('UNABLE_TO_CALCULATE_GAS_FEE', 400, 'noLiquidity'),
    ...named('INSUFFICIENT_BALANCE SMART_WALLET_NOT_SUPPORTED', 400, 'badRequest', 'sender'),
    ...named('INTERNAL_SERVER_ERROR UNCATEGORIZED', 500, 'unavailable'),
    ...named('SOMETHING_NEW', 400, 'badResponse'),
    ...named('SOMETHING_NEW', 503, 'unavailable'),
    ...named('UNABLE_TO_CALCULATE_GAS_FEE', 429, 'rateLimited'),
  ])('%s %o is %s', async (name, data, kind, party) => {
    expect(await declined(refusing(name, data))).toMatchObject({ kind, party })
  })

  test('with HTTP 401 or 403 is about our API key, unless it names a party', async () => {
    for (const answer of [
      refusing('USER_NOT_AUTHORIZED'),
      { status: 401, body: { message: 'Invalid authentication credentials' } },
      { status: 403, raw: '<html>' },
    ])
      expect(await declined(answer)).toMatchObject({ kind: 'unavailable', nature: 'keyRefused' })
  })
})

test('quote: missing liquidity is a decline, for a too large amount or a halted venue', async () => {
  expect((await refusalOf(bench.venue.quote(orders.ether({ amount: 10n ** 21n }), never()))).kind).toBe('noLiquidity')
  bench.faults.set('zerox', 'halt', {}, null)
  for (const order of [orders.ether(), orders.usdc()])
    expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe('noLiquidity')
})

test('quote: too small an amount is reported with the minimum when no transaction serves it either', async () => {
  const least = refusing('SELL_AMOUNT_TOO_SMALL', { minSellAmount: '10000000' })
  const none = { body: { liquidityAvailable: false, zid: '0x111111111111111111111111' } }
  const { venue } = told(bench, { instead: ({ path }) => (path === GASLESS_PRICE ? least : none) })
  const order = orders.usdc({ amount: 2_000_000n })
  expect(await refusalOf(venue.quote(order, never()))).toMatchObject({ kind: 'amountTooSmall', minimum: 10_000_000n })
  // A minimum below what was asked for contradicts its own refusal.
  const { minimum } = await refusalOf(venue.quote(orders.usdc(), never()))
  expect(minimum).toBeNull()
})

/** The header would bound what leaves, not what arrives. What is unknown is rejected first. */
test.each(table as unknown as readonly [string, string, object, object][])('execute: %s is not bought', async (...row) => {
  const [, path, changes, refusal] = row
  const { venue } = told(bench, { changes: { [path]: (body) => alteredBy(body, Object.entries(changes)) } })
  expect(await refusalOf(swapOf(venue, orders.ether()))).toMatchObject(refusal)
})

test('quote: a failure of the gasless API is a failure, without a fallback to a transaction', async () => {
  for (const troubled of [GASLESS_PRICE, GASLESS]) {
    const { venue } = told(bench, { instead: ({ path }) => (path === troubled ? { status: 502, raw: '' } : null) })
    expect((await refusalOf(venue.quote(orders.usdc(), never()))).kind).toBe('unavailable')
  }
})

describe('0x without an API key', () => {
  /** As is every other venue that needs one. */
  const KEYLESS = { NETWORK: 'mainnet', VENUES_ENABLED: 'cow,zerox' }

  test('is disabled on mainnet, reported at start and in health, and receives no request [health-venue-off-key]', async () => {
    expect(parseConfig(KEYLESS)).toMatchObject({ venuesWithoutKey: ['zerox'] })
    const asked: string[] = []
    const http = async ({ url }: { url: string }) => {
      asked.push(url)
      throw new Error('nobody answers')
    }
    const engine = await createTestEngine({ env: KEYLESS, http })
    expect(engine.reported('venue.off')).toEqual([
      { event: 'venue.off', venue: 'zerox', reason: 'VENUE_ZEROX_API_KEY is not set' },
    ])
    const { venues, isDegraded } = await engine.engine.health()
    expect(venues.at(-1)).toMatchObject({ id: 'zerox', name: '0x', trouble: null, off: 'keyMissing' })
    expect(isDegraded).toBe(false)
    await engine.engine.quote({ ...orders.ether(), unnamed: [] }, engine.context).catch(() => null)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((url) => url.includes('api.0x.org'))).toEqual([])
    await engine.close()
  })

  test('is enabled once a key is set', async () => {
    const engine = await createTestEngine({ env: { ...KEYLESS, VENUE_ZEROX_API_KEY: 'a-key' } })
    expect(engine.reported('venue.off')).toEqual([])
    expect((await engine.engine.health()).venues).toContainEqual(expect.objectContaining({ id: 'zerox', trouble: null }))
    await engine.close()
  })
})

test('execute: requests an answer below the quote once more with less slippage', async () => {
  const order = orders.ether()
  const offer = await bench.venue.quote(order, never())
  const before = bench.sent.length
  bench.market.setPrice('ETH', 3_940_000_000n)
  const execution = await bench.venue.execute({ order, offer }, order, never())
  const asked = bench.sent.slice(before).map(({ query }) => query.get('slippageBps'))
  expect(asked).toEqual(['50', '24'])
  expect(execution.slippage?.guaranteedMin).toBeGreaterThanOrEqual(offer.slippage?.guaranteedMin ?? 0n)
})

test('execute: keeps a quoted fee even when its recipient is no longer configured', async () => {
  const { order, offer, binding } = await swapOf(bench.venue, orders.ether())
  const { venue } = told(bench, { settings: {} })
  expect((await refusalOf(venue.execute({ order, offer }, binding, never()))).kind).toBe('unavailable')
})
