import { expect, test } from 'vitest'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import recordings from './recordings.json' with { type: 'json' }
import { ASGARD, INBOUND, openBench, orders, POOLS, REGISTER, SECOND, SETTINGS, STRANGER, told } from './support.ts'

const open = closedAfterEach(openBench)

test('quote: sells bitcoin only with a configured registration service, to every traded asset', async () => {
  const bench = await open()
  const off = told(bench, { settings: { ...SETTINGS, MEMOLESS_URL: null } }).venue
  expect([off.profile.serves(orders.bitcoin()), off.profile.serves(orders.ether()), off.bitcoinReach]).toEqual([
    false,
    true,
    null,
  ])
  expect((await refusalOf(off.quote(orders.bitcoin(), never()))).kind).toBe('unsupportedPair')
  const reach = bench.venue.bitcoinReach
  expect(await reach?.tokens(8453, never())).toContain(USDC.base)
  for (const chainId of [-1, 10] as const) expect(await reach?.tokens(chainId, never())).toEqual([])
  const halted = told(bench, { changes: { [POOLS]: (rows) => altered(rows, '*.trading_halted', true) } }).venue
  expect(await halted.bitcoinReach?.tokens(8453, never())).toEqual([])
})

test.each([
  ['the first', '', 1],
  ['the second', SECOND, '1'],
])('quote, execute and proof: bitcoin is declined while memoless deposits are halted at %s node', async (_what, node, halt) => {
  const bench = await open()
  const { venue, asked } = told(bench, { changes: { [`${node}/thorchain/mimir`]: () => ({ HALTMEMOLESS: halt }) } })
  const swap = await swapOf(bench.venue, orders.bitcoin())
  for (const call of [
    venue.quote(orders.bitcoin(), never()),
    venue.execute(swap, swap.binding, never()),
    venue.decode(swap.execution),
  ])
    expect((await refusalOf(call)).kind).toBe('noLiquidity')
  expect(asked.filter(({ path }) => path === REGISTER)).toEqual([])
  expect(await venue.bitcoinReach?.tokens(8453, never())).toEqual([])
})

test('quote and execute: ignore malformed rows of other chains', async () => {
  const foreign = [
    { chain: 'TON', address: 'EQB-_3', halted: 'no' },
    { chain: 'ADA', address: `addr1${'q'.repeat(98)}`, outbound_fee: 7 },
    { chain: 'BCH', address: 'bitcoincash:qz93s8d9hxhl7jaz69f3ashpwej6vclvnylpk6jqwg' },
    { asset: 'TON.TON', decimals: 'nine' },
    null,
  ]
  const withForeign = (rows: readonly unknown[]) => [...foreign, ...rows]
  const withRecorded = (rows: readonly unknown[]) => [...recordings.vaults, ...rows]
  const { venue } = told(await open(), {
    changes: { [INBOUND]: withForeign, [`${SECOND}${INBOUND}`]: withForeign, [POOLS]: withForeign, [ASGARD]: withRecorded },
  })
  for (const order of [orders.usdc(), orders.bitcoin()]) expect((await swapOf(venue, order)).offer.venue).toBe('thorchain')
})

const PARTIES = [
  ['sender', { chainId: 8453, address: WALLETS.evm }],
  ['refundTo', { chainId: 8453, address: STRANGER }],
  ['recipient', { chainId: 1, address: WALLETS.evmOther }],
] as const

test.each(PARTIES)('quote and execute: contract code at %s is declined', async (party, at) => {
  const chains = createFakeChains()
  const bench = await open({ chains })
  const order = orders.usdc({ refundTo: STRANGER })
  const swap = await swapOf(bench.venue, order)
  const asked = chains.calls.filter(({ method }) => method === 'code').map(({ query }) => query)
  // At the three addresses only, by the quote and again by the execution.
  expect(asked.slice(0, 3)).toEqual(PARTIES.map(([, where]) => where))
  expect(asked).toHaveLength(6)
  // A delegation of EIP-7702 is code as well.
  chains.script.code = async ({ chainId, address }) =>
    chainId === at.chainId && address === at.address ? `0xef0100${'11'.repeat(20)}` : '0x'
  for (const call of [bench.venue.quote(order, never()), bench.venue.execute(swap, swap.binding, never())])
    expect(await refusalOf(call)).toMatchObject({ kind: 'badRequest', party })
  chains.script.code = chainFails('unreachable', 8453)
  expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe('unavailable')
})
