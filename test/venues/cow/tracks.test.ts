import { expect, test } from 'vitest'
import { parseConfig } from '../../../engine/config/config.ts'
import { orderFor } from '../../../engine/quoting/tolerance.ts'
import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import { cow } from '../../../engine/venues/cow/venue.ts'
import { seenEvm } from '../../support/seenEvm.ts'
import { createTestEngine } from '../../support/testEngine.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, prove, refusalOf, signed, swapOf, track } from '../../support/venueKit/calls.ts'
import { venueWith } from '../everyVenue.ts'
import { endOf, etherToUsdc, openBench, placed, SETTINGS, sentBy, settled, usdcToWeth } from './support.ts'

/** What needs more than one adapter or more than one call. */

const open = closedAfterEach(openBench)
const OWN = {
  SETTLEMENT: '0xf553d092b50bdcbddeD1A99aF2cA29FBE5E2CB13',
  VAULT_RELAYER: '0xC7242d167563352E2BCA4d71C043fbe542DB8FB2',
  ETH_FLOW: '0x04501b9b1D52e67f6862d157E00D13419D2D6E95',
}

test('status: unfilled coins are expired until they come back, and the status names the call that returns them [venue-cow]', async () => {
  const { venue, sim, faults, clock } = await open()
  faults.set('cow', 'never-fills', {}, null)
  const swap = await swapOf(venue, etherToUsdc())
  const told = () => track(venue, swap.execution.venueRef ?? '', swap)
  sim.onTransaction(sentBy(swap))
  clock.advance(31 * 60_000)
  const { state, venueStatus } = await told()
  expect([state, venueStatus]).toEqual([
    'expired',
    expect.stringMatching(/^expired \(.*anyone can, by invalidateOrder of EthFlow 0x/),
  ])
  // A caller gets 256 characters, of which the status of the book may take 64.
  expect(`${'x'.repeat(64)}${venueStatus?.slice('expired'.length)}`.length).toBeLessThanOrEqual(256)
  const txHash = `0x${'d'.repeat(64)}`
  sim.onTransaction({ ...sentBy(swap), logs: Object.values(endOf(swap, null)), txHash })
  expect(await told()).toMatchObject({ state: 'refunded', txHash })
})

test('quote and submit: an answer of the simulator with a fault is rejected, and its price left to the race', async () => {
  const { venue, faults } = await open()
  const quote = () => venue.quote(usdcToWeth({ feeBps: 0 }), never())
  const { outputAmount } = await quote()
  const failing = (fault: FaultName) => faults.set('cow', fault, {}, 1)
  for (const [fault, factor] of [
    ['price-x100', 100n],
    ['wrong-decimals', 10n ** 12n],
  ] as const) {
    failing(fault)
    expect((await quote()).outputAmount).toBe(outputAmount * factor)
  }
  for (const fault of ['wrong-recipient', 'wrong-amount', 'bad-signature', 'halt'] as const) {
    failing(fault)
    expect((await refusalOf(quote())).kind, fault).toBe(fault === 'halt' ? 'noLiquidity' : 'rejected')
  }
  const [swap, native] = [await swapOf(venue, usdcToWeth()), await swapOf(venue, etherToUsdc())]
  const signature = await signed(swap.execution)
  failing('bad-signature')
  expect((await refusalOf(venue.submitter?.submit(swap, signature, never()))).kind).toBe('rejected')
  // An order that is sent on chain needs none.
  expect((await refusalOf(venue.submitter?.submit(native, signature, never()))).kind).toBe('badRequest')
})

test('execute, events and status: an order is for the contracts of the settings, and counts only with them', async () => {
  const [{ venue: set }, { venue: pinned }] = [await open({ settings: { ...SETTINGS, ...OWN } }), await open()]
  const [swap, native, old] = [
    await swapOf(set, usdcToWeth()),
    await swapOf(set, etherToUsdc()),
    await swapOf(pinned, usdcToWeth()),
  ]
  expect([await prove(set, swap), await prove(pinned, swap)]).toEqual([[], expect.arrayContaining(['contract', 'spender'])])
  const seen = (logs: ReturnType<typeof placed>) => seenEvm(1, Object.values(logs))
  const [trade, oldTrade] = [seen(settled([swap], 10n ** 18n, OWN)), seen(settled([old], 10n ** 18n))]
  const placement = seen(placed(native, native.order.sender, OWN))
  for (const [{ events }, count] of [
    [set, 1],
    [pinned, 0],
  ] as const) {
    expect(await events?.inputs(trade, swap)).toHaveLength(count)
    expect(await events?.outputs(trade, swap, [])).toHaveLength(count)
    expect(await events?.named(trade)).toHaveLength(count)
    expect(await events?.inputs(placement, native)).toHaveLength(count)
    expect(await events?.outputs(oldTrade, old, [])).toHaveLength(1)
  }
  expect((await track(pinned, swap.execution.venueRef ?? '', swap)).state).toBe('unknown')
})

test.each([
  ['the public host without a key', {}, 'https://api.cow.fi', undefined],
  ['the partner host with a key', { VENUE_COW_API_KEY: 'a-key' }, 'https://partners.cow.fi', 'a-key'],
  [
    'the host of the setting',
    { VENUE_COW_API_KEY: 'a-key', VENUE_COW_BASE_URL: 'https://api.cow.fi' },
    'https://api.cow.fi',
    'a-key',
  ],
])('quote: a request on mainnet goes to %s', async (_host, settings, host, key) => {
  const sent: unknown[] = []
  const http = ({ url, headers }: { url: string; headers?: { readonly [name: string]: string } }) => {
    sent.push([url, headers?.['X-API-Key']])
    return Promise.reject(new Error('no answer'))
  }
  const { engine, context, close } = await createTestEngine({
    env: { NETWORK: 'mainnet', VENUES_ENABLED: 'cow', ...settings },
    http,
  })
  await engine.quote({ ...usdcToWeth(), unnamed: [] }, context).catch(() => null)
  expect(sent).toContainEqual([`${host}/mainnet/api/v1/quote`, key])
  await close()
})

test('quote: the book ends its auction within the race, and the slippage is that of its app unless asked for', async () => {
  const { venue } = await open()
  // The longest timeout of a chain.
  expect(1_200).toBeLessThanOrEqual(parseConfig({}).quote.softDeadlineMs - 300)
  expect(orderFor(venue.profile, { ...usdcToWeth(), slippageBps: null }, 300).slippageBps).toBe(50)
})

test.each(['SETTLEMENT', 'VAULT_RELAYER', 'SETTLEMENT ETH_FLOW', 'SETTLEMENT VAULT_RELAYER', 'VAULT_RELAYER ETH_FLOW'])(
  'cow: the start rejects %s without the other contracts of the settings',
  (names) => {
    const some = Object.fromEntries(Object.entries(OWN).filter(([name]) => names.split(' ').includes(name)))
    expect(() => venueWith(cow, some)).toThrow(/VENUE_COW_SETTLEMENT and VENUE_COW_VAULT_RELAYER/)
  },
)
