import { createRequire } from 'node:module'
import { HttpClient } from '@chainflip/rpc'
import { createVaultParamsDecoder } from '@chainflip/scale/codecs'
import type * as sdk from '@chainflip/sdk/swap'
import { bytesToHex, hexToBytes } from '@chainflip/utils/bytes'
import { assetConstants, assetContractId, chainContractId } from '@chainflip/utils/chainflip'
import * as ss58 from '@chainflip/utils/ss58'
import { Bytes } from 'scale-ts'
import { describe, expect, test } from 'vitest'
import { accountIdOf } from '../../engine/venues/chainflip/accounts.ts'
import { readVaultCall } from '../../engine/venues/chainflip/decode.ts'
import { WIRE_ASSETS, wireChainOf } from '../../engine/venues/chainflip/protocol.ts'
import { WALLETS } from '../support/anOrder.ts'
import { closedAfterEach } from '../support/venueKit/benches.ts'
import { depositOf, swapOf, transactionOf } from '../support/venueKit/calls.ts'
import { BROKER, deposit, openBench, orders, VAULT, WITH_BROKER } from '../venues/chainflip/support.ts'
import { judgeByTypes } from './typeJudge.ts'

/** Published packages: @chainflip/sdk 1.11.2, rpc 1.11.15, scale and utils 2.3.3. */

// Its other module asks for names of what it needs for a broker of one's own alone, which is not installed.
const { SwapSDK } = createRequire(import.meta.url)('@chainflip/sdk/swap') as typeof sdk

const open = closedAfterEach(openBench)

type Body = { readonly srcAsset: string; readonly srcChain: string; readonly destAsset: string; readonly destChain: string }
type Api = { openSwapDepositChannel(asked: { readonly body: Body }): Promise<unknown> }

/** Version 2.3 of the backend takes an asset with its chain: 1.11.2 of the SDK names them apart when it opens a channel. */
const asSince23 = (api: Api): Api => ({
  ...api,
  openSwapDepositChannel: ({ body: { srcAsset, srcChain, destAsset, destChain, ...body } }) => {
    const assets = { srcAsset: { asset: srcAsset, chain: srcChain }, destAsset: { asset: destAsset, chain: destChain } }
    return api.openSwapDepositChannel({ body: { ...body, ...assets } as never })
  },
})

const sdkAt = (backendUrl: string) => {
  const client = new SwapSDK({ network: 'mainnet', backendUrl })
  // Limits come from a node of the State Chain, which tells ours nothing of them.
  Object.assign(client, { validateSwapAmount: async () => undefined })
  Object.assign(client, { apiClient: asSince23(Reflect.get(client, 'apiClient') as Api) })
  return client
}

const toBitcoin = {
  srcChain: 'Ethereum',
  srcAsset: 'ETH',
  destChain: 'Bitcoin',
  destAsset: 'BTC',
  amount: String(10n ** 18n),
} as const
const fromBitcoin = { srcChain: 'Bitcoin', srcAsset: 'BTC', destChain: 'Ethereum', destAsset: 'USDC', amount: '5000000' } as const

const bounds = (refundAddress: string) =>
  ({ slippageTolerancePercent: '2', retryDurationBlocks: 300, refundAddress, livePriceSlippageTolerancePercent: false }) as const

const readParameters = createVaultParamsDecoder(Bytes(20), (bytes: Uint8Array) => bytesToHex(bytes))
const parametersOf = async (call: Parameters<typeof readVaultCall>[0]) => {
  const { cfParameters = '0x' } = (await readVaultCall(call)) ?? {}
  return readParameters(hexToBytes(cfParameters))
}

/**
 * The SDK's own types, of which nothing that is undefined is on the wire; version 2.3 of the backend leaves out what nothing is
 * to be said of, and what the SDK calls deprecated.
 */
const PREAMBLE = [
  "import type { SwapSDK } from '@chainflip/sdk/swap'",
  "type LeftOut = 'swapId' | 'isVaultSwap' | 'isOnChain' | 'brokerCommissionBps' | 'affiliateBrokers'",
  'type May<T, K extends keyof T> = undefined extends T[K] ? true : K extends LeftOut ? true : false',
  'type Left<T> = { readonly [K in keyof T as May<T, K> extends true ? K : never]?: Wire<T[K]> }',
  'type Sure<T> = { readonly [K in keyof T as May<T, K> extends true ? never : K]: Wire<T[K]> }',
  'type Wire<T> = T extends readonly (infer E)[] ? readonly Wire<E>[] : T extends object ? Left<T> & Sure<T> : T',
  "type Told<K extends 'getStatusV2' | 'getQuoteV2'> = Wire<Awaited<ReturnType<SwapSDK[K]>>>",
]

type Quoted = Awaited<ReturnType<sdk.SwapSDK['getQuoteV2']>>['quotes'][number]
const quoteOf = async (client: sdk.SwapSDK, question: Parameters<typeof client.getQuoteV2>[0]): Promise<Quoted> => {
  const { quotes } = await client.getQuoteV2(question)
  const [quote] = quotes
  if (!quote || quotes.length > 1) throw new Error('not one quote')
  return quote
}

describe('chainflip: the published SDK', () => {
  test('reads the price that the adapter offers, and the share of the input for fees', async () => {
    const bench = await open()
    const { offer } = await swapOf(bench.venue, orders.ether())
    const quote = await quoteOf(sdkAt(bench.baseUrl), { ...toBitcoin, isVaultSwap: true })
    expect(quote).toMatchObject({ type: 'REGULAR', isVaultSwap: true, egressAmount: String(offer.outputAmount) })
    const feeOf = (type: string) => Number(quote.includedFees.find((fee) => fee.type === type)?.amount ?? 0)
    // One ether, of which nothing is kept on its way in.
    expect(feeOf('INGRESS')).toBe(0)
    expect(Number(quote.estimatedPrice)).toBeCloseTo((Number(offer.outputAmount) + feeOf('EGRESS')) / 1e8, 12)
    const other = await quoteOf(sdkAt(bench.baseUrl), fromBitcoin)
    const [taken = 0, sent = 0] = ['INGRESS', 'EGRESS'].map((type) => other.includedFees.find((fee) => fee.type === type)?.amount)
    const price = (Number(other.egressAmount) + Number(sent)) / 1e6 / ((5_000_000 - Number(taken)) / 1e8)
    expect(Number(other.estimatedPrice)).toBeCloseTo(price, 6)
  })

  test('encodes the same vault call as the adapter, except for the minimum price', async () => {
    const bench = await open()
    const client = sdkAt(bench.baseUrl)
    const quote = await quoteOf(client, { ...toBitcoin, isVaultSwap: true })
    const encoded = await client.encodeVaultSwapData({
      ...{ quote, destAddress: WALLETS.bitcoin, fillOrKillParams: bounds(WALLETS.evm) },
    })
    if (encoded.chain !== 'Ethereum') throw new Error(encoded.chain)
    const { execution } = await swapOf(bench.venue, orders.ether())
    const ours = transactionOf(execution)
    expect([encoded.to, encoded.value]).toEqual([VAULT.ethereum, ours.value])
    const theirs = { ...ours, data: encoded.calldata as never }
    const [{ cfParameters: _, ...call } = {}, { cfParameters: __, ...other } = {}] = [
      (await readVaultCall(ours)) ?? {},
      (await readVaultCall(theirs)) ?? {},
    ] as readonly Record<string, unknown>[]
    expect(other).toEqual(call)
    const [read, again] = [await parametersOf(ours), await parametersOf(theirs)]
    if (!read.ok || !again.ok) throw new Error('not read')
    const { minPriceX128: bound } = again.value.refundParams
    expect(read.value).toEqual({
      ...again.value,
      refundParams: { ...again.value.refundParams, minPriceX128: read.value.refundParams.minPriceX128 },
    })
    // Two in a hundred below today's price: theirs before what sending costs, ours after it, and that at its most.
    const wished = (BigInt(Math.round(Number(quote.estimatedPrice) * 0.98 * 1e8)) << 128n) / 10n ** 18n
    expect(Number(BigInt(bound)) / Number(wished)).toBeCloseTo(1, 6)
    expect(Number(read.value.refundParams.minPriceX128) / Number(bound)).toBeCloseTo(1, 2)
  })

  test('opens a channel and follows it to the end by its own types', async () => {
    const bench = await open()
    const client = sdkAt(bench.baseUrl)
    const quote = await quoteOf(client, fromBitcoin)
    const opened = await client.requestDepositAddressV2({
      ...{ quote, destAddress: WALLETS.evmOther, fillOrKillParams: bounds(WALLETS.bitcoin) },
    })
    expect(opened).toMatchObject({ depositChannelId: expect.stringMatching(/^\d+-Bitcoin-\d+$/), brokerCommissionBps: 0 })
    const status = () => client.getStatusV2({ id: opened.depositChannelId })
    const waiting = await status()
    expect(waiting).toMatchObject({
      state: 'WAITING',
      depositChannel: { depositAddress: opened.depositAddress, isExpired: false },
    })
    expect(waiting.fillOrKillParams).toMatchObject({ refundAddress: WALLETS.bitcoin, retryDurationBlocks: 300 })
    // The books tell the lowest price as the SDK asked for it.
    const least = Number(quote.estimatedPrice) * 0.98
    expect(Number(waiting.fillOrKillParams?.minPrice) / least).toBeCloseTo(1, 6)
    const txRef = await bench.world.bitcoin.transfer({ to: opened.depositAddress, amount: 5_000_000n })
    bench.sim.onDeposit({
      chainId: -1,
      address: opened.depositAddress,
      amount: 5_000_000n,
      token: orders.bitcoin().input.address,
      txHash: txRef,
    })
    const seen = await status()
    await bench.schedule.advance(2 * 3_600_000)
    const done = await status()
    expect([seen.state, done.state]).toEqual(['RECEIVING', 'COMPLETED'])
    expect(done).toMatchObject({ deposit: { txRef, amount: '5000000' }, swapEgress: { amount: quote.egressAmount } })
    const faults = judgeByTypes(PREAMBLE, [
      ["Told<'getQuoteV2'>['quotes'][number]", quote],
      ["Told<'getStatusV2'>", waiting],
      ["Told<'getStatusV2'>", seen],
      ["Told<'getStatusV2'>", done],
      ["Told<'getStatusV2'>", { ...done, state: 'OVER' }],
    ])
    expect(faults.slice(0, -1)).toEqual([[], [], [], []])
    expect(faults.at(-1)).not.toEqual([])
  })

  test('reads a refund and a too small deposit by its own types', async () => {
    const bench = await open()
    const client = sdkAt(bench.baseUrl)
    const ended = async (amount: bigint) => {
      const swap = await swapOf(bench.venue, orders.bitcoin())
      await deposit(bench, swap, { amount })
      await bench.schedule.advance(6 * 3_600_000)
      return client.getStatusV2({ id: (swap.execution.carry as { readonly channelId: string }).channelId })
    }
    const ignored = await ended(400n)
    bench.faults.set('chainflip', 'never-fills', {}, 1)
    const refunded = await ended(5_000_000n)
    expect(ignored).toMatchObject({ state: 'FAILED', deposit: { failure: { mode: 'DEPOSIT_IGNORED' } } })
    expect(refunded).toMatchObject({ state: 'COMPLETED', refundEgress: { txRef: expect.any(String) } })
    expect(refunded).not.toHaveProperty('swapEgress')
    const faults = judgeByTypes(PREAMBLE, [
      // Why is said by a name, which the SDK's type calls a code.
      ["Told<'getStatusV2'>", { ...ignored, deposit: { amount: '400' } }],
      ["Told<'getStatusV2'>", refunded],
      ["Told<'getStatusV2'>", { ...refunded, refundEgress: {} }],
    ])
    expect(faults.slice(0, -1)).toEqual([[], []])
    expect(faults.at(-1)).not.toEqual([])
  })

  test('follows a swap of the adapter, and receives the errors of the backend', async () => {
    const bench = await open()
    const client = sdkAt(bench.baseUrl)
    const swap = await swapOf(bench.venue, orders.sol())
    const { channelId } = swap.execution.carry as { readonly channelId: string }
    await deposit(bench, swap)
    await bench.schedule.advance(3_600_000)
    const { address } = depositOf(swap.execution)
    expect(await client.getStatusV2({ id: channelId })).toMatchObject({
      ...{ state: 'COMPLETED', destAddress: WALLETS.evmOther, depositChannel: { id: channelId, depositAddress: address } },
      swapEgress: { amount: String(swap.offer.outputAmount) },
    })
    const refusal = (message: string | RegExp, status: number) => ({
      response: { status, data: { message: expect.stringMatching(message) } },
    })
    await expect(client.getStatusV2({ id: '1-Bitcoin-1' })).rejects.toMatchObject(refusal('resource not found', 404))
    await expect(client.getQuoteV2({ ...fromBitcoin, amount: '5' })).rejects.toMatchObject(
      refusal(/below minimum swap amount/, 400),
    )
    const ofNobody = { ...fromBitcoin, srcAsset: 'ETH' } as const
    await expect(client.getQuoteV2(ofNobody)).rejects.toMatchObject(refusal('invalid request', 400))
  })

  test('reads the enabled assets', async () => {
    const bench = await open()
    expect(await sdkAt(bench.baseUrl).checkBoostEnabled()).toBe(true)
  })
})

test('chainflip: the published node client reads the vaults that the adapter calls', async () => {
  const bench = await open()
  const vaults = await new HttpClient(`${bench.baseUrl}/rpc`).sendRequest('cf_get_vault_addresses')
  expect(vaults).toEqual({ Ethereum: VAULT.ethereum.toLowerCase(), Arbitrum: VAULT.arbitrum.toLowerCase(), Bitcoin: new Map() })
  await expect(new HttpClient(`${bench.baseUrl}/rpc`).sendRequest('cf_supported_assets')).rejects.toThrow('Method not found')
})

describe('chainflip: the published codecs', () => {
  test.each(['usdc', 'ether'] as const)('decode the payload of the adapter to the last byte: %s', async (name) => {
    const bench = await open({ settings: WITH_BROKER })
    const order = orders[name]({ feeBps: 30 })
    const { execution } = await swapOf(bench.venue, order)
    const read = await parametersOf(transactionOf(execution))
    if (!read.ok) throw new Error(String(read.reason))
    expect(read.value).toEqual({
      ccmAdditionalData: null,
      refundParams: {
        retryDurationBlocks: name === 'ether' ? 300 : 50,
        refundAddress: WALLETS.evm.toLowerCase(),
        minPriceX128: expect.stringMatching(/^\d+$/),
        maxOraclePriceSlippage: null,
        refundCcmMetadata: null,
      },
      dcaParams: null,
      boostFee: 0,
      brokerFees: { account: BROKER, commissionBps: 30 },
      affiliateFees: [],
    })
  })

  test('have the same asset names, decimals and numbers', () => {
    for (const { name, chain, symbol, decimals, contractId, asset } of WIRE_ASSETS) {
      const theirs = assetConstants[name as keyof typeof assetConstants]
      expect({ chain, symbol, decimals }, name).toEqual(theirs)
      expect(contractId, name).toBe(assetContractId[name as keyof typeof assetContractId])
      expect(wireChainOf(asset.chainId)?.contractId, name).toBe(chainContractId[chain as keyof typeof chainContractId])
    }
  })

  test('encode State Chain accounts as the adapter decodes them', () => {
    const { data, ss58Format } = ss58.decode(BROKER)
    expect([bytesToHex(data), ss58Format]).toEqual([accountIdOf(BROKER), 2112])
    expect(ss58.encode({ data: hexToBytes(accountIdOf(BROKER) ?? '0x'), ss58Format: 2112 })).toBe(BROKER)
  })
})
