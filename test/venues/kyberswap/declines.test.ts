import { describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import type { Answer } from '../../support/venueKit/canned.ts'
import { BUILD, DAI_ETHEREUM, openBench, orders, ROUTES, STRANGER, told, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)

test.each<[string, VenueOrder, object]>([
  ['no such token', orders.usdc({ to: [1, STRANGER] }), { kind: 'unsupportedPair', message: '4011: token not found' }],
  ['a chain it is not on', orders.usdc({ from: [480, NATIVE], to: [480, STRANGER] }), { kind: 'unsupportedPair' }],
  ['two chains', orders.usdc({ to: [10, NATIVE] }), { kind: 'unsupportedPair' }],
  ['more than any pool holds', orders.usdc({ amount: 10n ** 13n }), { kind: 'noLiquidity', message: '4008: route not found' }],
  ['beyond the largest amount', orders.usdc({ amount: 10n ** 15n }), { kind: 'amountTooLarge' }],
  // What is too little has the code of what has no route.
  ['a single unit', orders.usdc({ from: [1, DAI_ETHEREUM], to: [1, USDC.ethereum], amount: 1n }), { kind: 'noLiquidity' }],
])('%s is declined', async (_name, order, refusal) => {
  const bench = await open({ settings: WITH_FEE })
  const declined = await refusalOf(bench.venue.quote(order, never()))
  expect(declined).toMatchObject({ isDecline: true, ...refusal })
})

const violation = (field: string) => ({
  details: [{ fieldViolations: [{ field, description: 'invalid' }] }],
  message: 'bad request',
})

/** By code, whatever HTTP says: as the API documents it, and as integrators saw it. */
describe.each([400, 422, 200, 500])('under HTTP %i', (status) => {
  const kinds = {
    badRequest: [4000, 4001, 4002, 4004, 40010, 40011],
    noLiquidity: [4003, 4008, 4010],
    amountTooSmall: [4005, 4007],
    amountTooLarge: [4009],
    unsupportedPair: [4011, 4221],
    unavailable: [4990, 500],
  }
  test.each<[number, string, string | null, object?]>([
    ...Object.entries(kinds).flatMap(([kind, codes]) => codes.map((code): [number, string, null] => [code, kind, null])),
    [4000, 'badRequest', 'slippageBps', violation('slippageTolerance')],
    [4000, 'badRequest', 'recipient', violation('recipient')],
    [4000, 'badRequest', 'sender', violation('origin')],
    [4000, 'badRequest', 'sender', { message: 7, details: [null, { fieldViolations: 'no' }, ...violation('origin').details] }],
  ])('code %i is %s of %s', async (code, kind, party, more = { message: 'no', details: null }) => {
    const bench = await open()
    const { venue } = told(bench, { instead: () => ({ status, body: { code, requestId: 'x', ...more } }) })
    expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject({ kind, party })
  })
})

test.each<[string, Answer, object]>([
  [
    'a code that nobody knows',
    { status: 422, body: { code: 4999, message: 'new' } },
    { kind: 'badResponse', nature: 'unexplained' },
  ],
  ['the same beside 200', { status: 200, body: { code: 4999, message: 'new' } }, { kind: 'badResponse', nature: 'unexplained' }],
  [
    'a path that it does not know',
    { status: 404, body: { message: 'Not Found', path: ROUTES } },
    { kind: 'badResponse', nature: 'unexplained' },
  ],
  ['no data', { body: { code: 0, data: null } }, { kind: 'rejected', check: 'kyberswapRoute' }],
  ['data of another name', { body: { code: 0, route: {} } }, { kind: 'rejected', check: 'kyberswapRoute' }],
  ['another page that is not there', { status: 404, body: '<html>' }, { kind: 'badResponse' }],
  ['too many requests', { status: 429, body: { code: 4008, message: 'slow down' } }, { kind: 'rateLimited' }],
  [
    'a key that is not taken',
    { status: 403, body: { code: 4000, message: 'no' } },
    { kind: 'unavailable', nature: 'keyRefused' },
  ],
])('%s', async (_name, answer, refusal) => {
  const { venue } = told(await open(), { instead: () => answer })
  expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject(refusal)
})

/** Answers to the question to build: the route has gone, or its makers have gone back on their prices. */
const STALE: readonly (readonly [string, Answer])[] = [
  ['4222', { status: 422, body: { code: 4222, message: 'quoted amount is smaller than estimated' } }],
  ['4227', { status: 422, body: { code: 4227, message: 'gas estimation failed: return amount is not enough' } }],
  ['4222 beside 200', { status: 200, body: { code: 4222, message: '' } }],
  ['a maker’s refusal', { status: 500, body: { code: 500, message: 'build failed: ErrRFQRateLimit' } }],
]

test.each(STALE)('a route that is refused with %s is asked for once more, without market makers', async (_name, refusal) => {
  const bench = await open()
  let refusals = 0
  const first = told(bench, { instead: ({ path }) => (path === BUILD && refusals++ === 0 ? refusal : null) })
  await swapOf(first.venue, orders.usdc({ slippageBps: 50 }))
  const questions = first.asked.map(({ path, query }) => [path, query.get('excludeRFQSources')])
  expect(questions).toEqual([
    [ROUTES, null],
    [ROUTES, null],
    [BUILD, null],
    [ROUTES, 'true'],
    [BUILD, null],
    // Without makers the price is worse: still within the tolerance, and held to what was quoted.
    [BUILD, null],
  ])
  const always = told(bench, { instead: ({ path }) => (path === BUILD ? refusal : null) })
  expect(await refusalOf(swapOf(always.venue, orders.usdc()))).toMatchObject({ kind: 'noLiquidity' })
  expect(always.asked).toHaveLength(5)
})
