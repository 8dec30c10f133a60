import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, outcomeOf, refusalOf } from '../../support/venueKit/calls.ts'
import cases from './cases.json' with { type: 'json' }
import { BROKER, openBench, orders, pathsOf, told, VAULT, WITH_BROKER } from './support.ts'

const open = closedAfterEach(openBench)

test('quote: a vault call is offered to the unit, with its spender and input', async () => {
  const { venue, sent } = await open()
  expect(await venue.quote(orders.usdc(), never())).toEqual({
    venue: 'chainflip',
    executionType: 'TRANSACTION',
    // 1,000 dollars less 0.1 % for the network, 305 millionths of spread and depth, at 171.2 dollars, and a cent for sending.
    outputAmount: 5_833_440_419n,
    fee: { bps: 0, amount: 0n },
    // Two percent less: the fee for sending may be half as much again, and the price that is asked for makes up for it.
    slippage: { isFirm: true, guaranteedMin: 5_716_771_610n },
    gasUnits: 110_000n,
    spender: VAULT.arbitrum,
    nativeFee: 0n,
    estimatedTimeSeconds: 24,
    expiresAt: expect.any(Number),
    decimals: { input: 6, output: 9 },
    carry: { v: 1 },
  })
  expect(pathsOf(sent)).toEqual(['GET /api/networkInfo', 'GET /v2/quote'])
})

test('quote: coins need no spender, and without vault swaps or a vault a channel is offered', async () => {
  const { venue } = await open()
  expect(await venue.quote(orders.ether(), never())).toMatchObject({
    executionType: 'TRANSACTION',
    spender: null,
    gasUnits: 60_000n,
  })
  for (const order of [orders.usdt(), orders.bitcoin(), orders.sol()])
    expect(await venue.quote(order, never())).toMatchObject({ executionType: 'DEPOSIT', spender: null, gasUnits: null })
})

test('quote: any number of quotes opens no channel', async () => {
  const { venue, sent } = await open()
  for (const order of Object.values(orders)) for (let i = 0; i < 3; i += 1) await venue.quote(order(), never())
  expect([...new Set(pathsOf(sent))].sort()).toEqual(['GET /api/networkInfo', 'GET /v2/quote'])
})

describe('quote: the integrator fee of Chainflip', () => {
  test('is requested only with a configured broker, for vault calls, and up to the broker maximum', async () => {
    const [plain, ours] = [await open(), await open({ settings: WITH_BROKER })]
    expect((await plain.venue.quote(orders.usdc({ feeBps: 30 }), never())).fee).toEqual({ bps: 0, amount: 0n })
    const offer = await ours.venue.quote(orders.usdc({ feeBps: 30 }), never())
    expect(offer.fee).toEqual({ bps: 30, amount: (offer.outputAmount * 30n) / 9_970n })
    expect(ours.sent.at(-1)?.query.get('brokerCommissionBps')).toBe('30')
    expect((await ours.venue.quote(orders.bitcoin({ feeBps: 30 }), never())).fee.bps).toBe(0)
    expect((await ours.venue.quote(orders.usdc({ feeBps: 1_001 }), never())).fee.bps).toBe(0)
    const { profile } = ours.venue
    expect([profile.feeRecipient(orders.usdc()), profile.feeRecipient(orders.bitcoin())]).toEqual([BROKER, null])
  })
})

test.each(cases.answers as [string, string, unknown][])('quote: the check %s rejects an answer', async (check, field, value) => {
  const { venue } = told(await open(), { '/v2/quote': ([quote]: [object]) => [{ ...quote, [field]: value }] })
  expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject({ kind: 'rejected', check })
})

test('quote: uses the regular quote and ignores other quote types', async () => {
  const bench = await open()
  const { venue } = told(bench, {
    '/v2/quote': ([quote]: [{ isVaultSwap?: true }]) => [
      { ...quote, type: 'DCA', egressAmount: '9'.repeat(12) },
      null,
      { type: 'NEW' },
      { ...quote, isVaultSwap: quote.isVaultSwap ?? null },
    ],
  })
  expect((await venue.quote(orders.usdc(), never())).outputAmount).toBe(
    (await bench.venue.quote(orders.usdc(), never())).outputAmount,
  )
})

type Row = { asset: string } & Record<string, unknown>
const switching = (name: string, off: object) => ({
  '/api/networkInfo': ({ assets }: { assets: Row[] }) => ({
    assets: assets.map((row) => (row.asset === name ? { ...row, ...off } : row)),
  }),
})
const NO_CHANNELS = { depositChannelCreationEnabled: false }

test.each([
  ['as output', 'Sol', { egressEnabled: false }, 'noLiquidity'],
  ['as input by vault call and channel', 'ArbUsdc', { vaultSwapDepositsEnabled: false, ...NO_CHANNELS }, 'noLiquidity'],
  ['as input, missing in the list', 'ArbUsdc', { asset: 'Other' }, 'rejected'],
  ['for vault swaps only', 'ArbUsdc', { vaultSwapDepositsEnabled: false }, 'signed'],
  ['for channels only', 'ArbUsdc', NO_CHANNELS, 'signed'],
])('quote: a disabled asset is not offered: %s', async (_what, name, off, outcome) => {
  const { venue } = told(await open(), switching(name, off))
  expect(await outcomeOf(venue, orders.usdc())).toBe(outcome)
})

test('quote: an unlisted asset, or an asset for itself, is declined without a request', async () => {
  const { venue, sent } = await open()
  for (const [from, to] of [
    [
      [8453, NATIVE],
      [1, NATIVE],
    ],
    [
      [1, NATIVE],
      [1, '0x6B175474E89094C44Da98b954EedeAC495271d0F'],
    ],
    [
      [1, NATIVE],
      [1, NATIVE],
    ],
  ] as const) {
    const order = anOrder({ from, to, amount: 10n ** 18n })
    expect(venue.profile.serves(order)).toBe(false)
    expect((await refusalOf(venue.quote(order, never()))).kind).toBe('unsupportedPair')
  }
  expect(sent).toEqual([])
})

test('quote: native bitcoin is sold to every reachable asset while bitcoin is enabled', async () => {
  const bench = await open()
  const of = (venue: typeof bench.venue, chainId: 1 | 42161 | -1 | -2 | 8453) => venue.bitcoinReach?.tokens(chainId, never())
  expect(await of(bench.venue, 42161)).toHaveLength(3)
  expect(await of(bench.venue, -2)).toEqual([NATIVE_SOL, USDC.solana, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'])
  expect([await of(bench.venue, -1), await of(bench.venue, 8453)]).toEqual([[], []])
  expect(await of(told(bench, switching('Sol', { egressEnabled: false })).venue, -2)).toHaveLength(2)
  expect(await of(told(bench, switching('Btc', NO_CHANNELS)).venue, 1)).toEqual([])
})

test('quote: a slippage below the possible rise of fees is declined as too small an amount, without a request', async () => {
  const { venue } = await open()
  const order = orders.ether({ amount: 4n * 10n ** 15n, slippageBps: 100 })
  expect((await refusalOf(venue.quote(order, never()))).kind).toBe('amountTooSmall')
  expect(WALLETS.bitcoin).toBe(addressOf('bitcoin', order.recipient))
})
