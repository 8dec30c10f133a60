import {
  getQuoteAmountsAndCosts,
  ORDER_BOOK_PROD_CONFIG,
  OrderBookApi,
  OrderBookApiError,
  OrderKind,
  OrderQuoteSideKindSell,
  OrderStatus,
  PriceQuality,
} from '@cowprotocol/sdk-order-book'
import { getEthFlowTransaction, swapParamsToLimitOrderParams, type TradeParameters, TradingSdk } from '@cowprotocol/sdk-trading'
import { ViemAdapter } from '@cowprotocol/sdk-viem-adapter'
import fc from 'fast-check'
import { createPublicClient, custom } from 'viem'
import { mainnet } from 'viem/chains'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keccakText } from '../../engine/chains/evm/evmCodec.ts'
import { NATIVE } from '../../engine/core/asset.ts'
import type { Hex } from '../../engine/core/execution.ts'
import { netAmounts, type QuotedAmounts } from '../../engine/venues/cow/amounts.ts'
import { WALLETS } from '../support/anOrder.ts'
import { START_OF_TIME } from '../support/venueBench.ts'
import { account, never, refusalOf, swapOf, transactionOf, typedDataOf } from '../support/venueKit/calls.ts'
import {
  type Body,
  type CowBench,
  etherToUsdc,
  FEE_RECIPIENT,
  openBench,
  SETTINGS,
  sentBy,
  USDC,
  usdcToWeth,
  WETH,
} from '../venues/cow/support.ts'

/**
 * The official trading SDK uses the simulated order book and a node with one answer, and reaches no network. Its wallet adapter
 * depends on an older sdk-common than the trading SDK; the parts used here agree.
 */
const MAINNET = 1
const VALID_TO = START_OF_TIME / 1_000 + 1_800
const EVERY_CHAIN = [1, 56, 137, 8453, 42161, 43114, 59144] as const
const PROD_HOST = 'https://api.cow.fi'

/** It only estimates gas, always the same. */
const node = createPublicClient({
  chain: mainnet,
  transport: custom({
    request: ({ method }) =>
      method === 'eth_estimateGas' ? Promise.resolve('0xea60') : Promise.reject(new Error(`no node to ask ${method}`)),
  }),
})

/** Their own addresses of the order books, with the simulator for a host. */
const simulated = (baseUrl: string) =>
  Object.fromEntries(
    Object.entries(ORDER_BOOK_PROD_CONFIG).map(([chainId, url]) => [chainId, url.replace(PROD_HOST, baseUrl)]),
  ) as typeof ORDER_BOOK_PROD_CONFIG

let bench: CowBench
let orderBookApi: OrderBookApi
let sdk: TradingSdk
beforeEach(async () => {
  bench = await openBench()
  vi.spyOn(globalThis, 'fetch')
  orderBookApi = new OrderBookApi({ chainId: MAINNET, baseUrls: simulated(bench.baseUrl), backoffOpts: { numOfAttempts: 1 } })
  const adapter = new ViemAdapter({ provider: node, signer: account })
  sdk = new TradingSdk(
    { chainId: MAINNET, appCode: SETTINGS.APP_CODE },
    { orderBookApi },
    // Two versions of one abstract class, of the same methods.
    adapter as unknown as ConstructorParameters<typeof TradingSdk>[2],
  )
})
afterEach(async () => {
  const asked = vi.mocked(fetch).mock.calls.map(([url]) => String(url))
  vi.restoreAllMocks()
  await bench.close()
  expect(asked.filter((url) => !url.startsWith(bench.baseUrl))).toEqual([])
})

const trade = (wish: Partial<TradeParameters> = {}): TradeParameters => ({
  kind: OrderKind.SELL,
  sellToken: USDC,
  sellTokenDecimals: 6,
  buyToken: WETH,
  buyTokenDecimals: 18,
  amount: '1000000000',
  receiver: WALLETS.evmOther,
  slippageBps: 50,
  validTo: VALID_TO,
  partnerFee: { volumeBps: 30, recipient: FEE_RECIPIENT },
  ...wish,
})

const VERIFIED = { quoteRequest: { priceQuality: PriceQuality.VERIFIED } }

const lastBody = (): Body => bench.sent.at(-1)?.body as Body

describe('cow: the official SDK and the adapter, for the same order,', () => {
  test.each([
    [1_000_000_000n, 30, 50],
    [1_000_000_000n, 0, 50],
    [999_999_999_999n, 100, 1],
    [1_234_567n, 7, 5_000],
    [900_000n, 1, 100],
  ])(
    'selling %s with a fee of %i bps and a slippage of %i bps, calculate and sign the same amounts',
    async (amount, feeBps, slippageBps) => {
      const order = usdcToWeth({ amount, feeBps, slippageBps })
      const ours = await swapOf(bench.venue, order)
      const { partnerFee: _ours, ...feeless } = trade({ amount: amount.toString(), slippageBps })
      const charged = { ...feeless, partnerFee: { volumeBps: feeBps, recipient: FEE_RECIPIENT } }
      const { quoteResults } = await sdk.getQuote(feeBps > 0 ? charged : feeless, VERIFIED)
      const { afterPartnerFees, afterSlippage, costs, amountsToSign } = quoteResults.amountsAndCosts
      expect(ours.offer.outputAmount).toBe(afterPartnerFees.buyAmount)
      expect(ours.offer.slippage?.guaranteedMin).toBe(afterSlippage.buyAmount)
      expect(ours.offer.fee.amount).toBe(costs.partnerFee.amount)
      expect(amountsToSign).toEqual({ sellAmount: amount, buyAmount: ours.offer.slippage?.guaranteedMin })
    },
  )

  test('deduct the same amounts from a thousand other quotes', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 30n })
    const quoted = fc.record({
      sellAmount: amount,
      buyAmount: amount,
      feeAmount: fc.bigInt({ min: 0n, max: 10n ** 24n }),
      protocolFeeBps: fc.constantFrom('0', '0.3', '2', '12.5', '98'),
      partnerFeeBps: fc.integer({ min: 0, max: 100 }),
      slippageBps: fc.integer({ min: 1, max: 5_000 }),
    })
    const theirs = (each: QuotedAmounts) =>
      getQuoteAmountsAndCosts({
        orderParams: {
          kind: OrderKind.SELL,
          sellToken: USDC,
          buyToken: WETH,
          sellAmount: each.sellAmount.toString(),
          buyAmount: each.buyAmount.toString(),
          feeAmount: each.feeAmount.toString(),
          validTo: VALID_TO,
          appData: '{}',
          partiallyFillable: false,
          gasAmount: '0',
          gasPrice: '0',
          sellTokenPrice: '0',
        },
        protocolFeeBps: Number(each.protocolFeeBps),
        partnerFeeBps: each.partnerFeeBps,
        slippagePercentBps: each.slippageBps,
      })
    fc.assert(
      fc.property(quoted, (each) => {
        const { afterPartnerFees, afterSlippage, costs } = theirs(each)
        const expected = afterPartnerFees.buyAmount
        // Where fees eat the whole, our adapter declines.
        fc.pre(expected >= 0n)
        expect(netAmounts(each)).toEqual({ partnerFee: costs.partnerFee.amount, expected, minimum: afterSlippage.buyAmount })
      }),
      { numRuns: 1_000 },
    )
  })

  test('sign the same types, domain and fields, except for the app data', async () => {
    const { execution } = await swapOf(bench.venue, usdcToWeth())
    const { domain, message, primaryType, types } = typedDataOf(execution)
    const { quoteResults } = await sdk.getQuote(trade(), VERIFIED)
    const theirs = quoteResults.orderTypedData
    const { appData: _ours, ...ourOrder } = message
    const { appData: _theirs, ...theirOrder } = theirs.message
    expect(theirOrder).toEqual(ourOrder)
    expect([theirs.primaryType, theirs.types['Order'], theirs.domain]).toEqual([primaryType, types['Order'], domain])
    // Hashed by each side's own library from its own text.
    expect(quoteResults.appDataInfo.appDataKeccak256).toBe(lastBody()['appDataHash'])
  })

  test('place the same order for a native coin', async () => {
    const ours = await swapOf(bench.venue, etherToUsdc())
    const { quoteId, appData } = ours.execution.evidence as { quoteId: number; appData: string }
    const parameters = trade({
      sellToken: NATIVE,
      sellTokenDecimals: 18,
      buyToken: USDC,
      buyTokenDecimals: 6,
      amount: `${10n ** 18n}`,
    })
    const { quoteResults } = await sdk.getQuote(parameters, VERIFIED)
    const { quote, protocolFeeBps } = quoteResults.quoteResponse
    expect(lastBody()).toMatchObject({ sellToken: WETH, onchainOrder: true, signingScheme: 'eip1271', verificationGasLimit: 0 })
    expect(BigInt(quoteResults.orderToSign.buyAmount)).toBe(ours.offer.slippage?.guaranteedMin)

    const limit = swapParamsToLimitOrderParams(parameters, quoteResults.quoteResponse)
    const costs = { networkCostsAmount: quote.feeAmount, protocolFeeBps: Number(protocolFeeBps) }
    // Of our quote and our document, as the two sides have one each.
    const { orderId, transaction } = await getEthFlowTransaction(keccakText(appData), { ...limit, quoteId }, MAINNET, costs)
    const { to, data, value } = transactionOf(ours.execution)
    expect({ to: transaction.to.toLowerCase(), value: BigInt(transaction.value) }).toEqual({ to: to.toLowerCase(), value })
    const MINIMUM = 3
    const words = (text: string) => text.slice(10).match(/.{64}/g) ?? []
    const minimumIn = (text: string) => BigInt(`0x${words(text)[MINIMUM]}`)
    expect(words(transaction.data).toSpliced(MINIMUM, 1)).toEqual(words(data).toSpliced(MINIMUM, 1))
    // Native orders that would be one are told apart by us in the minimum beforehand, by the SDK when they meet.
    expect(minimumIn(data) - minimumIn(transaction.data)).toBe(BigInt(quoteId) % 8n)

    // The order book knows it by the UID that the SDK computed, once it is mined.
    await orderBookApi.uploadAppData(keccakText(appData), appData)
    const sent = { data: transaction.data as Hex, value: BigInt(transaction.value), txHash: `0x${'a'.repeat(64)}` }
    bench.sim.onTransaction(sentBy(ours, sent))
    bench.clock.advance(3_000)
    expect(await orderBookApi.getOrder(orderId)).toMatchObject({
      uid: orderId,
      status: OrderStatus.OPEN,
      owner: account.address.toLowerCase(),
    })
  })
})

describe('cow: the official SDK on the simulated order book', () => {
  test('quotes, signs, posts and follows an order to its fill', async () => {
    const { quoteResults, postSwapOrderFromQuote } = await sdk.getQuote(trade(), VERIFIED)
    expect(fetch).toHaveBeenCalledTimes(1)
    const { orderId, orderToSign } = await postSwapOrderFromQuote(VERIFIED)
    expect(await orderBookApi.getOrder(orderId)).toMatchObject({
      uid: orderId,
      status: OrderStatus.OPEN,
      owner: account.address.toLowerCase(),
      buyAmount: orderToSign.buyAmount,
      appData: quoteResults.appDataInfo.appDataKeccak256,
      fullAppData: quoteResults.appDataInfo.fullAppData,
      totalFee: '0',
    })
    expect(await orderBookApi.getOrders({ owner: account.address })).toEqual([expect.objectContaining({ uid: orderId })])
    expect(await orderBookApi.getOrderCompetitionStatus(orderId)).toEqual({ type: 'open' })

    bench.clock.advance(14_000)
    const order = await orderBookApi.getOrder(orderId)
    expect(order).toMatchObject({ status: OrderStatus.FULFILLED, executedSellAmount: '1000000000' })
    expect(BigInt(order.executedBuyAmount)).toBeGreaterThanOrEqual(BigInt(orderToSign.buyAmount))
    const [fill] = await orderBookApi.getTrades({ orderUid: orderId })
    expect(fill).toMatchObject({ orderUid: orderId, buyAmount: order.executedBuyAmount, txHash: expect.stringMatching(/^0x/) })
  })

  test('quotes a buy order, with costs added to the sold amount', async () => {
    const { quoteResults } = await sdk.getQuote(trade({ kind: OrderKind.BUY, amount: '250000000000000000' }), VERIFIED)
    const { beforeNetworkCosts, afterNetworkCosts, amountsToSign } = quoteResults.amountsAndCosts
    const { feeAmount } = quoteResults.quoteResponse.quote
    expect(afterNetworkCosts.sellAmount - beforeNetworkCosts.sellAmount).toBe(BigInt(feeAmount))
    expect(amountsToSign.buyAmount).toBe(250_000_000_000_000_000n)
    expect(amountsToSign.sellAmount).toBeGreaterThan(afterNetworkCosts.sellAmount)
  })

  test('reads a refusal as its own error, with the fields that the adapter reads', async () => {
    const asked = sdk.getQuote(trade({ amount: '500000' }), VERIFIED)
    const error: unknown = await asked.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(OrderBookApiError)
    expect((error as OrderBookApiError).body).toMatchObject({
      errorType: 'SellAmountDoesNotCoverFee',
      data: { fee_amount: '800000' },
    })
    const ours = await refusalOf(bench.venue.quote(usdcToWeth({ amount: 500_000n }), never()))
    expect(ours).toMatchObject({ kind: 'amountTooSmall', minimum: 800_001n })
  })

  test('quotes without app data, and receives the empty document', async () => {
    const asked = { sellToken: USDC, buyToken: WETH, from: account.address, receiver: account.address }
    const side = { kind: OrderQuoteSideKindSell.SELL, sellAmountBeforeFee: '1000000000' }
    const { quote } = await orderBookApi.getQuote({ ...asked, ...side, priceQuality: PriceQuality.VERIFIED })
    // As answered by the live order book on 2026-09-30.
    const hash = '0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d'
    expect(quote).toMatchObject({ appData: '{}', appDataHash: hash })
  })

  test.each(EVERY_CHAIN)('finds the order book of chain %i, its version and the price of its coin', async (chainId) => {
    expect(await orderBookApi.getVersion({ chainId })).toMatch(/^v[0-9.]+$/)
    expect(await orderBookApi.getNativePrice(NATIVE, { chainId })).toEqual({ price: 1 })
  })
})
