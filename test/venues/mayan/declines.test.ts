import { expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { anOrder } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import type { Answer } from '../../support/venueKit/canned.ts'
import cases from './cases.json' with { type: 'json' }
import { openBench, orders, QUOTE, told } from './support.ts'

const open = closedAfterEach(openBench)

test.each<[string, VenueOrder, object]>([
  ['one chain', anOrder({ from: [8453, USDC.base], to: [8453, NATIVE], amount: 10n ** 8n }), { kind: 'unsupportedPair' }],
  ['an unsupported chain', anOrder({ from: [480, NATIVE], to: [8453, NATIVE], amount: 10n ** 18n }), { kind: 'unsupportedPair' }],
  ['more than the liquidity', orders.usdc({ amount: 10n ** 13n }), { kind: 'noLiquidity' }],
  ['too little, with the minimum', orders.usdc({ amount: 100_000n }), { kind: 'amountTooSmall', minimum: 500_000n }],
  ['too little, without a minimum', orders.fromSolana({ amount: 100_000n }), { kind: 'amountTooSmall', minimum: null }],
])('quote: the simulated Mayan declines %s', async (_name, order, refusal) => {
  const bench = await open()
  expect(await refusalOf(bench.venue.quote(order, never()))).toMatchObject({ isDecline: true, ...refusal })
})

test.each(cases.declines as [string, Answer, object][])('quote: maps %s to an error kind', async (_name, answer, refusal) => {
  const { venue } = told(await open(), { instead: ({ path }) => (path === QUOTE ? answer : null) })
  expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject(refusal)
})

test.each([
  ['originActive', 30],
  ['destinationActive', 23],
] as const)('quote: a chain with %s off is declined without a request, and on again within a minute', async (side, wChainId) => {
  const bench = await open()
  let isOn = false
  let now = bench.clock.now()
  const switches = (body: { chains: readonly { wChainId: number }[] }) => ({
    chains: body.chains.map((chain) => (chain.wChainId === wChainId ? { ...chain, [side]: isOn } : chain)),
  })
  const { venue, asked } = told(bench, { changes: { '/init': switches as never }, now: () => now })
  expect((await refusalOf(venue.quote(orders.usdc(), never()))).kind).toBe('noLiquidity')
  expect(asked.some(({ path }) => path === QUOTE)).toBe(false)
  isOn = true
  now += 60_001
  // The old list serves while it is renewed.
  await refusalOf(venue.quote(orders.usdc(), never()))
  await new Promise(setImmediate)
  expect((await venue.quote(orders.usdc(), never())).venue).toBe('mayan')
  expect(asked.filter(({ path }) => path === '/init')).toHaveLength(2)
})

test('execute: returns nothing when the chain is halted or the price is gone since the quote', async () => {
  const bench = await open()
  const order = orders.ether({ slippageBps: 50 })
  const { offer } = await swapOf(bench.venue, order)
  bench.faults.set('mayan', 'halt', {}, null)
  expect((await refusalOf(bench.venue.execute({ order, offer }, order, never()))).kind).toBe('noLiquidity')
})
