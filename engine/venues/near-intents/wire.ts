import { jsonShape } from '../kit/jsonShape.ts'

export type AppFee = { readonly recipient: string; readonly fee: number }

/** Body of `POST /v0/quote`. https://docs.near-intents.org/integration/distribution-channels/1click-api/quickstart */
export type QuoteRequest = {
  readonly dry: boolean
  readonly depositMode: 'SIMPLE'
  readonly swapType: 'EXACT_INPUT'
  readonly slippageTolerance: number
  readonly originAsset: string
  readonly depositType: 'ORIGIN_CHAIN'
  readonly destinationAsset: string
  readonly amount: string
  readonly refundTo: string
  readonly refundType: 'ORIGIN_CHAIN'
  readonly recipient: string
  readonly recipientType: 'DESTINATION_CHAIN'
  readonly deadline: string
  readonly appFees?: readonly AppFee[]
  readonly referral?: string
  readonly quoteWaitingTimeMs?: number
}

type Unset<T> = T | null | undefined

/** The request as the venue repeats it, with its own defaults filled in. */
export type EchoedRequest = {
  readonly dry: boolean
  readonly depositMode?: Unset<string>
  readonly swapType: string
  readonly slippageTolerance: number
  readonly originAsset: string
  readonly depositType: string
  readonly destinationAsset: string
  readonly amount: string
  readonly refundTo: string
  readonly refundType: string
  readonly recipient: string
  readonly recipientType: string
  readonly deadline: string
  readonly quoteWaitingTimeMs?: Unset<number>
  readonly referral?: Unset<string>
  readonly virtualChainRecipient?: Unset<string>
  readonly virtualChainRefundRecipient?: Unset<string>
  readonly customRecipientMsg?: Unset<string>
  readonly appFees?: Unset<readonly AppFee[]>
}

/** What the venue offers. Amounts are smallest units. */
export type QuoteTerms = {
  readonly amountIn: string
  readonly amountInFormatted: string
  readonly amountInUsd: string
  readonly minAmountIn: string
  readonly amountOut: string
  readonly amountOutFormatted: string
  readonly amountOutUsd: string
  readonly minAmountOut: string
  readonly depositAddress?: Unset<string>
  readonly depositMemo?: Unset<string>
  readonly deadline?: Unset<string>
  readonly timeWhenInactive?: Unset<string>
  readonly timeEstimate?: Unset<number>
  readonly virtualChainRecipient?: Unset<string>
  readonly virtualChainRefundRecipient?: Unset<string>
  readonly customRecipientMsg?: Unset<string>
  readonly refundFee?: Unset<string>
  readonly withdrawFee?: Unset<string>
}

export type QuoteResponse = {
  readonly timestamp: string
  readonly signature?: Unset<string>
  readonly quoteRequest: EchoedRequest
  readonly quote: QuoteTerms
}

export type TxHash = { readonly hash: string }

export type SwapDetails = {
  readonly amountOut?: Unset<string>
  readonly depositedAmount?: Unset<string>
  readonly refundedAmount?: Unset<string>
  readonly refundFee?: Unset<string>
  readonly destinationChainTxHashes?: Unset<readonly TxHash[]>
}

/** Answer of `GET /v0/status`. */
export type StatusResponse = {
  readonly status: string
  readonly quoteResponse?: Unset<Pick<QuoteResponse, 'quoteRequest' | 'quote'>>
  readonly swapDetails?: Unset<SwapDetails>
}

const TEXT = { type: 'string', maxLength: 512 }
const ASSET_ID = { type: 'string', minLength: 1, maxLength: 256 }
const AMOUNT = { type: 'string', pattern: '^(0|[1-9][0-9]{0,77})$' }
const DISPLAY = { type: 'string', maxLength: 128 }
const TIME = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)$' }
const orNull = ({ type, ...rest }: { readonly type: string; readonly [keyword: string]: unknown }) => ({
  ...rest,
  type: [type, 'null'],
})

const APP_FEES = {
  type: ['array', 'null'],
  maxItems: 16,
  items: {
    type: 'object',
    required: ['recipient', 'fee'],
    properties: {
      recipient: { type: 'string', minLength: 1, maxLength: 128 },
      fee: { type: 'integer', minimum: 0, maximum: 500 },
    },
  },
}

const REDIRECTIONS = {
  virtualChainRecipient: orNull(TEXT),
  virtualChainRefundRecipient: orNull(TEXT),
  customRecipientMsg: orNull(TEXT),
}

const ECHOED_REQUEST = {
  type: 'object',
  required: [
    'dry',
    'swapType',
    'slippageTolerance',
    'originAsset',
    'depositType',
    'destinationAsset',
    'amount',
    'refundTo',
    'refundType',
    'recipient',
    'recipientType',
    'deadline',
  ],
  properties: {
    dry: { type: 'boolean' },
    depositMode: orNull(TEXT),
    swapType: TEXT,
    slippageTolerance: { type: 'integer', minimum: 0, maximum: 10_000 },
    originAsset: ASSET_ID,
    depositType: TEXT,
    destinationAsset: ASSET_ID,
    amount: AMOUNT,
    refundTo: TEXT,
    refundType: TEXT,
    recipient: TEXT,
    recipientType: TEXT,
    deadline: TIME,
    quoteWaitingTimeMs: { type: ['number', 'null'] },
    referral: orNull(TEXT),
    ...REDIRECTIONS,
    appFees: APP_FEES,
  },
}

const TERMS = {
  amountIn: AMOUNT,
  amountInFormatted: DISPLAY,
  amountInUsd: DISPLAY,
  minAmountIn: AMOUNT,
  amountOut: AMOUNT,
  amountOutFormatted: DISPLAY,
  amountOutUsd: DISPLAY,
  minAmountOut: AMOUNT,
}

const QUOTE_TERMS = {
  type: 'object',
  required: Object.keys(TERMS),
  properties: {
    ...TERMS,
    depositAddress: orNull(TEXT),
    depositMemo: orNull(TEXT),
    deadline: orNull(TIME),
    timeWhenInactive: orNull(TIME),
    timeEstimate: { type: ['number', 'null'], minimum: 0, maximum: 10_000_000 },
    ...REDIRECTIONS,
    refundFee: orNull(AMOUNT),
    withdrawFee: orNull(AMOUNT),
  },
}

export const quoteResponse = jsonShape<QuoteResponse>('quote', {
  type: 'object',
  required: ['timestamp', 'quoteRequest', 'quote'],
  properties: { timestamp: TIME, signature: orNull(TEXT), quoteRequest: ECHOED_REQUEST, quote: QUOTE_TERMS },
})

const HASHES = {
  type: ['array', 'null'],
  maxItems: 64,
  items: { type: 'object', required: ['hash'], properties: { hash: { type: 'string', maxLength: 128 } } },
}

export const statusResponse = jsonShape<StatusResponse>('status', {
  type: 'object',
  required: ['status'],
  properties: {
    status: { type: 'string', minLength: 1, maxLength: 64 },
    quoteResponse: {
      type: ['object', 'null'],
      required: ['quoteRequest', 'quote'],
      properties: { quoteRequest: ECHOED_REQUEST, quote: QUOTE_TERMS },
    },
    swapDetails: {
      type: ['object', 'null'],
      properties: {
        amountOut: orNull(AMOUNT),
        depositedAmount: orNull(AMOUNT),
        refundedAmount: orNull(AMOUNT),
        refundFee: orNull(AMOUNT),
        destinationChainTxHashes: HASHES,
      },
    },
  },
})
