import { expect, test } from 'vitest'
import { USDC } from '../../../scripts/client/tokens.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf } from '../../support/venueKit/calls.ts'
import { BY_ACROSS, BY_CCTP, openBench, orders, QUOTE, STATUS, STRANGER, told } from './support.ts'

const open = closedAfterEach(openBench)
const GET = { method: 'GET', headers: {}, body: undefined, rawBody: '' }

const tools = (...codes: readonly string[]) => ({
  filteredOut: [],
  failed: [
    {
      overallPath: 'a',
      subpaths: { a: codes.map((code) => ({ errorType: 'NO_QUOTE', code, tool: 'across', action: {}, message: code })) },
    },
  ],
})
const noQuote = (errors: unknown) => ({ message: 'No available quotes for the requested transfer', code: 1002, errors })

test.each([
  [404, noQuote(tools('AMOUNT_TOO_LOW', 'FEES_HIGHER_THAN_AMOUNT', 'FEES_HGHER_THAN_AMOUNT')), { kind: 'amountTooSmall' }],
  // Too small for one of them says nothing of the others.
  [404, noQuote(tools('AMOUNT_TOO_LOW', 'NO_POSSIBLE_ROUTE')), { kind: 'noLiquidity' }],
  [404, noQuote(tools('AMOUNT_TOO_HIGH')), { kind: 'amountTooLarge' }],
  [404, noQuote(tools('INSUFFICIENT_LIQUIDITY')), { kind: 'noLiquidity' }],
  [404, noQuote(tools('TOOL_TIMEOUT', 'RPC_ERROR')), { kind: 'unavailable' }],
  [404, noQuote(tools('DIFFERENT_RECIPIENT_NOT_SUPPORTED')), { kind: 'badRequest', party: 'recipient' }],
  [404, noQuote(tools()), { kind: 'noLiquidity' }],
  [404, noQuote({ filteredOut: [{ overallPath: '*', reason: 'x' }] }), { kind: 'noLiquidity' }],
  // As older answers have them.
  [404, noQuote([{ errorType: 'NO_QUOTE', code: 'AMOUNT_TOO_LOW', tool: 'x' }]), { kind: 'amountTooSmall' }],
  [404, noQuote('what'), { kind: 'badResponse', nature: 'unexplained' }],
  [404, { message: 'Not found', code: 1003 }, { kind: 'unsupportedPair' }],
  [404, { message: 'Not found' }, { kind: 'noLiquidity' }],
  [400, { message: '[ValidationError] /fromToken must be a valid token', code: 1011 }, { kind: 'unsupportedPair' }],
  [400, { message: '[ValidationError] /toAddress is wrong', code: 1011 }, { kind: 'badRequest', party: 'recipient' }],
  [400, { message: '[ValidationError] /fromAddress is wrong', code: 1011 }, { kind: 'badRequest', party: 'sender' }],
  [400, { message: '[ValidationError] /slippage is wrong', code: 1011 }, { kind: 'badRequest', party: 'slippageBps' }],
  [400, { message: 'no', code: 1004 }, { kind: 'badRequest' }],
  [400, { message: 'no' }, { kind: 'badRequest' }],
  [409, { message: 'slipped', code: 1007 }, { kind: 'noLiquidity' }],
  [424, { message: 'a tool', code: 1008 }, { kind: 'unavailable' }],
  [500, { message: 'x', code: 1000 }, { kind: 'unavailable' }],
  [500, { message: 'x', code: 1001 }, { kind: 'unavailable' }],
  [500, { message: 'x', code: 1012 }, { kind: 'unavailable' }],
  [429, { message: 'Too many requests', code: 1005 }, { kind: 'rateLimited' }],
  [400, { message: 'Too many requests', code: 1005 }, { kind: 'rateLimited' }],
  [401, { message: 'Invalid API key', code: 1010 }, { kind: 'unavailable', nature: 'keyRefused' }],
  [400, { message: 'Invalid API key', code: 1010 }, { kind: 'unavailable', nature: 'keyRefused' }],
  [400, { message: 'x', code: 9999 }, { kind: 'badResponse', nature: 'unexplained' }],
])('%i %j is %j', async (status, body, refusal) => {
  const { venue } = told(await open(), { instead: () => ({ status, body }) })
  expect(await refusalOf(venue.quote(orders.bridged(), never()))).toMatchObject(refusal)
})

test.each([
  ['too little for a bridge', orders.bridged({ amount: 50_000n }), BY_ACROSS, 'amountTooSmall'],
  ["too little for Circle's", orders.bridged({ amount: 50_000n }), BY_CCTP, 'amountTooSmall'],
  ['too little for a fee', orders.usdc({ amount: 100n }), {}, 'amountTooSmall'],
  ['too much', orders.bridged({ amount: 5_000_000_000_000n }), BY_ACROSS, 'amountTooLarge'],
  ['more than pools hold', orders.usdc({ amount: 9_000_000_000_000n }), {}, 'noLiquidity'],
  ['no such token', orders.usdc({ to: [1, STRANGER] }), {}, 'unsupportedPair'],
  [
    'no facet goes there',
    orders.bridged({ from: [43114, '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'], to: [324, STRANGER] }),
    {},
    'unsupportedPair',
  ],
  ['from Solana', orders.bridged({ from: [-2, USDC.solana], to: [8453, USDC.base] }), {}, 'unsupportedPair'],
] as const)('the simulator declines: %s', async (_name, order, settings, kind) => {
  const bench = await open({ settings })
  expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe(kind)
})

test('a call of a bridge that was not allowed is not sold', async () => {
  const bench = await open()
  const { sim } = bench
  // It asks as it was asked, but for the bridges.
  const handle: typeof sim.handle = (asked) => {
    asked.query.set('allowBridges', 'across')
    return sim.handle(asked)
  }
  const [allowed, denied] = [
    told({ sim: { ...sim, handle } }, { settings: BY_ACROSS }),
    told({ sim: { ...sim, handle } }, { settings: BY_CCTP }),
  ]
  expect((await allowed.venue.quote(orders.bridged(), never())).outputAmount).toBeGreaterThan(0n)
  expect(await refusalOf(denied.venue.quote(orders.bridged(), never()))).toMatchObject({
    kind: 'rejected',
    check: 'aBridgeThatWasNotAllowed',
  })
})

test('without a key the limit is soon used up, with one it is not; the profile says so', async () => {
  const bench = await open()
  const keyless = told(bench, { settings: {} })
  expect(keyless.venue.profile.limits).toEqual({ requestsPerMinute: 100, statusPerMinute: 100 })
  const query = async () => bench.sim.handle({ ...GET, path: QUOTE, query: new URLSearchParams('fromChain=1') })
  for (let i = 0; i < 75; i += 1) expect((await query()).status).toBe(400)
  expect(await query()).toMatchObject({ status: 429, body: { code: 1005 } })
  bench.clock.advance(2 * 3_600_000)
  expect((await query()).status).toBe(400)
})

test.each([
  ['missing', {}],
  ['no hash', { txHash: '0x12' }],
  ['a stranger', { txHash: `0x${'1'.repeat(64)}`, wallet: STRANGER }],
  ['no chain', { txHash: `0x${'1'.repeat(64)}`, fromChain: '999999' }],
])('a question for a status with what is %s is refused', async (_name, query) => {
  const { sim } = await open()
  expect(await sim.handle({ ...GET, path: STATUS, query: new URLSearchParams(query as never) })).toMatchObject({
    status: 400,
    body: { code: 1011 },
  })
})

const QUESTION = {
  ...{ fromChain: '8453', toChain: '42161', fromToken: USDC.base, toToken: USDC.arbitrum, fromAmount: '250000000' },
  fromAddress: STRANGER,
}
test.each([
  [{ fromChain: undefined }, 1011],
  [{ fromChain: '5' }, 1011],
  [{ fromToken: STRANGER }, 1003],
  [{ fromToken: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' }, 1011],
  [{ fromAmount: '0' }, 1011],
  [{ fromAmount: '1.5' }, 1011],
  [{ fromAmountForGas: '0' }, 1011],
  [{ slippage: '1.1' }, 1011],
  [{ fee: '2', integrator: 'ourswap' }, 1011],
  [{ integrator: 'our swap' }, 1011],
  [{ fee: '0.001', integrator: 'nobody' }, 1011],
  [{ toChain: '1151111081099710', toToken: USDC.solana }, 1011],
  [{ toChain: '1151111081099710', toToken: USDC.solana, toAddress: STRANGER }, 1011],
  [{ toToken: USDC.base, toChain: '8453' }, 1011],
  [{ wallet: STRANGER }, 1011],
  [{ allowBridges: 'hop' }, 1002],
])('the simulator refuses %j with %i', async (change, code) => {
  const { sim } = await open()
  const wish = Object.entries({ ...QUESTION, ...change }).filter((pair): pair is [string, string] => pair[1] !== undefined)
  expect((await sim.handle({ ...GET, path: QUOTE, query: new URLSearchParams(wish) })).body).toMatchObject({ code })
})
