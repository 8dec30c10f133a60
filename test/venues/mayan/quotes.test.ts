import { expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { refundCost } from '../../../engine/venues/mayan/published.ts'
import { checkId } from '../../../engine/venues/venueError.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { anOrder, assetOf, WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, offerOf, refusalOf } from '../../support/venueKit/calls.ts'
import cases from './cases.json' with { type: 'json' }
import { FORWARDER } from './fakeNetwork.ts'
import { ARB, FEE_RECIPIENT, openBench, orders, QUOTE, REFERRER, STRANGER, told, USDT_BSC, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)

/** 250 USDC less four basis points to protocol and driver, and 2.5 cents. */
const NET = 249_875_000n
const WITH_FEE_NET = NET - 375_000n

test.each<[string, VenueOrder, object]>([
  [
    'tokens',
    orders.usdc(),
    {
      venue: 'mayan',
      executionType: 'TRANSACTION',
      outputAmount: NET,
      fee: { bps: 0, amount: 0n },
      slippage: { isFirm: true, guaranteedMin: (NET * 9_950n) / 10_000n },
      gasUnits: null,
      spender: FORWARDER,
      nativeFee: 0n,
      estimatedTimeSeconds: 12,
      expiresAt: START_OF_TIME + 60_000,
      decimals: { input: 6, output: 6 },
      carry: { v: 1 },
    },
  ],
  [
    'net of the fee',
    orders.usdc({ feeBps: 15 }),
    { outputAmount: WITH_FEE_NET, fee: { bps: 15, amount: (WITH_FEE_NET * 15n) / 9_985n } },
  ],
  ['coins, without a spender', orders.ether(), { spender: null, decimals: { input: 18, output: 6 } }],
  ['from Solana', orders.fromSolana(), { spender: null, decimals: { input: 6, output: 18 } }],
  ['SOL', orders.sol(), { spender: null, decimals: { input: 9, output: 6 } }],
])('quote: the Mayan offer is exact: %s', async (_name, order, offer) => {
  const bench = await open({ settings: WITH_FEE })
  const quoted = await bench.venue.quote(order, never())
  expect(quoted).toMatchObject(offer)
  checkOffer({ offer: quoted, order, asked: order, profile: bench.venue.profile, now: START_OF_TIME })
})

test('quote: the minimum is rounded down to eight decimals, as orders count', async () => {
  const bench = await open()
  const { slippage, outputAmount } = await bench.venue.quote(orders.arb(), never())
  const bound = (outputAmount * 9_950n) / 10_000n
  expect(slippage?.guaranteedMin).toBe(bound - (bound % 10n ** 10n))
})

test('quote: sends Mayan chain names, zeros for coins, a Solana referrer, and requests Swift only', async () => {
  const bench = await open({ settings: WITH_FEE, apiKey: 'mayan-key-1234' })
  await bench.venue.quote(orders.toSol({ feeBps: 15, slippageBps: 75 }), never())
  const [asked] = bench.sent.filter(({ path }) => path === QUOTE)
  expect([asked?.method, asked?.query.toString()]).toEqual(['POST', 'apiKey=mayan-key-1234'])
  expect(asked?.headers['user-agent']).toContain('swap-service')
  expect(asked?.body).toEqual({
    ...{ amountIn64: '250000000', fromToken: USDC.base, fromChain: 'base' },
    ...{ toToken: '0x0000000000000000000000000000000000000000', toChain: 'solana', slippageBps: 75 },
    ...{ swift: true, mctp: false, fastMctp: false, wormhole: false, shuttle: false, monoChain: false },
    ...{ gasless: false, onlyDirect: false, fullList: true, guaranteedOutput: true, gasDrop: 0 },
    ...{ referrer: REFERRER, referrerBps: 15, destinationAddress: WALLETS.solana },
    solanaProgram: 'FC4eXxkyrMPTjiYUpp4EAnkmwMbQyZ6NDCh1kfLn6vsf',
    forwarderAddress: FORWARDER,
    sdkVersion: '15_2_0',
  })
})

test('quote: requests and reports no fee without a referrer or a fee recipient on the source chain', async () => {
  for (const [settings, order] of [
    [{}, orders.usdc({ feeBps: 15 })],
    [{ FEE_RECIPIENT }, orders.usdc({ feeBps: 15 })],
    [{ REFERRER }, orders.usdc({ feeBps: 15 })],
    [{ FEE_RECIPIENT }, orders.fromSolana({ feeBps: 15 })],
  ] as const) {
    const bench = await open({ settings })
    expect((await bench.venue.quote(order, never())).fee).toEqual({ bps: 0, amount: 0n })
    expect(bench.sent.at(-1)?.body).not.toHaveProperty('referrer')
  }
})

test('quote: sends no recipient when none is given', async () => {
  const bench = await open()
  const order = anOrder({ from: [8453, USDC.base], to: [-2, NATIVE_SOL], amount: 250_000_000n })
  await bench.venue.quote(order, never())
  expect(bench.sent.at(-1)?.body).not.toHaveProperty('destinationAddress')
})

test('quote: offers the best of several routes in any order, and ignores other kinds', async () => {
  const bench = await open()
  const { venue } = told(bench, {
    changes: {
      [QUOTE]: (body: { quotes: readonly object[] }) => ({
        ...body,
        quotes: [
          { type: 'WH' },
          { type: 'NEW' },
          null,
          { type: 'SWIFT', swiftVersion: 'V2' },
          { type: 'SWIFT', swiftVersion: 'V1' },
          ...body.quotes.toReversed(),
          { type: 'FAST_MCTP' },
        ],
      }),
    },
  })
  expect((await venue.quote(orders.usdc(), never())).outputAmount).toBe(NET)
})

type Body = { readonly quotes: readonly object[] }
const first = (field: string, value: unknown) => (body: object) => altered(body, `quotes.*.${field}`, value)

test.each(cases.answers as [string, string, unknown][])('quote: rejects an answer with %s: %s', async (what, field, value) => {
  const { venue } = told(await open(), { settings: WITH_FEE, changes: { [QUOTE]: first(field, value) } })
  const refusal = { kind: 'rejected', check: checkId(what) }
  expect(await refusalOf(venue.quote(orders.usdc({ feeBps: 15 }), never()))).toMatchObject(refusal)
})

test.each(cases.orders as [string, keyof typeof orders, object, object][])(
  'quote: %s is rejected, or not sold where documented [venue-mayan]',
  async (_what, name, change, refusal) => {
    const changes = { [QUOTE]: (body: Body) => ({ ...body, quotes: body.quotes.map((each) => ({ ...each, ...change })) }) }
    const { venue } = told(await open(), { changes })
    expect(await refusalOf(venue.quote(orders[name](), never()))).toMatchObject({ kind: 'rejected', ...refusal })
  },
)

const COSTS = 'what a refund costs'

test.each([
  ['1 % of the locked amount', orders.usdc(), 2_500_000n],
  ['what the network costs, where that is more', orders.usdc({ amount: 5_000_000n }), 100_000n],
  ['5 %, where the network costs more', orders.usdc({ amount: 1_000_000n }), 50_000n],
  ['what the network costs on Solana', orders.toSol({ amount: 100_000_000n }), 1_550_000n],
])('quote: rejects an order whose refund costs more than %s [venue-mayan]', async (_what, order, most) => {
  const bench = await open()
  const quoted = (fees: bigint) => {
    const cancel = first('cancelRelayerFee64', String(fees - 700n))
    const change = (body: object) => altered(cancel(body) as object, 'quotes.*.refundRelayerFee64', '700')
    return told(bench, { changes: { [QUOTE]: change } }).venue.quote(order, never())
  }
  expect(await quoted(most)).toMatchObject({ venue: 'mayan' })
  for (const fees of [most + 1n, (order.inputAmount * 99n) / 1_000n])
    expect(await refusalOf(quoted(fees))).toMatchObject({ reason: 'notSold', message: expect.stringContaining(COSTS) })
})

test('quote: counts the refund cost in dollars, ether and SOL, and as 0 in other tokens', () => {
  const weth = '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'
  expect(refundCost(assetOf(56, USDT_BSC), -2)).toBe(1_550_000_000_000_000_000n)
  expect(refundCost(assetOf(42161, weth), 1)).toBe(1_025_000_000_000_000n)
  expect(refundCost(assetOf(42161, ARB), 1)).toBe(0n)
  expect([refundCost(assetOf(8453, NATIVE), 1), refundCost(assetOf(-2, NATIVE_SOL), 1)]).toEqual([
    1_025_000_000_000_000n,
    35_000_000n,
  ])
})

test('quote: rejects a quote signed by another account, names it, and accepts each configured signer [venue-mayan]', async () => {
  const bench = await open()
  const own = bench.sim.settings?.['QUOTE_SIGNER'] ?? ''
  const signed = (change: (body: object) => unknown, signers = own) =>
    told(bench, { isSigned: true, settings: { QUOTE_SIGNER: signers }, changes: { [QUOTE]: change as never } }).venue.quote(
      orders.usdc(),
      never(),
    )
  for (const signers of [own, `${STRANGER}, ${own}`]) expect((await signed((body) => body, signers)).outputAmount).toBe(NET)
  const refused = await refusalOf(signed((body) => body, STRANGER))
  expect([refused.kind, refused.message]).toEqual(['rejected', expect.stringContaining(own)])
  for (const change of [first('etaSeconds', 13), first('meta.title', 'Worst'), first('signature', `0x${'1b'.repeat(65)}`)])
    expect(await refusalOf(signed(change))).toMatchObject({
      kind: 'rejected',
      message: expect.stringMatching(/that (0x[0-9a-fA-F]{40}|nobody) signed/),
    })
  bench.faults.set('mayan', 'bad-signature', {}, null)
  expect((await refusalOf(bench.venue.quote(orders.usdc(), never()))).message).toContain('signed')
})

test('quote: rejects a quote without a signature only when REQUIRE_SIGNATURE is true', async () => {
  const bench = await open()
  const quoted = (settings: { readonly [name: string]: string }) => told(bench, { settings }).venue.quote(orders.usdc(), never())
  for (const settings of [{}, { REQUIRE_SIGNATURE: 'false' }]) expect((await quoted(settings)).outputAmount).toBe(NET)
  const refused = await refusalOf(quoted({ REQUIRE_SIGNATURE: 'true' }))
  expect([refused.kind, refused.message]).toEqual(['rejected', expect.stringContaining('without a signature')])
})

test('quote: an exchange before the order is not sold without comparable prices, or rejected when worth too little', async () => {
  const bench = await open()
  // POL is exchanged into dollars, which nobody can hold against SOL.
  const order = orders.pol({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana })
  expect(await refusalOf(offerOf(bench.venue, order))).toMatchObject({ kind: 'unsupportedPair', reason: 'notSold' })
  const thin = told(bench, { changes: { [QUOTE]: first('minMiddleAmount', 390) } })
  expect((await refusalOf(offerOf(thin.venue, orders.pol()))).kind).toBe('rejected')
})

test('quote: leaves a tenfold output to the race, by the decimals on chain', async () => {
  const bench = await open()
  const { venue } = told(bench, { changes: { [QUOTE]: first('toToken.decimals', 18) } })
  const offer = await venue.quote(orders.usdc(), never())
  expect([offer.outputAmount, offer.decimals]).toEqual([NET, { input: 6, output: 18 }])
})
