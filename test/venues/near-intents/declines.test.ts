import { expect, test } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { anOrder } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf } from '../../support/venueKit/calls.ts'
import { type Answer, canned, toldBy } from '../../support/venueKit/canned.ts'
import { bitcoinToBase, openBench, USDC, usdcToSolana } from './support.ts'

const open = closedAfterEach(openBench)

const refusedWith = async (answer: Answer) => {
  const { sim } = await open()
  const telling = toldBy(sim)
  const { venue } = canned(nearIntents, (asked) => (asked.path === '/v0/quote' ? answer : telling(asked)), {
    settings: sim.settings,
  })
  return refusalOf(venue.quote(bitcoinToBase(), never()))
}

const TOO_SMALL = { kind: 'amountTooSmall', minimum: null }
const BAD_REQUEST = { kind: 'badRequest', party: null, isDecline: true }
const OUT_OF_REACH = { kind: 'unavailable', isDecline: false }

/** Each message as reported, its status, and what it means here. The order is for 1,000,000 sat. */
test.each([
  ['Amount is too low for bridge, try at least 8000000', 400, { kind: 'amountTooSmall', minimum: 8_000_000n }],
  ['AMOUNT IS TOO LOW for bridge, try at least 1000001', 400, { kind: 'amountTooSmall', minimum: 1_000_001n }],
  ['Amount is too low for bridge, try at least 8000', 400, TOO_SMALL],
  ['Amount is too low for bridge, try at least 1000000', 400, TOO_SMALL],
  ['Amount is too low for bridge, try at least 2000000.5', 400, TOO_SMALL],
  ['Amount is too low for bridge, try at least -2000000', 400, TOO_SMALL],
  [`Amount is too low for bridge, try at least ${'9'.repeat(78)}`, 400, TOO_SMALL],
  ['Amount is too low for bridge', 400, TOO_SMALL],
  ['Temporary swap limits: minimum swap amount is $10', 400, TOO_SMALL],
  ['No liquidity available', 400, { kind: 'noLiquidity' }],
  ['Failed to get quote', 400, { kind: 'noLiquidity' }],
  ['Failed to get quote', 500, { kind: 'noLiquidity' }],
  ['Quote error. NO_QUOTE', 400, { kind: 'noLiquidity' }],
  ['Quoting for this pair is not available', 400, { kind: 'noLiquidity' }],
  ['tokenIn is not valid', 400, { kind: 'unsupportedPair' }],
  ['tokenOut is not valid', 400, { kind: 'unsupportedPair' }],
  ['BTC is not supported as origin asset', 400, { kind: 'unsupportedPair' }],
  ['recipient is not valid', 400, { kind: 'badRequest', party: 'recipient' }],
  ['Cant withdraw to exchange on base', 400, { kind: 'badRequest', party: 'recipient' }],
  ['refundTo is not valid', 400, { kind: 'badRequest', party: 'refundTo' }],
  ['Incorrect depositMode', 400, BAD_REQUEST],
  ['deadline must be in the future', 400, BAD_REQUEST],
  ['Internal server error', 400, BAD_REQUEST],
  ['Internal server error', 500, OUT_OF_REACH],
  ['WebSocket is not ready', 400, OUT_OF_REACH],
  ['WebSocket is not ready', 500, OUT_OF_REACH],
  // A swap that is screened is declined in the venue's own words, and is not held against it.
  ['recipient is not valid', 403, { kind: 'badRequest', party: 'recipient' }],
  ['something new', 403, BAD_REQUEST],
  ['This address is not eligible for swaps', 403, { ...BAD_REQUEST, message: 'This address is not eligible for swaps' }],
  // It is not mistaken for a key that is refused.
  ['Unauthorized', 401, OUT_OF_REACH],
  ['Invalid API key', 403, OUT_OF_REACH],
  ['JWT expired', 403, OUT_OF_REACH],
  ['Amount is too low for bridge, try at least 8000000', 429, { kind: 'rateLimited', minimum: null }],
  ['something new', 500, OUT_OF_REACH],
  ['something new', 404, { kind: 'badResponse' }],
])('"%s" with HTTP %i', async (message, status, expected) => {
  const body = { message, correlationId: '2f7b6a0e', path: '/v0/quote' }
  expect(await refusedWith({ status, body })).toMatchObject(expected)
})

test.each([
  ['an HTML page from the gateway', 521, '<html>Web server is down</html>', 'unavailable'],
  ['an HTML page with 400', 400, '<html>recipient is not valid</html>', 'badResponse'],
  ['an HTML page with 403', 403, '<html>Attention Required</html>', 'unavailable'],
  ['a text with 403', 403, '"<html>Attention Required</html>"', 'unavailable'],
  ['a list of messages', 400, '{"message":["amount must be a string"]}', 'badResponse'],
  ['a bare null', 400, 'null', 'badResponse'],
  ['a bare null with 403', 403, 'null', 'unavailable'],
  ['an empty body with 503', 503, '', 'unavailable'],
] as const)('%s', async (_name, status, raw, kind) => {
  expect((await refusedWith({ status, raw })).kind).toBe(kind)
})

test('a token the venue does not list is declined without asking for a price', async () => {
  const bench = await open()
  for (const order of [
    anOrder({ from: [8453, '0x4200000000000000000000000000000000000006'], to: [8453, USDC.base], amount: 10n ** 18n }),
    anOrder({ from: [8453, USDC.base], to: [1, '0x1111111111111111111111111111111111111111'], amount: 10n ** 9n }),
  ])
    expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe('unsupportedPair')
  expect(bench.sent.map(({ path }) => path)).toEqual(['/v0/tokens'])
})

test('the least amount the venue names is taken when asked for again', async () => {
  const { venue } = await open()
  const dust = await refusalOf(venue.quote(bitcoinToBase({ amount: 300n }), never()))
  expect(dust).toMatchObject({ kind: 'amountTooSmall', minimum: 5_000n, isDecline: true })
  expect((await venue.quote(bitcoinToBase({ amount: dust.minimum ?? 0n }), never())).outputAmount).toBeGreaterThan(0n)
})

test('more than the venue’s depth is no liquidity', async () => {
  const whale = anOrder({ from: [1, NATIVE], to: [8453, USDC.base], amount: 10n ** 24n })
  expect((await refusalOf((await open()).venue.quote(whale, never()))).kind).toBe('noLiquidity')
})

test('a key the venue does not take is our trouble, not the caller’s', async () => {
  const { venue } = await open({ apiKey: 'short' })
  expect(await refusalOf(venue.quote(bitcoinToBase(), never()))).toMatchObject(OUT_OF_REACH)
})

test('a halted venue has no liquidity, at quote and at execute, and is well again afterwards', async () => {
  const { venue, faults } = await open()
  const order = usdcToSolana()
  const offer = await venue.quote(order, never())
  for (const call of [() => venue.quote(order, never()), () => venue.execute({ order, offer }, order, never())]) {
    faults.set('near-intents', 'halt', {}, 1)
    expect((await refusalOf(call())).kind).toBe('noLiquidity')
    await call()
  }
})
