import { expect, test } from 'vitest'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf } from '../../support/venueKit/calls.ts'
import cases from './cases.json' with { type: 'json' }
import { openBench, orders, refusing } from './support.ts'

const open = closedAfterEach(openBench)

/** Messages of the venue's own sources, of a question for 1,000 USDC. */
test.each(cases.said)('chainflip: error $message ($status) becomes $told', async ({ message, status, told }) => {
  const { venue } = refusing(await open(), '/v2/quote', status, { message })
  // A bound that contradicts its own refusal is not passed on.
  const refusal = Object.entries(told).map(([name, value]) => [name, /^\d+$/.test(String(value)) ? BigInt(String(value)) : value])
  expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject(Object.fromEntries(refusal))
})

const addressIssue = (address: string, chain: string) => ({
  issues: [{ code: 'custom', message: `Address "${address}" is not a valid "${chain}" address for "mainnet"`, path: [] }],
  name: 'ZodError',
})

test.each([
  ['too many channels', { message: 'too many channels' }, { kind: 'noLiquidity' }],
  ['its recipient', addressIssue(WALLETS.evmOther, 'Ethereum'), { kind: 'badRequest', party: 'recipient' }],
  ['its refund address', addressIssue(WALLETS.bitcoin, 'Bitcoin'), { kind: 'badRequest', party: 'refundTo' }],
  ['an unrelated address', addressIssue('bc1qxyz', 'Bitcoin'), { kind: 'badRequest', party: null }],
])('chainflip: classifies a deposit channel refused for %s', async (_what, body, refusal) => {
  const bench = await open()
  const order = orders.bitcoin()
  const offer = await bench.venue.quote(order, never())
  const { venue } = refusing(bench, '/api/openSwapDepositChannel', 400, body)
  expect(await refusalOf(venue.execute({ order, offer }, order, never()))).toMatchObject(refusal)
})

test('quote: the minimum and maximum of the simulated venue are reported with their amounts', async () => {
  const { venue } = await open()
  const of = (amount: bigint) => refusalOf(venue.quote(orders.bitcoin({ amount }), never()))
  expect(await of(1_000n)).toMatchObject({ kind: 'amountTooSmall', minimum: 4_066n })
  expect(await of(10n ** 12n)).toMatchObject({ kind: 'amountTooLarge', maximum: 2_032_520_326n })
})
