import { afterEach, describe, expect, test } from 'vitest'
import { bpsBelow } from '../../../engine/core/amount.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { across } from '../../../engine/venues/across/venue.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { createTestEngine } from '../../support/testEngine.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { changed, never, prove, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import { canned, toldBy } from '../../support/venueKit/canned.ts'
import { openBench } from './fakeNetwork.ts'
import { ARB, FEE_RECIPIENT, NATIVE, orders, PERIPHERY, SPOKE_POOL_BASE, USDC, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)
const profileOf = (settings = {}) => canned(across, () => ({}), { settings }).venue.profile

/** An exchange and a bridge to Base, in whose answer another token takes the place of USDC. */
const bridgedTo = async (token: string) => {
  const { sim } = await open()
  const order = orders.exchanged({ to: [8453, token] })
  const replaced = (data: string) => data.replaceAll(USDC.base.slice(2).toLowerCase(), token.slice(2).toLowerCase())
  const { venue } = canned(across, async ({ query, ...asked }) => {
    query.set('outputToken', USDC.base)
    const { body } = await toldBy(sim)({ ...asked, query })
    return { body: changed(body, { 'outputToken.address': token, 'swapTx.data': replaced }) }
  })
  return { venue, order }
}

test('quote: sells and proves another form of the bridged token', async () => {
  const { venue, order } = await bridgedTo('0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA')
  expect(await prove(venue, await swapOf(venue, order))).toEqual([])
})

describe('quote: rejects a deposit that no relayer fills [venue-across]', () => {
  const refusal = { kind: 'rejected', check: 'anOutputNobodyFills' }
  test.each(['wrong-decimals', 'price-x100'] as const)('with an output above its input, by the fault %s', async (fault) => {
    const { venue, faults } = await open()
    faults.set('across', fault, {}, 1)
    expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject(refusal)
  })
  test('of a token with an unknown value relative to the bridged one', async () => {
    const { venue, order } = await bridgedTo('0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf')
    expect(await refusalOf(venue.quote(order, never()))).toMatchObject(refusal)
  })
})

test.each([
  [50, 0],
  [50, 100],
  [250, 30],
  [1000, 250],
  [5000, 100],
])('quote: keeps a slippage of %i bps net of a fee of %i bps', async (slippageBps, feeBps) => {
  const { venue, sent } = await open({ settings: WITH_FEE })
  const { outputAmount, slippage } = await venue.quote(orders.exchanged({ slippageBps, feeBps }), never())
  const asked = Number(sent.at(-1)?.query.get('slippage')) * 10_000
  expect(asked).toBeLessThanOrEqual(slippageBps)
  // No more is given away than Across's own unit makes necessary.
  expect(asked).toBeGreaterThan((slippageBps * (10_000 - feeBps)) / 10_000 - 1)
  expect(bpsBelow(outputAmount, slippage?.guaranteedMin ?? 0n)).toBeLessThanOrEqual(slippageBps)
})

test('quote: reads code only where it decides the form of the output, at the recipient, and the proof reads it again', async () => {
  const { venue, chains } = await open()
  const reads = () => chains.calls.filter(({ method }) => method === 'code').map(({ query }) => query)
  await swapOf(venue, orders.usdc())
  expect(reads()).toEqual([])
  const swap = await swapOf(venue, orders.ether())
  expect(await prove(venue, swap)).toEqual([])
  expect(reads()).toEqual(reads().map(() => ({ chainId: 42161, address: WALLETS.evmOther })))
  chains.script.code = async () => '0x6001'
  expect(await prove(venue, swap)).toEqual(['output.token'])
  chains.script.code = async () => `0xef0100${'11'.repeat(20)}`
  expect(await prove(venue, swap)).toContain('unread: whether the output arrives wrapped')
})

const place = (chainId: ChainId, token: string = chainId === -2 ? USDC.solana : NATIVE) => assetOf(chainId, token)

test.each<[from: ChainId, to: ChainId, isServed: boolean]>([
  [143, 999, true],
  [1, -2, true],
  [-2, 59144, true],
  [43114, 4663, true],
  [8453, 8453, false],
  [-2, -2, false],
  [-1, 1, false],
  [1, -1, false],
])('profile: serves a route from %i to %i: %s', (from, to, isServed) => {
  expect(profileOf().serves({ input: place(from), output: place(to) })).toBe(isServed)
})

test.each([
  ['a plain bridge', place(8453, USDC.base), place(42161, USDC.arbitrum), 10],
  ['dollars for other dollars', place(42161, '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'), place(8453, USDC.base), 25],
  ['a coin for dollars', place(137), place(8453, USDC.base), 75],
  ['any other token', place(42161, ARB), place(8453, USDC.base), 250],
])('profile: the default slippage of %s is that of Across', (_what, input, output, defaultBps) => {
  expect(profileOf().slippage({ input, output })).toEqual({ defaultBps, minBps: 1, maxBps: 5_000 })
})

test('profile: lists the published contracts and those of the operator, and takes a fee where a message can pay it', () => {
  const extra = '0x00000000000000000000000000000000DeaDBeef'
  const { contracts } = profileOf({ EXTRA_CONTRACTS: `8453=${extra}` })
  const older = ['0x89415a82d909a7238d69094C3Dd1dCC1aCbDa85C', '0x10D8b8DaA26d307489803e10477De69C0492B610']
  expect(contracts[8453]).toEqual([SPOKE_POOL_BASE, ...older, PERIPHERY, extra])
  expect(contracts[10]).not.toContain(extra)
  const { feeRecipient, bindsAtQuote } = profileOf(WITH_FEE)
  expect([orders.usdc(), orders.toSolana()].map(feeRecipient)).toEqual([FEE_RECIPIENT, null])
  expect(feeRecipient(orders.ether({ to: [4663, NATIVE] }))).toBeNull()
  expect(bindsAtQuote).toEqual({ recipient: ['always'], refundTo: ['always'] })
  expect(() => profileOf({ FEE_RECIPIENT: FEE_RECIPIENT.replace('C51812dc', 'c51812dc') })).toThrow()
})

test('prices: come from the token list of a chain, which is read once in five minutes', async () => {
  const { venue, faults, clock, sent } = await open()
  faults.set('across', 'null-value', {}, null)
  const usd = (chainId: ChainId, token: string) => venue.prices?.usd(assetOf(chainId, token), never())
  const readAt = clock.now()
  expect(await usd(8453, USDC.base)).toEqual({ usd: '1.000000', readAt })
  expect(await usd(8453, NATIVE)).toEqual({ usd: '3950.000000', readAt })
  expect(await usd(8453, '0x000000000000000000000000000000000000dEaD')).toBeNull()
  clock.advance(299_999)
  await usd(8453, USDC.base)
  expect(sent.map(({ path, query }) => `${path}?${query}`)).toEqual(['/swap/tokens?chainId=8453'])
  clock.advance(1)
  await usd(8453, USDC.base)
  expect(await usd(-2, USDC.solana)).toEqual({ usd: '1.000000', readAt: readAt + 300_000 })
  expect(await usd(-1, NATIVE)).toBeNull()
  expect(sent).toHaveLength(3)
})

const engines: (() => Promise<void>)[] = []
afterEach(() => Promise.all(engines.splice(0).map((close) => close())))

test.each<[unset: string | null, set: { readonly [name: string]: string }]>([
  ['VENUE_ACROSS_API_KEY and VENUE_ACROSS_INTEGRATOR_ID are not set', {}],
  ['VENUE_ACROSS_INTEGRATOR_ID is not set', { VENUE_ACROSS_API_KEY: 'a-key' }],
  [null, { VENUE_ACROSS_API_KEY: 'a-key', VENUE_ACROSS_INTEGRATOR_ID: '0xbeef' }],
  [null, { NETWORK: 'simnet' }],
])('start: warns that %s', async (unset, set) => {
  const { reported, close } = await createTestEngine({ env: { NETWORK: 'mainnet', VENUES_ENABLED: 'across', ...set } })
  engines.push(close)
  const what = `${unset}: Across requires both in production and may limit or reject the requests of this service`
  expect(reported('venue.noticed')).toEqual(unset === null ? [] : [{ event: 'venue.noticed', venue: 'across', what }])
})
