import { expect, test } from 'vitest'
import { USDC } from '../../../scripts/client/tokens.ts'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import { renamed } from '../../support/renamed.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf } from '../../support/venueKit/calls.ts'
import { BY_ACROSS, BY_CCTP, FORWARDER, openBench, orders, QUOTE, STATUS, STRANGER, told } from './support.ts'
import tables from './tables.json' with { type: 'json' }

const open = closedAfterEach(openBench)
const GET = { method: 'GET', headers: {}, body: undefined, rawBody: '' }

test.each(tables.refusals as unknown as readonly (readonly [number, object, object])[])(
  'lifi: HTTP %i %j becomes %j',
  async (status, body, refusal) => {
    const { venue } = told(await open(), { instead: () => ({ status, body }) })
    expect(await refusalOf(venue.quote(orders.bridged(), never()))).toMatchObject(refusal)
  },
)

test.each([
  ['too little for a bridge', orders.bridged({ amount: 50_000n }), BY_ACROSS, 'amountTooSmall'],
  ["too little for Circle's", orders.bridged({ amount: 50_000n }), BY_CCTP, 'amountTooSmall'],
  ['too little for a fee', orders.usdc({ amount: 100n }), {}, 'amountTooSmall'],
  ['too much', orders.bridged({ amount: 5_000_000_000_000n }), BY_ACROSS, 'amountTooLarge'],
  ['more than pools hold', orders.usdc({ amount: 9_000_000_000_000n }), {}, 'noLiquidity'],
  ['an unknown token', orders.usdc({ to: [1, STRANGER] }), {}, 'unsupportedPair'],
  [
    'a chain without a facet',
    orders.bridged({ from: [43114, '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'], to: [324, STRANGER] }),
    {},
    'unsupportedPair',
  ],
  ['from Solana', orders.bridged({ from: [-2, USDC.solana], to: [8453, USDC.base] }), {}, 'unsupportedPair'],
] as const)('quote: the simulated LI.FI declines %s', async (_name, order, settings, kind) => {
  const bench = await open({ settings })
  expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe(kind)
})

test('quote: rejects a call of a bridge that the request did not allow', async () => {
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

test('quote: declines a new fee contract while the chain is unreachable, and sells it once the diamond names it', async () => {
  const chains = createFakeChains()
  const change = (body: object) => renamed(body, [[FORWARDER, STRANGER]])
  const { venue } = told(await open(), { chains, changes: { [QUOTE]: change } })
  chains.script.call = chainFails('unreachable', 8453)
  expect((await refusalOf(venue.quote(orders.bridged(), never()))).kind).toBe('noLiquidity')
  chains.script.call = async () => `0x${STRANGER.slice(2).padStart(64, '0')}`
  expect((await venue.quote(orders.bridged(), never())).outputAmount).toBeGreaterThan(0n)
})

test('simulated LI.FI: limits requests without a key and not with one, as the profile states', async () => {
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
  ['missing hash', {}],
  ['malformed hash', { txHash: '0x12' }],
  ['wallet of another swap', { txHash: `0x${'1'.repeat(64)}`, wallet: STRANGER }],
  ['unknown chain', { txHash: `0x${'1'.repeat(64)}`, fromChain: '999999' }],
])('simulated LI.FI: rejects a status request with a %s', async (_name, query) => {
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
test.each(tables.questions as unknown as readonly (readonly [object, number])[])(
  'simulated LI.FI: rejects %j with code %i',
  async (change, code) => {
    const { sim } = await open()
    const wish = Object.entries({ ...QUESTION, ...change }).filter((pair): pair is [string, string] => pair[1] !== null)
    expect((await sim.handle({ ...GET, path: QUOTE, query: new URLSearchParams(wish) })).body).toMatchObject({ code })
  },
)
