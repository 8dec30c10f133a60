import { afterEach, describe, expect, test } from 'vitest'
import { parseAddress } from '../../../engine/core/address.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { swapOf } from '../../support/venueKit/calls.ts'
import { API_KEY, bitcoinToBase, deposit, type NearIntentsBench, openBench, refOf, USDC } from './support.ts'

let bench: NearIntentsBench
afterEach(() => bench.close())

const GOOD = {
  dry: true,
  swapType: 'EXACT_INPUT',
  slippageTolerance: 100,
  originAsset: 'nep141:btc.omft.near',
  depositType: 'ORIGIN_CHAIN',
  destinationAsset: 'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near',
  amount: '1000000',
  refundTo: WALLETS.bitcoin,
  refundType: 'ORIGIN_CHAIN',
  recipient: WALLETS.evmOther,
  recipientType: 'DESTINATION_CHAIN',
  deadline: '2026-11-20T01:00:00.000Z',
}

type Answer = { status: number; body: Record<string, unknown> }

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
  const response = await fetch(`${bench.baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const quote = (change: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  call('POST', '/v0/quote', { ...GOOD, ...change }, headers)

describe('the simulated 1Click API', () => {
  test('answers a dry quote with 201, a rewritten asset id and no deposit address', async () => {
    bench = await openBench()
    const { status, body } = await quote()
    expect(status).toBe(201)
    expect(body).toMatchObject({
      correlationId: expect.any(String),
      timestamp: '2026-11-20T00:00:00.000Z',
      signature: expect.stringMatching(/^ed25519:/),
      quoteRequest: { ...GOOD, originAsset: '1cs_v1:btc:native:coin', depositMode: 'SIMPLE', quoteWaitingTimeMs: 0 },
    })
    for (const field of ['depositAddress', 'deadline', 'timeWhenInactive']) expect(body['quote']).not.toHaveProperty(field)
  })

  test('gives the address three days beyond the deadline', async () => {
    bench = await openBench()
    const { body } = await quote({ dry: false })
    expect(body['quote']).toMatchObject({ deadline: '2026-11-23T01:00:00.000Z', timeWhenInactive: '2026-11-23T01:00:00.000Z' })
  })

  test('opens well-formed addresses of each chain', async () => {
    bench = await openBench()
    const address = async (change: Record<string, unknown>) =>
      ((await quote({ dry: false, ...change })).body['quote'] as { depositAddress: string }).depositAddress
    expect(parseAddress('bitcoin', await address({}))).toMatch(/^bc1q/)
    const fromBase = {
      originAsset: GOOD.destinationAsset,
      destinationAsset: 'nep141:sol.omft.near',
      refundTo: WALLETS.evm,
      recipient: WALLETS.solana,
      amount: '90000000',
    }
    expect(parseAddress('evm', await address(fromBase))).toMatch(/^0x/)
    const fromSolana = {
      originAsset: 'nep141:sol.omft.near',
      destinationAsset: GOOD.destinationAsset,
      refundTo: WALLETS.solana,
      amount: '1000000000',
    }
    expect(parseAddress('solana', await address(fromSolana))).not.toBeNull()
  })

  test('is the same from the same seed', async () => {
    bench = await openBench()
    const first = await quote({ dry: false })
    await bench.close()
    bench = await openBench()
    expect(await quote({ dry: false })).toEqual(first)
  })

  test.each(Object.keys(GOOD))('refuses a quote without %s', async (field) => {
    bench = await openBench()
    expect(await quote({ [field]: undefined })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(field), correlationId: expect.any(String) },
    })
  })

  test.each([
    [{ dry: 'true' }, 'dry'],
    [{ swapType: 'EXACT' }, 'swapType'],
    [{ swapType: 'EXACT_OUTPUT' }, 'swapType'],
    [{ slippageTolerance: 1.5 }, 'slippageTolerance'],
    [{ slippageTolerance: '100' }, 'slippageTolerance'],
    [{ amount: 1000000 }, 'amount'],
    [{ amount: '0' }, 'amount'],
    [{ amount: '01' }, 'amount'],
    [{ amount: '-1' }, 'amount'],
    [{ originAsset: 'nep141:none' }, 'tokenIn is not valid'],
    [{ destinationAsset: 'nep141:none' }, 'tokenOut is not valid'],
    [{ destinationAsset: GOOD.originAsset }, 'Quoting for this pair is not available'],
    [{ depositType: 'INTENTS' }, 'depositType'],
    [{ recipientType: 'INTENTS' }, 'recipientType'],
    [{ refundTo: WALLETS.evm }, 'refundTo is not valid'],
    [{ recipient: WALLETS.solana }, 'recipient is not valid'],
    [{ recipient: USDC.base }, 'recipient is not valid'],
    [{ recipient: '0x0000000000000000000000000000000000000000' }, 'recipient is not valid'],
    [{ recipient: '0x3c44CdDdB6a900fa2b585dd299e03d12FA4293BC' }, 'recipient is not valid'],
    [{ deadline: '2026-11-20T00:00:30.000Z' }, 'deadline'],
    [{ deadline: 'soon' }, 'deadline'],
    [{ depositMode: 'MEMO' }, 'Incorrect depositMode'],
    [{ confidentiality: 'basic' }, 'invitation'],
    [{ confidentiality: 'secret' }, 'confidentiality'],
    [{ referral: 'ACME' }, 'referral'],
    [{ appFees: [{ recipient: 'acme.near', fee: 501 }] }, 'appFees'],
    [{ appFees: [{ recipient: 'acme.near', fee: 1.5 }] }, 'appFees'],
    [{ appFees: [{ recipient: 'Acme', fee: 1 }] }, 'appFees'],
    [{ appFees: [{ recipient: 'acme.near', fee: 1, extra: 1 }] }, 'appFees'],
    [{ appFees: {} }, 'appFees'],
    [{ surprise: 1 }, 'surprise'],
    [{ quoteWaitingTimeMs: -1 }, 'quoteWaitingTimeMs'],
    [{ amount: '4999' }, 'Amount is too low for bridge, try at least 5000'],
    [{ amount: '99999999999' }, 'No liquidity available'],
  ])('refuses %j', async (change, message) => {
    bench = await openBench()
    expect(await quote(change)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } })
  })

  test.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['a string', '"x"'],
  ])('refuses a body that is %s', async (_name, body) => {
    bench = await openBench()
    expect((await call('POST', '/v0/quote', body)).status).toBe(400)
  })

  test('takes a key in either header, and refuses one that cannot be a key', async () => {
    bench = await openBench()
    const out = async (headers: Record<string, string>) => {
      const { status, body } = await quote({}, headers)
      return status === 201 ? (body['quote'] as { amountOut: string }).amountOut : status
    }
    expect(await out({})).toBe('981362695')
    expect(await out({ 'x-api-key': API_KEY })).toBe('983329416')
    expect(await out({ authorization: `Bearer ${API_KEY}` })).toBe('983329416')
    expect(await out({ 'x-api-key': 'short' })).toBe(401)
  })

  test('lists bitcoin under both ids, the old one first, and no chain it does not serve', async () => {
    bench = await openBench()
    const rows = (await call('GET', '/v0/tokens')).body as unknown as {
      assetId: string
      blockchain: string
      contractAddress?: string
    }[]
    expect(
      rows.filter(({ blockchain }) => blockchain === 'btc').map(({ assetId, contractAddress }) => [assetId, contractAddress]),
    ).toEqual([
      ['nep141:btc.omft.near', undefined],
      ['1cs_v1:btc:native:coin', 'coin'],
    ])
    expect(rows.map(({ assetId }) => assetId)).toContain('nep245:v2_1.omni.hot.tg:56_11111111111111111111')
    expect(new Set(rows.map(({ assetId }) => assetId)).size).toBe(rows.length)
    expect([...new Set(rows.map(({ blockchain }) => blockchain))].sort()).toEqual([
      'arb',
      'avax',
      'base',
      'bsc',
      'btc',
      'eth',
      'hypercore',
      'monad',
      'near',
      'op',
      'pol',
      'sol',
      'zec',
    ])
  })

  test('knows no status of other addresses, of addresses with a memo, or of none', async () => {
    bench = await openBench()
    const swap = await swapOf(bench.venue, bitcoinToBase())
    expect((await call('GET', `/v0/status?depositAddress=${refOf(swap)}`)).status).toBe(200)
    expect(await call('GET', `/v0/status?depositAddress=${WALLETS.bitcoin}`)).toMatchObject({
      status: 404,
      body: { message: `Deposit address ${WALLETS.bitcoin} not found` },
    })
    expect((await call('GET', `/v0/status?depositAddress=${refOf(swap)}&depositMemo=1`)).status).toBe(404)
    expect((await call('GET', '/v0/status')).status).toBe(400)
  })

  test('reports a whole swap with its quote, its deposits and its excess', async () => {
    bench = await openBench()
    const swap = await swapOf(bench.venue, bitcoinToBase())
    const txHash = await deposit(bench, swap, { amount: 1_500_000n })
    bench.clock.advance(20 * 60_000)
    expect((await call('GET', `/v0/status?depositAddress=${refOf(swap)}`)).body).toMatchObject({
      status: 'SUCCESS',
      quoteResponse: {
        signature: expect.any(String),
        quoteRequest: { amount: '1000000', referral: null },
        quote: { depositAddress: refOf(swap) },
      },
      swapDetails: {
        amountIn: '1000000',
        amountOut: swap.offer.outputAmount.toString(),
        depositedAmount: '1500000',
        // 500,000 sat too many, less 1,900 for sending them back.
        refundedAmount: '498100',
        originChainTxHashes: [
          { hash: txHash, explorerUrl: '' },
          { hash: expect.stringMatching(/^[0-9a-f]{64}$/), explorerUrl: '' },
        ],
        destinationChainTxHashes: [{ hash: bench.network.payouts[0]?.txHash, explorerUrl: '' }],
      },
    })
  })

  test('refunds the reason with the money', async () => {
    bench = await openBench()
    const swap = await swapOf(bench.venue, bitcoinToBase())
    await deposit(bench, swap, { amount: 400_000n })
    bench.clock.advance(2 * 60 * 60_000)
    expect((await call('GET', `/v0/status?depositAddress=${refOf(swap)}`)).body).toMatchObject({
      status: 'REFUNDED',
      swapDetails: { refundedAmount: '398100', refundReason: 'PARTIAL_DEPOSIT', amountOut: null, destinationChainTxHashes: [] },
    })
  })

  test.each([
    [{ depositAddress: WALLETS.bitcoin }, 400],
    [{ txHash: 'x' }, 400],
    [{ txHash: 'x', depositAddress: WALLETS.bitcoin }, 404],
    [{ txHash: 'x', depositAddress: WALLETS.bitcoin, more: 1 }, 400],
  ])('answers a deposit hint of %j with %i', async (body, status) => {
    bench = await openBench()
    expect((await call('POST', '/v0/deposit/submit', body)).status).toBe(status)
  })

  test('has nothing elsewhere', async () => {
    bench = await openBench()
    expect((await call('GET', '/v0/quote')).status).toBe(404)
    expect((await call('POST', '/v0/orders', {})).status).toBe(404)
    expect(bench.sim.onTransaction({ chainId: 1, from: WALLETS.evm, to: WALLETS.evm, data: '0x', value: 0n, txHash: '0x' })).toBe(
      false,
    )
  })

  test('scales and multiplies prices when told to', async () => {
    bench = await openBench()
    bench.faults.set('near-intents', 'price-x100', {}, 1)
    expect(((await quote()).body['quote'] as { amountOut: string }).amountOut).toBe('98136269500')
    bench.faults.set('near-intents', 'wrong-decimals', {}, 1)
    expect(((await quote()).body['quote'] as { amountOut: string }).amountOut).toBe('981362695000000000000')
  })
})
