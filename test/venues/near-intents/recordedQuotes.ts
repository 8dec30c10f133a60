import type { QuoteResponse } from '../../../engine/venues/near-intents/wire.ts'

/** A quote of the live venue, word for word but for what `blanked` says. */
export type RecordedQuote = {
  readonly name: string
  readonly source: string
  readonly recordedAt: string
  readonly answer: QuoteResponse
  /** Set where its publisher took the addresses and the signature out; plain ones of the same chains stand in for them. */
  readonly blanked?: true
  readonly refusedBecause?: string
}

const VENUE_FEE = '5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd'
const USDC_BASE = 'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near'
const USDC_SOLANA = 'nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near'
const ZCASH =
  'u1cv7rewjqmj395gla0zzfz669ntf6cr5hx9n983ct5t4dv0gphgyg5qjqe5re6ue5menlw94876wp0q90uf2cskh75rfvfejr564x8heq9zrs5p40n0fhqvehy8sjgxy0eu58l87w2mk48y3j07ggvgw5z5lncusl6y2a03rqau44ha2g'
const ON_CHAINS = { depositType: 'ORIGIN_CHAIN', refundType: 'ORIGIN_CHAIN', recipientType: 'DESTINATION_CHAIN' }

const A_DART_TEST = 'a Dart wallet’s tests on GitHub, "captured from https://1click.chaindefuser.com"; also in this venue’s sheet'
const SDK_TESTS = 'github.com/defuse-protocol/one-click-sdk-typescript, src/__tests__/quote-signature.test.ts (staging)'

/** Signed with the key of production, but for the one whose signature was blanked. */
export const PRODUCTION_QUOTES: readonly RecordedQuote[] = [
  {
    name: 'USDC on Arbitrum to USDC on Base, real',
    source: 'github.com/dfinity/oisy-wallet, src/frontend/src/tests/lib/utils/near-intents-quote.utils.spec.ts at 8ff68fe',
    recordedAt: '2026-08-27',
    answer: {
      timestamp: '2026-08-27T07:11:44.188Z',
      signature: 'ed25519:41SSU61qeMdkRzUyzenvev239aziPQT86qBwG6u2xzr1rSbaG7oRZjVAYsK8MrUAtVnwUpCqmhfRFmnoeRsH816E',
      quoteRequest: {
        dry: false,
        swapType: 'EXACT_INPUT',
        slippageTolerance: 100,
        originAsset: 'nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near',
        destinationAsset: USDC_BASE,
        amount: '10000000',
        refundTo: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
        recipient: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
        ...ON_CHAINS,
        deadline: '2026-08-27T07:21:43.997Z',
        quoteWaitingTimeMs: 0,
      },
      quote: {
        amountIn: '10000000',
        amountInFormatted: '10.0',
        amountInUsd: '9.999200000000',
        minAmountIn: '10000000',
        amountOut: '9986764',
        amountOutFormatted: '9.986764',
        amountOutUsd: '9.985965058880',
        minAmountOut: '9886896',
        timeEstimate: 27,
        refundFee: '5300',
        withdrawFee: '2400',
        deadline: '2026-08-30T07:21:43.997Z',
        timeWhenInactive: '2026-08-30T07:21:43.997Z',
        depositAddress: '0xE7fDD0A40C1fD2214c5df75A0CF6f03891489834',
        depositMemo: null,
      },
    },
  },
  {
    name: 'USDC on Base to ether on Base, real; the tolerance was taken before the withdrawal fee',
    source:
      'github.com/cowprotocol/cow-sdk, packages/bridging/src/providers/near-intents/NearIntentsBridgeProvider.test.ts at 8a756e8',
    recordedAt: '2025-09-05',
    blanked: true,
    answer: {
      timestamp: '2025-09-05T12:00:38.695Z',
      quoteRequest: {
        dry: false,
        swapType: 'EXACT_INPUT',
        depositMode: 'SIMPLE',
        slippageTolerance: 50,
        originAsset: USDC_BASE,
        destinationAsset: 'nep141:base.omft.near',
        amount: '52000000',
        refundTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        recipient: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
        ...ON_CHAINS,
        deadline: '2025-09-05T12:10:38.605Z',
        appFees: [{ recipient: 'recipient', fee: 10 }],
      },
      quote: {
        amountIn: '52000000',
        amountInFormatted: '52.0',
        amountInUsd: '51.9897',
        minAmountIn: '52000000',
        amountOut: '11760237526222378',
        amountOutFormatted: '0.011760237526222378',
        amountOutUsd: '51.9508',
        minAmountOut: '11701433538591266',
        timeEstimate: 37,
        deadline: '2025-09-06T12:00:41.894Z',
        timeWhenInactive: '2025-09-06T12:00:41.894Z',
      },
    },
  },
  {
    name: 'SOL to ZEC, dry',
    source: A_DART_TEST,
    recordedAt: '2026-10-02',
    refusedBecause: 'Zcash is no chain of ours',
    answer: {
      timestamp: '2026-10-02T18:27:31.021Z',
      signature: 'ed25519:2ropA8ZmwCtjhAWYvXM6AgK2YuxqWz8sVn8uoUxTtavHCZ9t9mddVurBzYXGtTcSbrjMgGFCP67UpnSKoqx2omrT',
      quoteRequest: {
        dry: true,
        depositMode: 'SIMPLE',
        swapType: 'EXACT_INPUT',
        slippageTolerance: 100,
        originAsset: 'nep141:sol.omft.near',
        destinationAsset: 'nep141:zec.omft.near',
        amount: '1000000000',
        refundTo: '13QkxhNMrTPxoCkRdYdJ65tFuwXPhL5gLS2Z5Nr6gjRK',
        recipient: ZCASH,
        ...ON_CHAINS,
        deadline: '2026-10-02T18:57:30.000Z',
        quoteWaitingTimeMs: 0,
        appFees: [{ recipient: VENUE_FEE, fee: 20 }],
      },
      quote: {
        amountIn: '1000000000',
        amountInFormatted: '1.0',
        amountInUsd: '118.980000000000',
        minAmountIn: '1000000000',
        amountOut: '8848584',
        amountOutFormatted: '0.08848584',
        amountOutUsd: '118.980000000000',
        minAmountOut: '8760098',
        timeEstimate: 135,
        refundFee: '86690',
        withdrawFee: '32000',
      },
    },
  },
  {
    name: 'USDC on Solana to ZEC, real',
    source: A_DART_TEST,
    recordedAt: '2026-10-02',
    refusedBecause: 'Zcash is no chain of ours',
    answer: {
      timestamp: '2026-10-02T18:29:39.675Z',
      signature: 'ed25519:4hT7wJUSrkvuhbHAUdFC7HmtrPoCPzgUzqvZT5iwgLZWnKDWEucjKi1pvamzHVLA4q3ZFEGav6WYpiGeHEjGZ4Pt',
      quoteRequest: {
        dry: false,
        depositMode: 'SIMPLE',
        swapType: 'EXACT_INPUT',
        slippageTolerance: 100,
        originAsset: USDC_SOLANA,
        destinationAsset: 'nep141:zec.omft.near',
        amount: '5000000',
        refundTo: '13QkxhNMrTPxoCkRdYdJ65tFuwXPhL5gLS2Z5Nr6gjRK',
        recipient: ZCASH,
        ...ON_CHAINS,
        deadline: '2026-10-02T18:59:39.000Z',
        referral: 'deadman',
        quoteWaitingTimeMs: 0,
        appFees: [{ recipient: VENUE_FEE, fee: 20 }],
      },
      quote: {
        amountIn: '5000000',
        amountInFormatted: '5.0',
        amountInUsd: '4.999690000000',
        minAmountIn: '5000000',
        amountOut: '340565',
        amountOutFormatted: '0.00340565',
        amountOutUsd: '4.575899453000',
        minAmountOut: '337159',
        timeEstimate: 137,
        refundFee: '318834',
        withdrawFee: '32000',
        deadline: '2026-10-05T18:59:39.000Z',
        timeWhenInactive: '2026-10-05T18:59:39.000Z',
        depositAddress: 'E5RdW4ip1B4wx1Loy83zr2dVadYywJazHvB22JBKq1Dg',
      },
    },
  },
  {
    name: 'USDT on Solana to ZEC, dry',
    source: A_DART_TEST,
    recordedAt: '2026-10-04',
    refusedBecause: 'Zcash is no chain of ours',
    answer: {
      timestamp: '2026-10-04T14:06:13.145Z',
      signature: 'ed25519:5HwcYyR12bLiWnHsH1FcNMrutyk4CJBLaSWx2cWB27Bdsx2FuzvDxcEtK6ScK6AW12tba2fLpwpG51oFwYtyfqdM',
      quoteRequest: {
        dry: true,
        depositMode: 'SIMPLE',
        swapType: 'EXACT_INPUT',
        slippageTolerance: 100,
        originAsset: 'nep141:sol-c800a4bd850783ccb82c2b2c7e84175443606352.omft.near',
        destinationAsset: 'nep141:zec.omft.near',
        amount: '5000000',
        refundTo: '13QkxhNMrTPxoCkRdYdJ65tFuwXPhL5gLS2Z5Nr6gjRK',
        recipient: 'u1ddnjsdcpm36r6aq79n3s68shjweksnmwtdltrh046s8m6xcws9ygyawalxx8n6hg6vegk0wh8zjnafxgh6msppjsljvyt0ynece3lvm0',
        ...ON_CHAINS,
        deadline: '2026-10-04T14:36:12.000Z',
        referral: 'deadman',
        quoteWaitingTimeMs: 0,
        appFees: [{ recipient: VENUE_FEE, fee: 20 }],
      },
      quote: {
        amountIn: '5000000',
        amountInFormatted: '5.0',
        amountInUsd: '4.999465000000',
        minAmountIn: '5000000',
        amountOut: '343848',
        amountOutFormatted: '0.00343848',
        amountOutUsd: '4.566954751200',
        minAmountOut: '340409',
        timeEstimate: 135,
        refundFee: '327872',
        withdrawFee: '32000',
      },
    },
  },
  {
    name: 'USDG on Robinhood Chain to USDC on Base, real, of a flexible amount',
    source: 'github.com/ophis-fi/ophis, the tests of its NEAR Intents provider',
    recordedAt: '2026-09-22',
    refusedBecause: 'a flexible amount, and from Robinhood Chain, which the venue’s documents do not list yet',
    answer: {
      timestamp: '2026-09-22T10:37:50.707Z',
      signature: 'ed25519:3V9PwF55PRz1yTLoVG7a7d2nEboD2qPVHWyMWjWfWYCDcFCdLawStiMHPGmnahQfMyrcWFehajAbNXwqG9Kbx3FQ',
      quoteRequest: {
        dry: false,
        depositMode: 'SIMPLE',
        swapType: 'FLEX_INPUT',
        slippageTolerance: 100,
        originAsset: 'nep141:hood-0x5fc5360d0400a0fd4f2af552add042d716f1d168.omft.near',
        destinationAsset: USDC_BASE,
        amount: '100000000',
        refundTo: '0x1111111111111111111111111111111111111111',
        recipient: '0x1111111111111111111111111111111111111111',
        ...ON_CHAINS,
        deadline: '2026-09-22T11:37:50.567Z',
        referral: 'ophis',
        quoteWaitingTimeMs: 0,
        appFees: [
          { recipient: '0x858f0F5eE954846D47155F5203c04aF1819eCeF8', fee: 3 },
          { recipient: VENUE_FEE, fee: 25 },
        ],
      },
      quote: {
        amountIn: '100000000',
        amountInFormatted: '100.0',
        amountInUsd: '99.998200000000',
        minAmountIn: '99000000',
        amountOut: '99574751',
        amountOutFormatted: '99.574751',
        amountOutUsd: '99.553939877041',
        minAmountOut: '98579003',
        timeEstimate: 1827,
        refundFee: '75000',
        withdrawFee: '2400',
        deadline: '2026-09-25T11:37:50.567Z',
        timeWhenInactive: '2026-09-25T11:37:50.567Z',
        depositAddress: '0xf70CadC970C60De6b3cC32eDd9080A720DeeCBe2',
      },
    },
  },
]

/** https://github.com/defuse-protocol/one-click-sdk-typescript, the key its staging answers are tested with. */
export const STAGING_KEY = 'ed25519:5J5tkaxyPoR3Q9S8LXfo5bWnXK5Z2bctJ4mB9gENh7co'

const STAGING_REQUEST = {
  depositMode: 'SIMPLE',
  swapType: 'EXACT_INPUT',
  slippageTolerance: 100,
  originAsset: '1cs_v1:btc:native:coin',
  destinationAsset: 'nep141:eth-0xdac17f958d2ee523a2206206994597c13d831ec7.stft.near',
  amount: '10000',
  refundTo: 'bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly',
  recipient: '0xcac3C41676deF4FE375E57118f3eB83A99105577',
  ...ON_CHAINS,
  quoteWaitingTimeMs: 0,
  appFees: [{ recipient: VENUE_FEE, fee: 10 }],
}
const STAGING_FEES = { timeEstimate: 812, refundFee: '1900', withdrawFee: '300000' }

export const STAGING_QUOTES: readonly RecordedQuote[] = [
  {
    name: 'bitcoin to USDT on Ethereum, real, of the staging network',
    source: SDK_TESTS,
    recordedAt: '2026-06-23',
    refusedBecause: 'assets of the staging network are none of ours',
    answer: {
      timestamp: '2026-06-23T17:10:41.104Z',
      signature: 'ed25519:53wcpim7FDNLbBHVezUpakthWq2TR9Lag3PwW3e8Cxmz4bFEodcc4rui5BiVHRRaHocYE9URVapzJD8JxLNDs8K9',
      quoteRequest: { ...STAGING_REQUEST, dry: false, deadline: '2026-06-23T19:00:00.000Z' },
      quote: {
        amountIn: '10000',
        amountInFormatted: '0.0001',
        amountInUsd: '6.237600000000',
        minAmountIn: '10000',
        amountOut: '5931560',
        amountOutFormatted: '5.93156',
        amountOutUsd: '5.925171709880',
        minAmountOut: '5872244',
        ...STAGING_FEES,
        deadline: '2026-06-26T19:00:00.000Z',
        timeWhenInactive: '2026-06-26T19:00:00.000Z',
        depositAddress: 'bc1q873cxltdc560dth6tpwqpehq9uvhxxcdgwnmnw',
      },
    },
  },
]

/** All that open a deposit address and were published with their signature. */
export const WET_QUOTES = [...PRODUCTION_QUOTES, ...STAGING_QUOTES].filter(
  ({ answer, blanked }) => !answer.quoteRequest.dry && !blanked,
)
