import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseAddress } from '../../../engine/core/address.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { swapOf } from '../../support/venueKit/calls.ts'
import refusedRequests from './refusedRequests.json' with { type: 'json' }
import { API_KEY, BASE_USDC_ID, bitcoinToBase, type NearIntentsBench, openBench, REQUEST, refOf } from './support.ts'

/** How strict the simulated venue is. What its official client can ask is asked in officialClient.test.ts. */

let bench: NearIntentsBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

/** By the id that is deprecated, which the venue takes all the same. */
const GOOD = { ...REQUEST, originAsset: 'nep141:btc.omft.near' }
type Fields = { readonly [field: string]: unknown }
type Answer = { readonly status: number; readonly body: Fields }

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
  const response = await fetch(`${bench.baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Fields }
}
const quote = (change: Fields = {}, headers?: Record<string, string>) =>
  call('POST', '/v0/quote', { ...GOOD, ...change }, headers)
const termsOf = async (...asked: Parameters<typeof quote>) => (await quote(...asked)).body['quote'] as Fields
const statusOf = (query: string) => call('GET', `/v0/status?${query}`)

test('a dry quote comes with 201, an id and a rewritten asset id', async () => {
  const { status, body } = await quote()
  expect(status).toBe(201)
  expect(body).toMatchObject({
    correlationId: expect.any(String),
    timestamp: '2026-11-20T00:00:00.000Z',
    quoteRequest: { ...GOOD, originAsset: '1cs_v1:btc:native:coin', depositMode: 'SIMPLE', quoteWaitingTimeMs: 0 },
  })
  for (const field of ['depositAddress', 'deadline', 'timeWhenInactive']) expect(body['quote']).not.toHaveProperty(field)
})

test('a real one comes with a well-formed address of the chain, good for three days beyond the deadline', async () => {
  const fromSolana = { originAsset: 'nep141:sol.omft.near', refundTo: WALLETS.solana, amount: '1000000000' }
  const toSolana = { destinationAsset: 'nep141:sol.omft.near', recipient: WALLETS.solana }
  const fromBase = { originAsset: BASE_USDC_ID, refundTo: WALLETS.evm, amount: '90000000', ...toSolana }
  for (const [ecosystem, change] of [
    ['bitcoin', {}],
    ['evm', fromBase],
    ['solana', fromSolana],
  ] as const) {
    const { depositAddress, deadline, timeWhenInactive } = await termsOf({ dry: false, ...change })
    expect(parseAddress(ecosystem, String(depositAddress)), ecosystem).not.toBeNull()
    expect([deadline, timeWhenInactive]).toEqual(['2026-11-23T01:00:00.000Z', '2026-11-23T01:00:00.000Z'])
  }
})

test.each(Object.keys(GOOD))('a quote without %s is refused', async (field) => {
  const refusal = { message: expect.stringContaining(field), correlationId: expect.any(String) }
  expect(await quote({ [field]: undefined })).toMatchObject({ status: 400, body: refusal })
})

test.each(refusedRequests.refused as [string, readonly unknown[], string?][])(
  'a quote with %s as one of %j is refused',
  async (field, values, message = field) => {
    for (const value of values)
      expect(await quote({ [field]: value })).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } })
  },
)

test.each(['{', '[]', '"x"'])('the body %s is refused', async (body) => {
  expect((await call('POST', '/v0/quote', body)).status).toBe(400)
})

test('a key in either header saves the 20 bps', async () => {
  for (const [headers, amountOut] of [
    [{}, '981362695'],
    [{ 'x-api-key': API_KEY }, '983329416'],
    [{ authorization: `Bearer ${API_KEY}` }, '983329416'],
  ] as const)
    expect(await termsOf({}, headers)).toMatchObject({ amountOut })
  expect((await quote({}, { 'x-api-key': 'short' })).status).toBe(401)
})

test('bitcoin is listed under both ids, the old one first, each id once, and no chain that is not served', async () => {
  type Row = { readonly assetId: string; readonly blockchain: string; readonly contractAddress?: string }
  const rows = (await call('GET', '/v0/tokens')).body as unknown as readonly Row[]
  const ids = rows.map(({ assetId }) => assetId)
  const bitcoins = rows.filter(({ blockchain }) => blockchain === 'btc')
  expect(bitcoins.map(({ assetId, contractAddress }) => [assetId, contractAddress])).toEqual([
    ['nep141:btc.omft.near', undefined],
    ['1cs_v1:btc:native:coin', 'coin'],
  ])
  expect(ids).toContain('nep245:v2_1.omni.hot.tg:56_11111111111111111111')
  expect(new Set(ids).size).toBe(ids.length)
  const chains = [...new Set(rows.map(({ blockchain }) => blockchain))].sort().join(' ')
  expect(chains).toBe('arb avax base bsc btc eth hypercore monad near op pol sol zec')
})

test('a status is known of its own addresses, not of others, of one with a memo, or of none', async () => {
  const ref = refOf(await swapOf(bench.venue, bitcoinToBase()))
  expect(await statusOf(`depositAddress=${ref}`)).toMatchObject({
    status: 200,
    body: {
      quoteResponse: {
        signature: expect.any(String),
        quoteRequest: { amount: '1000000', referral: null },
        quote: { depositAddress: ref },
      },
    },
  })
  const message = `Deposit address ${WALLETS.bitcoin} not found`
  expect(await statusOf(`depositAddress=${WALLETS.bitcoin}`)).toMatchObject({ status: 404, body: { message } })
  expect((await statusOf(`depositAddress=${ref}&depositMemo=1`)).status).toBe(404)
  expect((await statusOf('')).status).toBe(400)
})

test.each([
  [{ depositAddress: WALLETS.bitcoin }, 400],
  [{ txHash: 'x' }, 400],
  [{ txHash: 'x', depositAddress: WALLETS.bitcoin }, 404],
  [{ txHash: 'x', depositAddress: WALLETS.bitcoin, more: 1 }, 400],
])('a deposit hint of %j is answered with %i', async (body, status) => {
  expect((await call('POST', '/v0/deposit/submit', body)).status).toBe(status)
})

test('there is nothing elsewhere', async () => {
  expect((await call('GET', '/v0/quote')).status).toBe(404)
  expect((await call('POST', '/v0/orders', {})).status).toBe(404)
  const transaction = { chainId: 1, from: WALLETS.evm, to: WALLETS.evm, data: '0x', value: 0n, txHash: '0x' }
  expect(bench.sim.onTransaction(transaction)).toBe(false)
})

test('prices are multiplied and scaled when that is told', async () => {
  bench.faults.set('near-intents', 'price-x100', {}, 1)
  expect(await termsOf()).toMatchObject({ amountOut: '98136269500' })
  bench.faults.set('near-intents', 'wrong-decimals', {}, 1)
  expect(await termsOf()).toMatchObject({ amountOut: '981362695000000000000' })
})
