import type { Hex } from '../../core/execution.ts'
import { jsonShape } from '../kit/jsonShape.ts'

/**
 * What the order book API answers, as far as it is used. https://docs.cow.fi/cow-protocol/reference/apis/orderbook and
 * crates/orderbook/openapi.yml in cowprotocol/services.
 */
const ADDRESS = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } as const
const HASH = { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' } as const
const UID = { type: 'string', pattern: '^0x[0-9a-fA-F]{112}$' } as const
const AMOUNT = { type: 'string', pattern: '^(0|[1-9][0-9]{0,77})$' } as const
const TEXT = { type: 'string', maxLength: 64 } as const
const QUOTE_ID = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

const nullable = <T extends object>(schema: T) => ({ anyOf: [schema, { type: 'null' }] })

export type WireQuote = {
  readonly quote: {
    readonly sellToken: string
    readonly buyToken: string
    readonly receiver?: string | null
    readonly sellAmount: string
    readonly buyAmount: string
    readonly feeAmount: string
    readonly appData: string
    readonly appDataHash: string
    readonly kind: string
    readonly partiallyFillable: boolean
    readonly sellTokenBalance?: string
    readonly buyTokenBalance?: string
    readonly signingScheme?: string
  }
  readonly from: string
  readonly expiration: string
  readonly id?: number | null
  /** Whether a settlement at this price was simulated. */
  readonly verified: boolean
  readonly protocolFeeBps?: string | null
}

export const quoteShape = jsonShape<WireQuote>('quote', {
  type: 'object',
  required: ['quote', 'from', 'expiration', 'verified'],
  properties: {
    quote: {
      type: 'object',
      required: [
        'sellToken',
        'buyToken',
        'sellAmount',
        'buyAmount',
        'feeAmount',
        'appData',
        'appDataHash',
        'kind',
        'partiallyFillable',
      ],
      properties: {
        sellToken: ADDRESS,
        buyToken: ADDRESS,
        receiver: nullable(ADDRESS),
        sellAmount: AMOUNT,
        buyAmount: AMOUNT,
        feeAmount: AMOUNT,
        appData: { type: 'string', maxLength: 8192 },
        appDataHash: HASH,
        kind: TEXT,
        partiallyFillable: { type: 'boolean' },
        sellTokenBalance: TEXT,
        buyTokenBalance: TEXT,
        signingScheme: TEXT,
      },
    },
    from: ADDRESS,
    expiration: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z$' },
    id: nullable(QUOTE_ID),
    verified: { type: 'boolean' },
    protocolFeeBps: nullable({ type: 'string', pattern: '^[0-9]{1,4}(\\.[0-9]{1,18})?$' }),
  },
})

/** The order book answers a created order with its UID, and registered app data with its hash. */
export const uidShape = jsonShape<Hex>('order uid', UID)
export const hashShape = jsonShape<Hex>('app data hash', HASH)

export type WireOrder = {
  readonly status: string
  readonly owner?: string
  readonly onchainUser?: string | null
  readonly sellToken?: string
  readonly buyToken?: string
  readonly receiver?: string | null
  readonly sellAmount?: string
  readonly buyAmount?: string
  readonly validTo?: number
  /** The hash of the document, as signed. */
  readonly appData?: Hex
  readonly executedBuyAmount?: string
  readonly ethflowData?: { readonly refundTxHash?: string | null } | null
  readonly onchainOrderData?: { readonly placementError?: string | null } | null
}

export const orderShape = jsonShape<WireOrder>('order', {
  type: 'object',
  required: ['status'],
  properties: {
    status: TEXT,
    owner: ADDRESS,
    onchainUser: nullable(ADDRESS),
    sellToken: ADDRESS,
    buyToken: ADDRESS,
    receiver: nullable(ADDRESS),
    sellAmount: AMOUNT,
    buyAmount: AMOUNT,
    validTo: { type: 'integer', minimum: 0, maximum: 0xffffffff },
    appData: HASH,
    executedBuyAmount: AMOUNT,
    ethflowData: nullable({ type: 'object', properties: { refundTxHash: nullable(HASH) } }),
    onchainOrderData: nullable({ type: 'object', properties: { placementError: nullable(TEXT) } }),
  },
})

export type WireOrderPhase = { readonly type: string }

export const orderPhaseShape = jsonShape<WireOrderPhase>('order status', {
  type: 'object',
  required: ['type'],
  properties: { type: TEXT },
})

export type WireTrade = { readonly orderUid: string; readonly buyAmount: string; readonly txHash?: string | null }

export const tradesShape = jsonShape<readonly WireTrade[]>('trades', {
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    required: ['orderUid', 'buyAmount'],
    properties: { orderUid: UID, buyAmount: AMOUNT, txHash: nullable(HASH) },
  },
})

export type WireError = {
  readonly errorType: string
  readonly description?: string
  /** Other error types carry data of other kinds; only `fee_amount` is ever read. */
  readonly data?: { readonly fee_amount?: unknown } | null
}

export const errorShape = jsonShape<WireError>('error', {
  type: 'object',
  required: ['errorType'],
  properties: {
    errorType: { type: 'string', maxLength: 100 },
    description: { type: 'string' },
  },
})

/** The message of the typed data, as it comes back from the store. */
export type WireMessage = {
  readonly sellToken: string
  readonly buyToken: string
  readonly receiver: string
  readonly sellAmount: string
  readonly buyAmount: string
  readonly validTo: number
  readonly appData: Hex
  readonly feeAmount: string
  readonly kind: string
  readonly partiallyFillable: boolean
  readonly sellTokenBalance: string
  readonly buyTokenBalance: string
}

export const messageShape = jsonShape<WireMessage>('order message', {
  type: 'object',
  additionalProperties: false,
  required: [
    'sellToken',
    'buyToken',
    'receiver',
    'sellAmount',
    'buyAmount',
    'validTo',
    'appData',
    'feeAmount',
    'kind',
    'partiallyFillable',
    'sellTokenBalance',
    'buyTokenBalance',
  ],
  properties: {
    sellToken: ADDRESS,
    buyToken: ADDRESS,
    receiver: ADDRESS,
    sellAmount: AMOUNT,
    buyAmount: AMOUNT,
    validTo: { type: 'integer', minimum: 0, maximum: 0xffffffff },
    appData: HASH,
    feeAmount: AMOUNT,
    kind: TEXT,
    partiallyFillable: { type: 'boolean' },
    sellTokenBalance: TEXT,
    buyTokenBalance: TEXT,
  },
})

/** What rides in an offer to be seen again at execute time. */
export type OfferCarry = { readonly v: 1; readonly quoteId: number | null }

export const offerCarryShape = jsonShape<OfferCarry>('offer carry', {
  type: 'object',
  additionalProperties: false,
  required: ['v', 'quoteId'],
  properties: { v: { const: 1 }, quoteId: nullable(QUOTE_ID) },
})

/** What the payload cannot say itself: the document behind the signed hash, and the quote the order rests on. */
export type Evidence = { readonly v: 1; readonly appData: string; readonly quoteId: number | null }

export const evidenceShape = jsonShape<Evidence>('evidence', {
  type: 'object',
  additionalProperties: false,
  required: ['v', 'appData', 'quoteId'],
  properties: { v: { const: 1 }, appData: { type: 'string', maxLength: 8192 }, quoteId: nullable(QUOTE_ID) },
})
