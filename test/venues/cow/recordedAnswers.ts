import { recoverTypedDataAddress } from 'viem'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { provePayload } from '../../../engine/execution/payloadProof.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { orderTypedData } from '../../../engine/venues/cow/gpv2Order.ts'
import { anOrder } from '../../support/anOrder.ts'
import type { RecordedAnswer } from '../../support/recordedAnswers.ts'
import { never } from '../../support/venueKit/calls.ts'
import { cannedCow } from './support.ts'

/** `POST /quote` of a live order book, as published. */
type LiveQuote = {
  readonly quote: {
    readonly sellToken: string
    readonly buyToken: string
    readonly receiver: string | null
    readonly sellAmount: string
    readonly buyAmount: string
    readonly feeAmount: string
    readonly validTo: number
    readonly [field: string]: unknown
  }
  readonly from: string
  readonly expiration: string
  readonly [field: string]: unknown
}

const evm = (text: string): Address => addressOf('evm', text.toLowerCase())

/** The order that the recorded quote was for: everything it spends, to whoever it names. */
const orderOf = (chainId: ChainId, { quote, from }: LiveQuote): VenueOrder =>
  anOrder({
    from: [chainId, quote.sellToken],
    to: [chainId, quote.buyToken],
    amount: BigInt(quote.sellAmount) + BigInt(quote.feeAmount),
    sender: evm(from),
    recipient: evm(quote.receiver ?? from),
  })

/**
 * Quote, build, decode and proof of a recorded price. The document that its asker named is exchanged for ours, as the
 * book repeats whatever document it is asked with; every other field is as recorded.
 */
const acceptQuote =
  (chainId: ChainId, live: LiveQuote): RecordedAnswer['run'] =>
  async () => {
    const now = Date.parse(live.expiration.replace(/(\.[0-9]{3})[0-9]+Z$/, '$1Z')) - 30_000
    const { venue } = cannedCow(
      ({ body }) => {
        const { appData, appDataHash } = body as { appData: string; appDataHash: string }
        return { body: { ...live, quote: { ...live.quote, appData, appDataHash } } }
      },
      { now: () => now },
    )
    const order = orderOf(chainId, live)
    const { profile } = venue
    const offer = checkOffer({ offer: await venue.quote(order, never()), order, asked: order, profile, now })
    const sealed = { order, offer }
    const binding = order
    const execution = await venue.execute(sealed, binding, never())
    const problems = await provePayload(venue, execution, { sealed, binding, now })
    if (problems.length > 0) throw new Error(`not proved: ${problems.join('; ')}`)
    if (offer.outputAmount !== BigInt(live.quote.buyAmount)) throw new Error(`offers ${offer.outputAmount}`)
  }

/** `GET /orders/{uid}` of a live order book. */
type LiveOrder = {
  readonly uid: string
  readonly owner: string
  readonly sellToken: string
  readonly buyToken: string
  readonly receiver: string
  readonly sellAmount: string
  readonly buyAmount: string
  readonly validTo: number
  readonly appData: Hex
  readonly signature: Hex
  readonly [field: string]: unknown
}

const signerOf = (chainId: ChainId, { signature, ...order }: LiveOrder): Promise<Hex> => {
  const typedData = orderTypedData(chainId, {
    sellToken: evm(order.sellToken),
    buyToken: evm(order.buyToken),
    receiver: evm(order.receiver),
    sellAmount: BigInt(order.sellAmount),
    buyAmount: BigInt(order.buyAmount),
    validTo: order.validTo,
    appData: order.appData,
  })
  return recoverTypedDataAddress({ ...typedData, signature } as unknown as Parameters<typeof recoverTypedDataAddress>[0])
}

/** A live order is followed by nothing but its UID, and its signature is by its owner over what we would have built. */
const acceptOrder =
  (chainId: ChainId, live: LiveOrder): RecordedAnswer['run'] =>
  async () => {
    const { venue } = cannedCow(({ path }) => ({ body: path.endsWith('/status') ? { type: 'open' } : live }))
    const order = anOrder({
      from: [chainId, live.sellToken],
      to: [chainId, live.buyToken],
      amount: BigInt(live.sellAmount),
      sender: evm(live.owner),
      recipient: evm(live.receiver),
    })
    const minimum = toAmount(BigInt(live.buyAmount))
    const offer: Offer = {
      venue: 'cow',
      executionType: 'SIGNATURE',
      outputAmount: minimum,
      fee: { bps: 0, amount: toAmount(0n) },
      slippage: { isFirm: true, guaranteedMin: minimum },
      gasUnits: null,
      spender: null,
      nativeFee: toAmount(0n),
      estimatedTimeSeconds: null,
      expiresAt: null,
      decimals: { input: null, output: null },
      carry: { v: 1, quoteId: null },
    }
    const told = await venue.tracker?.track(live.uid, { order, offer, executed: null }, never())
    if (told?.state !== 'pending') throw new Error(`told as ${told?.state}`)
    const signer = await signerOf(chainId, live)
    if (signer.toLowerCase() !== live.owner) throw new Error(`signed by ${signer}`)
  }

export const recordedAnswers: readonly RecordedAnswer[] = [
  {
    name: '0.1 WETH to USDC on Ethereum, with a protocol fee',
    source: 'quote 1405054097, published with the order book tests of a Rust wallet',
    recordedAt: '2026-09-30',
    run: acceptQuote(1, {
      quote: {
        sellToken: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        buyToken: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
        receiver: '0x1111111111111111111111111111111111111111',
        sellAmount: '99474893617383870',
        buyAmount: '267722966',
        validTo: 1790788483,
        appData: '{}',
        appDataHash: '0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d',
        feeAmount: '525106382616130',
        gasAmount: '232610',
        gasPrice: '2257454033',
        sellTokenPrice: '1',
        kind: 'sell',
        partiallyFillable: false,
        sellTokenBalance: 'erc20',
        buyTokenBalance: 'erc20',
        signingScheme: 'eip712',
      },
      from: '0x1111111111111111111111111111111111111111',
      expiration: '2026-09-30T17:06:48.160625682Z',
      id: 1405054097,
      verified: true,
      protocolFeeBps: '2',
    }),
  },
  {
    name: '1 WETH to USDC on Ethereum, without a receiver',
    source: 'quote 1605402973 of https://api.cow.fi/mainnet/api/v1/quote, in a public collection of API captures',
    recordedAt: '2026-10-05',
    run: acceptQuote(1, {
      quote: {
        sellToken: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        buyToken: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
        receiver: null,
        sellAmount: '999806318615336778',
        buyAmount: '2717893685',
        validTo: 1791194261,
        appData: '0x0000000000000000000000000000000000000000000000000000000000000000',
        feeAmount: '193681384663222',
        gasAmount: '249698',
        gasPrice: '775662539',
        sellTokenPrice: '1',
        kind: 'sell',
        partiallyFillable: false,
        sellTokenBalance: 'erc20',
        buyTokenBalance: 'erc20',
        signingScheme: 'eip712',
      },
      from: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
      expiration: '2026-10-05T09:29:41.052386088Z',
      id: 1605402973,
      verified: true,
      protocolFeeBps: '2',
    }),
  },
  {
    name: '317,205 DAI to ETH on Ethereum, numbers with a fraction',
    source: 'https://github.com/cowprotocol/cow-sdk/tree/main/packages/order-book/src/quoteAmountsAndCosts',
    recordedAt: '2026-02-16',
    run: acceptQuote(1, {
      quote: {
        sellToken: '0x6b175474e89094c44da98b954eedeac495271d0f',
        buyToken: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
        receiver: '0xfb3c7eb936caa12b5a884d612393969a557d4307',
        sellAmount: '317204814000482464383280',
        buyAmount: '157816891535942031188',
        validTo: 1771249538,
        feeAmount: '115999517535616720',
        gasAmount: '236558.0000000000',
        gasPrice: '181514322.0000000',
        sellTokenPrice: '0.0004953452562941344',
        kind: 'sell',
        partiallyFillable: false,
        sellTokenBalance: 'erc20',
        buyTokenBalance: 'erc20',
        signingScheme: 'eip712',
      },
      from: '0xfb3c7eb936caa12b5a884d612393969a557d4307',
      expiration: '2026-02-16T13:17:38.649008980Z',
      id: 1081297372,
      verified: true,
      protocolFeeBps: '2',
    }),
  },
  {
    name: '0.1 USDC to WETH on Polygon, 4 % of it cost; shortened by its source',
    source: 'quote 8396734, published with the tests of a Rust agent toolkit',
    recordedAt: '2026-04-29',
    run: acceptQuote(137, {
      quote: {
        sellToken: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
        buyToken: '0x7ceb23fd6bc0add59e62ac25578270cff1b9f619',
        receiver: '0x9cb9ec43b1dcbe0ea37bfa9a99f2c9aae2ebf2eb',
        sellAmount: '96228',
        buyAmount: '41932174910877',
        validTo: 1777429803,
        appData: '0x0000000000000000000000000000000000000000000000000000000000000000',
        feeAmount: '3772',
        gasAmount: '208119',
        gasPrice: '198318424205',
        kind: 'sell',
        partiallyFillable: false,
        sellTokenBalance: 'erc20',
      },
      from: '0x9cb9ec43b1dcbe0ea37bfa9a99f2c9aae2ebf2eb',
      expiration: '2026-04-29T02:02:03.084220776Z',
      id: 8396734,
      verified: true,
      protocolFeeBps: '2',
    }),
  },
  {
    name: 'an open order of 20 USDC on Ethereum, with the signature of its owner',
    source: 'https://github.com/InvisibleSymbol/rocketwatch, the plugin for queued CoW orders',
    recordedAt: '2023-01-26',
    run: acceptOrder(1, {
      creationDate: '2023-01-25T04:48:02.751347Z',
      owner: '0x40586600a136652f6d0a6cc6a62b6bd1bef7ae9a',
      uid: '0x2f3750251ab20018addd59c7a9e57845782cdf21b9c53516dcdb9e3627ebb7e840586600a136652f6d0a6cc6a62b6bd1bef7ae9a63d9eef8',
      availableBalance: '108475037',
      executedBuyAmount: '0',
      executedSellAmount: '0',
      executedSellAmountBeforeFees: '0',
      executedFeeAmount: '0',
      invalidated: false,
      status: 'open',
      class: 'limit',
      surplusFee: '10050959',
      surplusFeeTimestamp: '2023-01-26T14:51:51.453450Z',
      executedSurplusFee: null,
      settlementContract: '0x9008d19f58aabd9ed0d60971565aa8510560ab41',
      fullFeeAmount: '13254445',
      isLiquidityOrder: false,
      sellToken: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      buyToken: '0x347a96a5bd06d2e15199b032f46fb724d6c73047',
      receiver: '0x40586600a136652f6d0a6cc6a62b6bd1bef7ae9a',
      sellAmount: '20000000',
      buyAmount: '17091759130902',
      validTo: 1675226872,
      appData: '0xc1164815465bff632c198b8455e9a421c07e8ce426c8cd1b59eef7b305b8ca90',
      feeAmount: '0',
      kind: 'sell',
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
      signingScheme: 'eip712',
      signature:
        '0x894e427c681f1b4d24604039966321ed59993ce2a1e17fffc742c8af954aa0b10cca77ce750ce60e3d7591b60c90417d333c1d83493abafb8a36d7778e6519a51c',
      interactions: { pre: [] },
    }),
  },
]
