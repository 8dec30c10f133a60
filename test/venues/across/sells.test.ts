import { expect, test } from 'vitest'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { createTestEngine } from '../../support/testEngine.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, prove, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import { ARB, NATIVE, openBench, properAnswer, told, USDC, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)

/** What is quoted can be executed: the transaction that comes with a quote is proved before it is sold. */

const wordOf = (address: string) => address.slice(2).toLowerCase()

type Answer = { readonly swapTx: { readonly data: string } }

/** ARB exchanged on Arbitrum and bridged to Base, with the output token of the answer made another. */
const bridgedTo = async (token: string) => {
  const wish = { from: [42161, ARB], amount: 10n ** 21n, slippageBps: 50, recipient: WALLETS.evmOther } as const
  const answer = (await properAnswer(anOrder({ ...wish, to: [8453, USDC.base] }))) as Answer
  const data = answer.swapTx.data.replaceAll(wordOf(USDC.base), wordOf(token))
  const body = altered(altered(answer, 'outputToken.address', token), 'swapTx.data', data)
  return { order: anOrder({ ...wish, to: [8453, token] }), broken: told(() => ({ body })) }
}

test('across: another form of the bridged token is sold and proved', async () => {
  const { order, broken } = await bridgedTo('0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA')
  const swap = await swapOf(broken.venue, order)
  expect(await prove(broken.venue, swap, swap.execution)).toEqual([])
})

test('quote: rejects a token with unknown value relative to the bridged one', async () => {
  const { order, broken } = await bridgedTo('0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf')
  expect(await refusalOf(broken.venue.quote(order, never()))).toMatchObject({ check: 'anOutputNobodyFills' })
})

test.each([
  ['another recipient', wordOf(WALLETS.evmOther), wordOf(WALLETS.evm)],
  ['another output token', wordOf(USDC.arbitrum), wordOf(ARB)],
  ['an invalid integrator tag', '73c0de', '73c0df'],
  ['another function', '0xad5425c6', '0xad5425c7'],
] as const)('quote: rejects a transaction with %s', async (_name, from, to) => {
  const order = anOrder({
    from: [8453, USDC.base],
    to: [42161, USDC.arbitrum],
    amount: 250_000_000n,
    recipient: WALLETS.evmOther,
  })
  const answer = (await properAnswer(order)) as Answer
  const data = answer.swapTx.data.replaceAll(from, to)
  expect(data).not.toBe(answer.swapTx.data)
  const broken = told(() => ({ body: altered(answer, 'swapTx.data', data) }))
  expect((await refusalOf(broken.venue.quote(order, never()))).kind).toBe('rejected')
})

test('quote: requests no fee on Robinhood Chain, where it would need a message', async () => {
  const order = anOrder({ from: [8453, NATIVE], to: [4663, NATIVE], amount: 10n ** 18n, feeBps: 15 })
  const bench = await open({ settings: WITH_FEE })
  expect((await bench.venue.quote(order, never())).fee).toEqual({ bps: 0, amount: 0n })
  expect(bench.venue.profile.feeRecipient(order)).toBeNull()
})

test.each([
  ['neither', 'VENUE_ACROSS_API_KEY and VENUE_ACROSS_INTEGRATOR_ID are not set'],
  ['the key', 'VENUE_ACROSS_INTEGRATOR_ID is not set', { VENUE_ACROSS_API_KEY: 'a-key' }],
  ['both', null, { VENUE_ACROSS_API_KEY: 'a-key', VENUE_ACROSS_INTEGRATOR_ID: '0xbeef' }],
  ['neither, on the offline network', null, { NETWORK: 'simnet' }],
])('start with %s of API key and integrator id warns: %s', async (_set, unset, set: { readonly [name: string]: string } = {}) => {
  const env = { NETWORK: 'mainnet', VENUES_ENABLED: 'across', ...set }
  const { reported, close } = await createTestEngine({ env })
  const what = `${unset}: Across requires both in production and may limit or reject the requests of this service`
  expect(reported('venue.noticed')).toEqual(unset === null ? [] : [{ event: 'venue.noticed', venue: 'across', what }])
  await close()
})

test('quote: a message to Robinhood Chain is not sold, since Across publishes no handler there', async () => {
  const order = anOrder({ from: [42161, ARB], to: [4663, NATIVE], amount: 10n ** 21n })
  expect(await refusalOf(properAnswer(order))).toMatchObject({ kind: 'unsupportedPair', reason: 'notSold' })
})
