import { describe, expect, test } from 'vitest'
import type { SimRequest } from '../../../engine/simnet/kit/simVenue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, depositOf, swapOf } from '../../support/venueKit/calls.ts'
import { pay } from '../everyVenue.ts'
import { type ChainflipBench, deposit, openBench, orders } from './support.ts'

const open = closedAfterEach(openBench)

const asking = ({ sim }: ChainflipBench) => {
  const ask = async (method: string, url: string, body?: unknown) => {
    const { pathname: path, searchParams: query } = new URL(url, 'http://x')
    const request: SimRequest = { method, path, query, headers: {}, body, rawBody: JSON.stringify(body) ?? '' }
    const { status, body: said } = await sim.handle(request)
    return { status, body: said as Record<string, unknown> }
  }
  return ask
}

const QUOTE = { srcChain: 'Bitcoin', srcAsset: 'BTC', destChain: 'Ethereum', destAsset: 'USDC', amount: '5000000' }
const quoteUrl = (change: object) => `/v2/quote?${new URLSearchParams({ ...QUOTE, ...change })}`

test.each([
  [{ srcChain: 'bitcoin' }, 'invalid request'],
  [{ destAsset: 'DAI' }, 'invalid request'],
  [{ amount: '0' }, 'invalid request'],
  [{ amount: '0.05' }, 'invalid request'],
  [{ amount: '9'.repeat(39) }, 'invalid request'],
  [{ isVaultSwap: '1' }, 'invalid request'],
  [{ isOnChain: 'true' }, 'invalid request'],
  [{ slippage: '1' }, 'invalid request'],
  [{ destChain: 'Bitcoin', destAsset: 'BTC' }, 'Requested assets cannot be swapped'],
  [{ amount: '4000' }, 'expected amount is below minimum swap amount (4066)'],
  [{ amount: '2032520327' }, 'expected amount is above maximum swap amount (2032520326)'],
  [{ amount: '1900000000' }, 'insufficient liquidity for the requested amount'],
])('a quote for %j is refused: %s', async (change, message) => {
  expect(await asking(await open())('GET', quoteUrl(change))).toEqual({ status: 400, body: { message } })
})

const SWAP = {
  srcAsset: { chain: 'Arbitrum', asset: 'USDC' },
  destAsset: { chain: 'Bitcoin', asset: 'BTC' },
  destAddress: WALLETS.bitcoin,
  amount: '1000000000',
  fillOrKillParams: { retryDurationBlocks: 50, refundAddress: WALLETS.evm, minPriceX128: '1', maxOraclePriceSlippage: null },
}
const OPEN = '/api/openSwapDepositChannel'
const ENCODE = '/api/encodeVaultSwapData'

test.each([
  ['destAddress', WALLETS.evm],
  ['destAddress', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
  ['fillOrKillParams.refundAddress', WALLETS.bitcoin],
  ['fillOrKillParams.retryDurationBlocks', '50'],
  ['fillOrKillParams.minPriceX128', 1],
  ['fillOrKillParams.minPriceX128', '0x1'],
  ['fillOrKillParams', undefined],
  ['amount', 1_000_000_000],
  ['amount', '1'],
  ['destAsset.asset', 'btc'],
  ['takeFee', true],
  ['takeCommission', true],
  ['network', 'perseverance'],
])('a channel or a call with another %s (%j) is refused', async (path, value) => {
  const bench = await open()
  for (const url of [OPEN, ENCODE]) expect((await asking(bench)('POST', url, altered(SWAP, path, value))).status).toBe(400)
})

test('every call opens a channel more, until there are twenty-five to one recipient', async () => {
  const ask = asking(await open())
  const opened = []
  for (let i = 0; i < 25; i += 1) opened.push(await ask('POST', OPEN, SWAP))
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(opened.map(({ body }) => body['depositAddress'])).size).toBe(25)
  expect(await ask('POST', OPEN, SWAP)).toEqual({ status: 400, body: { message: 'too many channels' } })
})

test('a commission without a broker is an error it does not explain', async () => {
  const ask = asking(await open())
  expect(await ask('POST', ENCODE, { ...SWAP, commissionBps: 5 })).toEqual({ status: 500, body: { message: 'unknown error' } })
})

test('more than ten names that it does not know in a minute, and it tells nothing for ten', async () => {
  const bench = await open()
  const ask = asking(bench)
  for (let i = 0; i < 11; i += 1) expect((await ask('GET', `/v2/swaps/${i}-Bitcoin-1`)).status).toBe(404)
  const swap = await swapOf(bench.venue, orders.usdc())
  expect((await ask('GET', '/v2/swaps/1-Bitcoin-1')).status).toBe(429)
  expect((await ask('GET', `/v2/swaps/${await pay(bench, swap)}`)).status).toBe(429)
  bench.clock.advance(600_000)
  expect((await ask('GET', '/v2/swaps/1-Bitcoin-1')).status).toBe(404)
})

describe('a channel that is paid', () => {
  test('in another token is not noticed, and twice it swaps twice and tells of the last', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, orders.usdt())
    const { chainId, address } = depositOf(swap.execution)
    const other = { chainId, address, token: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', amount: 5n * 10n ** 8n, txHash: '0x1' }
    expect(bench.sim.onDeposit(other)).toBe(true)
    const id = (swap.execution.carry as { channelId: string }).channelId
    expect((await asking(bench)('GET', `/v2/swaps/${id}`)).body).toMatchObject({ state: 'WAITING' })
    await deposit(bench, swap, { txHash: '0x2' })
    await bench.schedule.advance(30_000)
    await deposit(bench, swap, { txHash: '0x3', amount: 10n ** 8n })
    expect((await asking(bench)('GET', `/v2/swaps/${id}`)).body).toMatchObject({ state: 'RECEIVING', deposit: { txRef: '0x3' } })
    await bench.schedule.advance(30_000)
    expect(bench.network.payouts).toHaveLength(2)
  })

  test('at a price that is missed for the whole time is given back, less what sending costs', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, orders.usdt())
    bench.market.setPrice('SOL', 200_000_000n)
    await deposit(bench, swap)
    await bench.schedule.advance(4 * 60_000)
    expect(bench.network.payouts).toEqual([])
    await bench.schedule.advance(2 * 60_000)
    expect(bench.network.payouts).toMatchObject([{ chainId: 42161, to: WALLETS.evm, amount: 10n ** 9n - 15_000n }])
  })
})

test('a node knows one call', async () => {
  const ask = asking(await open())
  const call = { jsonrpc: '2.0', id: 7, params: [] }
  expect((await ask('POST', '/rpc', { ...call, method: 'cf_get_vault_addresses' })).body).toMatchObject({
    id: 7,
    result: { bitcoin_vault: { Btc: expect.any(Array) } },
  })
  expect((await ask('POST', '/rpc', { ...call, method: 'broker_withdraw_fees' })).body).toMatchObject({
    error: { code: -32_601 },
  })
  expect((await ask('GET', '/nothing')).status).toBe(404)
})
