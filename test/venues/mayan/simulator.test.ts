import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { ARB, openBench, REFERRER, STRANGER } from './support.ts'

/** The simulated venue by itself: it must be at least as strict as the real one is documented to be. */

let bench: VenueBench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

type Fields = { readonly [field: string]: unknown }

const call = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${bench.baseUrl}${path}`, { ...init, headers: { 'content-type': 'application/json' } })
  return { status: response.status, body: (await response.json()) as { readonly quotes: readonly Fields[] } & Fields }
}
const GOOD = {
  amountIn64: '250000000',
  fromToken: USDC.base,
  fromChain: 'base',
  toToken: USDC.arbitrum,
  toChain: 'arbitrum',
  slippageBps: 100,
}
const ask = (change: Fields = {}) => call('/quote', { method: 'POST', body: JSON.stringify({ ...GOOD, ...change }) })

describe('a question for prices', () => {
  test.each<[string, Fields, object]>([
    ['no amount', { amountIn64: undefined }, {}],
    ['no token', { fromToken: undefined }, {}],
    ['no chain', { toChain: undefined }, {}],
    ['a chain it does not know', { toChain: 'zksync' }, {}],
    ['an EVM number in the place of a name', { fromChain: '8453' }, {}],
    ['no slippage', { slippageBps: undefined }, {}],
    ['slippage over five percent', { slippageBps: 501 }, {}],
    ['a referrer of an EVM chain', { referrer: STRANGER, referrerBps: 10 }, {}],
    ['a fee for nobody', { referrerBps: 10 }, {}],
    ['a fee over the cap', { referrer: REFERRER, referrerBps: 201 }, {}],
    ['a field that nobody knows', { referrers: {}, referrerBps: 10 }, {}],
    ['too little', { amountIn64: '1' }, { code: 'AMOUNT_TOO_SMALL', data: { minAmountIn: 0.5 } }],
    [
      'too little on Solana, where the least is not told',
      { fromToken: USDC.solana, fromChain: 'solana', amountIn64: '1' },
      { code: 'AMOUNT_TOO_SMALL' },
    ],
  ])('%s is refused', async (_name, change, told) => {
    const { status, body } = await ask(change)
    expect([status >= 400 && status < 500, body['quotes']]).toEqual([true, undefined])
    expect(body).toMatchObject(told)
  })

  test('nothing is offered on one chain, of a token it does not know, or without Swift', async () => {
    for (const change of [{ toChain: 'base', toToken: ARB }, { toToken: STRANGER }, { swift: false }])
      expect((await ask(change)).body.quotes).toEqual([])
  })

  test('a GET asks the same, and all there is comes where it is asked for', async () => {
    const query = new URLSearchParams(
      Object.entries({ ...GOOD, sdkVersion: '12_2_5' }).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const { body } = await call(`/quote?${query}`)
    expect(body.quotes).toHaveLength(1)
    expect((await ask({ fullList: true })).body.quotes.map((quote) => quote['swiftAuctionMode'])).toEqual([2, 3])
    expect(body.quotes[0]).toMatchObject({
      type: 'SWIFT',
      swiftVersion: 'V2',
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
    })
  })
})

test('orders are paid in dollars where there are any, and ether in ether', async () => {
  const locked = async (change: Fields) => (await ask(change)).body.quotes[0]?.['swiftInputContract']
  const coins = '0x0000000000000000000000000000000000000000'
  const ether = { fromToken: coins, amountIn64: (10n ** 18n).toString() }
  expect(await locked({})).toBe(USDC.base)
  expect(await locked(ether)).toBe(USDC.base)
  expect(await locked({ ...ether, toToken: coins })).toBe('0x4200000000000000000000000000000000000006')
  // The marker of other venues means nothing here.
  expect((await ask({ fromToken: NATIVE })).body.quotes).toEqual([])
})

test.each([
  ['GET', '/swap/trx/0x1234', 404],
  ['GET', '/swap/order-id/0x1234', 404],
  ['GET', '/nothing', 404],
  ['POST', '/init', 404],
  ['GET', '/quote?apiKey=short', 401],
  ['GET', '/get-swap/evm?chainName=base', 400],
] as const)('%s %s is answered with %i', async (method, path, status) => {
  expect((await call(path, { method })).status).toBe(status)
})

test('chains are listed with Wormhole’s numbers and their switches', async () => {
  const { body } = await call('/init')
  expect(body['chains']).toContainEqual({
    nameId: 'base',
    wChainId: 30,
    chainId: 8453,
    originActive: true,
    destinationActive: true,
  })
})
