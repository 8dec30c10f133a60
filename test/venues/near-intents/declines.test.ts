import { afterEach, expect, test } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder } from '../../support/anOrder.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import {
  aBench,
  againstAnswers,
  bitcoinToBase,
  executed,
  never,
  refOf,
  relayedFrom,
  trackedBy,
  USDC,
  usdcToSolana,
  venueErrorOf,
} from './support.ts'

let bench: VenueBench
afterEach(() => bench.close())

const refusedWith = async (status: number, body: unknown, raw?: string): Promise<VenueError> => {
  bench = await aBench()
  const relay = relayedFrom(bench, (_, answer) => answer)
  const { venue, close } = await againstAnswers((call) =>
    call.path === '/v0/quote' ? { status, body, ...(raw === undefined ? {} : { raw }) } : relay(call),
  )
  const error = await venueErrorOf(venue.quote(bitcoinToBase(), never()))
  await close()
  return error
}

/** Each message as reported, its status, and what it means here. The order is for 1,000,000 sat. */
test.each([
  ['Amount is too low for bridge, try at least 8000000', 400, { kind: 'amountTooSmall', minimum: 8_000_000n }],
  ['AMOUNT IS TOO LOW for bridge, try at least 1000001', 400, { kind: 'amountTooSmall', minimum: 1_000_001n }],
  ['Amount is too low for bridge, try at least 8000', 400, { kind: 'amountTooSmall', minimum: null }],
  ['Amount is too low for bridge, try at least 1000000', 400, { kind: 'amountTooSmall', minimum: null }],
  ['Amount is too low for bridge, try at least 2000000.5', 400, { kind: 'amountTooSmall', minimum: null }],
  ['Amount is too low for bridge, try at least -2000000', 400, { kind: 'amountTooSmall', minimum: null }],
  [`Amount is too low for bridge, try at least ${'9'.repeat(78)}`, 400, { kind: 'amountTooSmall', minimum: null }],
  ['Amount is too low for bridge', 400, { kind: 'amountTooSmall', minimum: null }],
  ['Temporary swap limits: minimum swap amount is $10', 400, { kind: 'amountTooSmall', minimum: null }],
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
  ['Incorrect depositMode', 400, { kind: 'badRequest', party: null }],
  ['deadline must be in the future', 400, { kind: 'badRequest', party: null }],
  ['Internal server error', 400, { kind: 'badRequest', party: null, isDecline: true }],
  ['Internal server error', 500, { kind: 'unavailable' }],
  ['WebSocket is not ready', 400, { kind: 'unavailable' }],
  ['WebSocket is not ready', 500, { kind: 'unavailable' }],
  ['Unauthorized', 401, { kind: 'unavailable' }],
  ['recipient is not valid', 403, { kind: 'badRequest', party: 'recipient' }],
  ['something new', 403, { kind: 'badRequest', party: null }],
  ['Amount is too low for bridge, try at least 8000000', 429, { kind: 'rateLimited', minimum: null }],
  ['something new', 500, { kind: 'unavailable' }],
  ['something new', 404, { kind: 'badResponse' }],
])('"%s" with HTTP %i', async (message, status, expected) => {
  expect(await refusedWith(status, { message, correlationId: '2f7b6a0e', path: '/v0/quote' })).toMatchObject(expected)
})

test.each([
  ['an HTML page from the gateway', 521, '<html>Web server is down</html>', 'unavailable'],
  ['an HTML page with 400', 400, '<html>recipient is not valid</html>', 'badResponse'],
  ['a list of messages', 400, '{"message":["amount must be a string"]}', 'badResponse'],
  ['a bare null', 400, 'null', 'badResponse'],
  ['an empty body with 503', 503, '', 'unavailable'],
] as const)('%s', async (_name, status, raw, kind) => {
  expect((await refusedWith(status, null, raw)).kind).toBe(kind)
})

test('a token the venue does not list is declined without asking for a price', async () => {
  bench = await aBench()
  const unlisted = anOrder({
    from: [8453, '0x4200000000000000000000000000000000000006'],
    to: [8453, USDC.base],
    amount: 10n ** 18n,
  })
  const unknownOutput = anOrder({
    from: [8453, USDC.base],
    to: [1, '0x1111111111111111111111111111111111111111'],
    amount: 10n ** 9n,
  })
  for (const order of [unlisted, unknownOutput])
    expect((await venueErrorOf(bench.venue.quote(order, never()))).kind).toBe('unsupportedPair')
  expect(bench.sent.map(({ path }) => path)).toEqual(['/v0/tokens'])
})

test('the least amount the venue names is taken when asked for again', async () => {
  bench = await aBench()
  const dust = await venueErrorOf(bench.venue.quote(bitcoinToBase({ amount: 300n }), never()))
  expect(dust).toMatchObject({ kind: 'amountTooSmall', minimum: 5_000n, isDecline: true })
  expect((await bench.venue.quote(bitcoinToBase({ amount: dust.minimum ?? 0n }), never())).outputAmount).toBeGreaterThan(0n)
})

test('more than the venue’s depth is no liquidity', async () => {
  bench = await aBench()
  const whale = anOrder({ from: [1, NATIVE], to: [8453, USDC.base], amount: 10n ** 24n })
  expect((await venueErrorOf(bench.venue.quote(whale, never()))).kind).toBe('noLiquidity')
})

test('a halted venue has no liquidity, and is well again afterwards', async () => {
  bench = await aBench()
  bench.faults.set('near-intents', 'halt', {}, 1)
  expect((await venueErrorOf(bench.venue.quote(bitcoinToBase(), never()))).kind).toBe('noLiquidity')
  expect((await bench.venue.quote(bitcoinToBase(), never())).outputAmount).toBeGreaterThan(0n)
})

test('a key the venue does not take is our trouble, not the caller’s', async () => {
  bench = await aBench({ apiKey: 'short' })
  expect(await venueErrorOf(bench.venue.quote(bitcoinToBase(), never()))).toMatchObject({ kind: 'unavailable', isDecline: false })
})

test('a route that is halted between quote and execute is declined at execute', async () => {
  bench = await aBench()
  const order = usdcToSolana()
  const offer = await bench.venue.quote(order, never())
  bench.faults.set('near-intents', 'halt', {}, 1)
  const binding = { recipient: order.recipient, refundTo: order.refundTo }
  expect((await venueErrorOf(bench.venue.execute({ order, offer }, binding, never()))).kind).toBe('noLiquidity')
})

test('trouble while tracking is trouble, never a state', async () => {
  bench = await aBench()
  const swap = await executed(bench.venue, usdcToSolana())
  for (const [fault, kind] of [
    ['http-429', 'rateLimited'],
    ['http-500', 'unavailable'],
    ['malformed-body', 'badResponse'],
  ] as const) {
    bench.faults.set('near-intents', fault, { path: '/v0/status' }, 1)
    expect(
      (await venueErrorOf(bench.venue.tracker?.track(refOf(swap), trackedBy(swap), never()) ?? Promise.resolve())).kind,
    ).toBe(kind)
  }
})
