import { expect, test } from 'vitest'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf } from '../../support/venueKit/calls.ts'
import { openBench, orders, refusing } from './support.ts'

const open = closedAfterEach(openBench)

/** Messages of the venue's own sources, of a question for 1,000 USDC. */
const SAID: readonly { readonly message: string; readonly status: number; readonly told: object }[] = [
  {
    message: 'expected amount is below minimum swap amount (2000000000)',
    status: 400,
    told: { kind: 'amountTooSmall', minimum: 2_000_000_000n },
  },
  // A bound that contradicts its own refusal is not passed on.
  { message: 'expected amount is below minimum swap amount (5)', status: 400, told: { kind: 'amountTooSmall', minimum: null } },
  { message: 'expected amount is above maximum swap amount (500)', status: 400, told: { kind: 'amountTooLarge', maximum: 500n } },
  {
    message: 'amount is lower than estimated ingress fee (1000000001)',
    status: 400,
    told: { kind: 'amountTooSmall', minimum: 1_000_000_001n },
  },
  { message: 'swap amount is lower than ingress fee', status: 400, told: { kind: 'amountTooSmall' } },
  {
    message: 'swap output amount is lower than the egress fee (77)',
    status: 400,
    told: { kind: 'amountTooSmall', minimum: null },
  },
  {
    message: 'egress amount (5) is lower than minimum egress amount (7)',
    status: 400,
    told: { kind: 'amountTooSmall', minimum: null },
  },
  { message: 'insufficient liquidity for requested amount', status: 400, told: { kind: 'noLiquidity' } },
  { message: 'insufficient liquidity for the requested amount', status: 400, told: { kind: 'noLiquidity' } },
  { message: 'InsufficientLiquidity', status: 500, told: { kind: 'noLiquidity' } },
  { message: 'Requested assets cannot be swapped', status: 400, told: { kind: 'unsupportedPair' } },
  { message: 'invalid request', status: 400, told: { kind: 'badRequest' } },
  { message: 'Asset ArbUsdc is disabled', status: 503, told: { kind: 'noLiquidity' } },
  { message: 'Deposits are unavailable due to maintenance', status: 503, told: { kind: 'noLiquidity' } },
  { message: 'Too many requests, please try again later', status: 429, told: { kind: 'rateLimited' } },
  { message: 'unknown error', status: 500, told: { kind: 'unavailable' } },
  { message: 'something new', status: 400, told: { kind: 'badRequest' } },
]

test.each(SAID)('$message ($status) is $told', async ({ message, status, told }) => {
  const { venue } = refusing(await open(), '/v2/quote', status, { message })
  expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject(told)
})

const addressIssue = (address: string, chain: string) => ({
  issues: [{ code: 'custom', message: `Address "${address}" is not a valid "${chain}" address for "mainnet"`, path: [] }],
  name: 'ZodError',
})

test.each([
  ['too many channels', { message: 'too many channels' }, { kind: 'noLiquidity' }],
  ['the recipient', addressIssue(WALLETS.evmOther, 'Ethereum'), { kind: 'badRequest', party: 'recipient' }],
  ['the refund address', addressIssue(WALLETS.bitcoin, 'Bitcoin'), { kind: 'badRequest', party: 'refundTo' }],
  ['an address of nobody here', addressIssue('bc1qxyz', 'Bitcoin'), { kind: 'badRequest', party: null }],
])('a channel that is refused for %s', async (_what, body, refusal) => {
  const bench = await open()
  const order = orders.bitcoin()
  const offer = await bench.venue.quote(order, never())
  const { venue } = refusing(bench, '/api/openSwapDepositChannel', 400, body)
  expect(await refusalOf(venue.execute({ order, offer }, order, never()))).toMatchObject(refusal)
})

test('the least and the most that the simulated venue takes are told with their figures', async () => {
  const { venue } = await open()
  const of = (amount: bigint) => refusalOf(venue.quote(orders.bitcoin({ amount }), never()))
  expect(await of(1_000n)).toMatchObject({ kind: 'amountTooSmall', minimum: 4_066n })
  expect(await of(10n ** 12n)).toMatchObject({ kind: 'amountTooLarge', maximum: 2_032_520_326n })
})
