import { describe, expect, test } from 'vitest'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { createTestEngine } from '../../support/testEngine.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, prove, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import { toldBy } from '../../support/venueKit/canned.ts'
import { pinDifferences } from '../../support/venueKit/pins.ts'
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

test('another form of the bridged token is sold, and proved', async () => {
  const { order, broken } = await bridgedTo('0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA')
  const swap = await swapOf(broken.venue, order)
  expect(await prove(broken.venue, swap, swap.execution)).toEqual([])
})

test('a token whose worth against the bridged one is not known is rejected at quote, not at execute', async () => {
  const { order, broken } = await bridgedTo('0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf')
  expect(await refusalOf(broken.venue.quote(order, never()))).toMatchObject({ check: 'anOutputNobodyFills' })
})

test.each([
  ['another recipient', wordOf(WALLETS.evmOther), wordOf(WALLETS.evm)],
  ['another output token', wordOf(USDC.arbitrum), wordOf(ARB)],
  ['an integrator tag that is none', '73c0de', '73c0df'],
  ['another function', '0xad5425c6', '0xad5425c7'],
] as const)('a quote whose transaction says %s is rejected', async (_name, from, to) => {
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

test('no fee is asked for on Robinhood Chain, where it would take a message', async () => {
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
])('the start with %s of key and integrator id warns: %s', async (_set, unset, set: { readonly [name: string]: string } = {}) => {
  const env = { NETWORK: 'mainnet', VENUES_ENABLED: 'across', ...set }
  const { reported, close } = await createTestEngine({ env })
  const what = `${unset}: Across requires both in production and may limit or reject the requests of this service`
  expect(reported('venue.noticed')).toEqual(unset === null ? [] : [{ event: 'venue.noticed', venue: 'across', what }])
  await close()
})

test('a message to Robinhood Chain, whose handler Across does not publish, is not sold', async () => {
  const order = anOrder({ from: [42161, ARB], to: [4663, NATIVE], amount: 10n ** 21n })
  expect(await refusalOf(properAnswer(order))).toMatchObject({ kind: 'unsupportedPair', reason: 'notSold' })
})

describe('pins', () => {
  const THIEF = '0x000000000000000000000000000000000000bEEF'
  const word = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
  /** The venue by the list of its simulator and a HubPool, both of which name another pool where one is given. */
  const publishing = async (pools: { readonly [chainId: number]: string }, change = (body: unknown): unknown => body) => {
    const answering = toldBy((await open()).sim)
    const chains = createFakeChains()
    const canned = told(
      async (asked) => {
        const { body } = await answering(asked)
        if (asked.path !== '/chains') return { body: change(body) }
        const rows = body as readonly { readonly chainId: number; readonly spokePool: string }[]
        return { body: rows.map((row) => ({ ...row, spokePool: pools[row.chainId] ?? row.spokePool })) }
      },
      { chains },
    )
    chains.script.call = async ({ chainId, address }, data) => {
      expect([chainId, address, data.slice(0, 10)]).toEqual([1, '0xc186fA914353c44b2E33eBE05f21846F1048bEda', '0x09474ae2'])
      const asked = Number(BigInt(`0x${data.slice(10)}`)) as 1
      return `0x${word(THIEF)}${word(pools[asked] ?? canned.venue.profile.contracts[asked]?.[0] ?? '')}`
    }
    return canned.venue
  }

  test.each([
    ['as they are', {}, []],
    ['one of them another', { 8453: THIEF }, Array(2).fill(/^SpokePool on chain 8453: pinned 0x09a.*, published 0x0+bEEF$/)],
    [
      'one of them none',
      { 10: `0x${'0'.repeat(40)}` },
      [/^SpokePool on chain 10: .*0x0+$/, /^SpokePool on chain 10: .*nothing$/],
    ],
  ])('the pools that Across publishes, %s, are reported where they differ', async (_how, pools, found) => {
    expect(await pinDifferences(await publishing(pools))).toEqual(found.map((line) => expect.stringMatching(line)))
  })

  test('a pool that the list and the HubPool name adds nothing to the pinned ones', async () => {
    const venue = await publishing({ 8453: THIEF }, (body) => altered(body, 'swapTx.to', THIEF))
    const order = anOrder({ from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n })
    expect(await refusalOf(venue.quote(order, never()))).toMatchObject({ kind: 'rejected', check: 'contract' })
  })
})
