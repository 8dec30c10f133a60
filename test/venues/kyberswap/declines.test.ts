import { describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import type { Answer } from '../../support/venueKit/canned.ts'
import table from './declines.json' with { type: 'json' }
import { BUILD, DAI_ETHEREUM, openBench, orders, ROUTES, STRANGER, told, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)

test.each<[string, VenueOrder, object]>([
  ['an unknown token', orders.usdc({ to: [1, STRANGER] }), { kind: 'unsupportedPair', message: '4011: token not found' }],
  ['a chain it is not on', orders.usdc({ from: [480, NATIVE], to: [480, STRANGER] }), { kind: 'unsupportedPair' }],
  ['two chains', orders.usdc({ to: [10, NATIVE] }), { kind: 'unsupportedPair' }],
  ['more than any pool holds', orders.usdc({ amount: 10n ** 13n }), { kind: 'noLiquidity', message: '4008: route not found' }],
  ['beyond the largest amount', orders.usdc({ amount: 10n ** 15n }), { kind: 'amountTooLarge' }],
  // What is too little has the code of what has no route.
  ['a single unit', orders.usdc({ from: [1, DAI_ETHEREUM], to: [1, USDC.ethereum], amount: 1n }), { kind: 'noLiquidity' }],
])('quote: the simulated KyberSwap declines %s', async (_name, order, refusal) => {
  const bench = await open({ settings: WITH_FEE })
  const declined = await refusalOf(bench.venue.quote(order, never()))
  expect(declined).toMatchObject({ isDecline: true, ...refusal })
})

type Row = readonly [what: string, answer: Answer, refusal: object]
type Code = [code: number, kind: string, party: string | null, more?: object]

/** By code, whatever HTTP says: as the API documents it, and as integrators saw it. */
describe.each([400, 422, 200, 500])('kyberswap: an error with HTTP %i', (status) => {
  test.each<Code>([
    ...Object.entries(table.codes).flatMap(([kind, codes]) => codes.map((code): Code => [code, kind, null])),
    ...(table.parties as unknown as readonly Code[]),
  ])('and code %i is %s of %s', async (code, kind, party, more = { message: 'no', details: null }) => {
    const bench = await open()
    const { venue } = told(bench, { instead: () => ({ status, body: { code, requestId: 'x', ...more } }) })
    expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject({ kind, party })
  })
})

test.each(table.answers as unknown as readonly Row[])('quote: maps %s to an error kind', async (_what, answer, refusal) => {
  const { venue } = told(await open(), { instead: () => answer })
  expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject(refusal)
})

/** Answers to the question to build: the route has gone, or its makers have gone back on their prices. */
const STALE = table.stale as unknown as readonly (readonly [string, Answer])[]
test.each(STALE)('execute: requests a route refused with %s once more without market makers', async (_name, refusal) => {
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
