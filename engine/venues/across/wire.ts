import { type JsonSchema, jsonShape } from '../kit/jsonShape.ts'

const AMOUNT: JsonSchema = { type: 'string', pattern: '^(0|[1-9][0-9]{0,77})$' }
const ADDRESS: JsonSchema = { type: 'string', pattern: '^[0-9a-zA-Z]{32,66}$' }
const NULLABLE_TEXT: JsonSchema = { type: ['string', 'null'], maxLength: 128 }
const object = (
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[] = Object.keys(properties),
): JsonSchema => ({
  type: 'object',
  properties,
  required,
})

export type WireToken = { readonly address: string; readonly chainId: number; readonly decimals: number }

const TOKEN = object({ address: ADDRESS, chainId: { type: 'integer' }, decimals: { type: 'integer', minimum: 0, maximum: 255 } })

/** GET /swap/approval, the fields read. Amounts are smallest units as decimal strings. */
export type SwapApproval = {
  readonly crossSwapType: string
  readonly amountType: string
  readonly steps: { readonly bridge: { readonly outputAmount: string; readonly provider: string } }
  readonly inputToken: WireToken
  readonly outputToken: WireToken
  readonly inputAmount: string
  readonly expectedOutputAmount: string
  readonly minOutputAmount: string
  /** Seconds. */
  readonly expectedFillTime: number
  /** Left out when the vendor has no prices in dollars. */
  readonly fees?: { readonly total: { readonly details?: { readonly app?: { readonly amount: string } } } }
  readonly swapTx: {
    readonly chainId: number
    readonly to: string
    /** Calldata; on Solana base64 of the unsigned transaction. */
    readonly data: string
    readonly value?: string
    readonly gas?: string
  }
  /** Unix seconds; 0: none. */
  readonly quoteExpiryTimestamp: number
}

const SWAP_TX = object(
  {
    chainId: { type: 'integer' },
    to: ADDRESS,
    data: { type: 'string', pattern: '^(0x[0-9a-fA-F]{8,}|[A-Za-z0-9+/]{4,}={0,2})$', maxLength: 100_000 },
    value: AMOUNT,
    gas: AMOUNT,
  },
  ['chainId', 'to', 'data'],
)

const APP_FEE = object({ details: object({ app: object({ amount: AMOUNT }) }, []) }, [])

export const swapApprovalShape = jsonShape<SwapApproval>(
  'across swap approval',
  object(
    {
      crossSwapType: { type: 'string', maxLength: 64 },
      amountType: { type: 'string', maxLength: 64 },
      steps: object({ bridge: object({ outputAmount: AMOUNT, provider: { type: 'string', maxLength: 64 } }) }),
      inputToken: TOKEN,
      outputToken: TOKEN,
      inputAmount: AMOUNT,
      expectedOutputAmount: AMOUNT,
      minOutputAmount: AMOUNT,
      expectedFillTime: { type: 'integer', minimum: 0, maximum: 604_800 },
      fees: object({ total: APP_FEE }),
      swapTx: SWAP_TX,
      quoteExpiryTimestamp: { type: 'integer', minimum: 0, maximum: 10_000_000_000 },
    },
    [
      ...['crossSwapType', 'amountType', 'steps', 'inputToken', 'outputToken', 'inputAmount', 'expectedOutputAmount'],
      ...['minOutputAmount', 'expectedFillTime', 'swapTx', 'quoteExpiryTimestamp'],
    ],
  ),
)

/** GET /deposit/status, the fields read. The older names are still sent beside or instead of the newer. */
export type DepositStatus = {
  readonly status: string
  readonly fillTxnRef?: string | null
  readonly fillTx?: string | null
  readonly depositRefundTxnRef?: string | null
  readonly depositRefundTxHash?: string | null
  /** False: the fill happened, the calls of its message did not. */
  readonly actionsSucceeded?: boolean | null
}

export const depositStatusShape = jsonShape<DepositStatus>(
  'across deposit status',
  object(
    {
      status: { type: 'string', minLength: 1, maxLength: 64 },
      fillTxnRef: NULLABLE_TEXT,
      fillTx: NULLABLE_TEXT,
      depositRefundTxnRef: NULLABLE_TEXT,
      depositRefundTxHash: NULLABLE_TEXT,
      actionsSucceeded: { type: ['boolean', 'null'] },
    },
    ['status'],
  ),
)

/** GET /deposit, the fields read. */
export type DepositDetails = {
  readonly originChainId: string | number
  readonly destinationChainId: string | number
  readonly recipient: string
  readonly inputToken: string
  readonly inputAmount: string
  readonly outputToken: string
  readonly outputAmount: string
  readonly message?: string | null
  /** ISO 8601. */
  readonly fillDeadline?: string | null
  /** What the wallet paid when a swap came before the bridge. */
  readonly swapToken?: string | null
  readonly swapTokenAmount?: string | null
}

const CHAIN: JsonSchema = { type: ['string', 'integer'], pattern: '^[0-9]{1,20}$', minimum: 1 }

const DETAILS = object(
  {
    originChainId: CHAIN,
    destinationChainId: CHAIN,
    recipient: ADDRESS,
    inputToken: ADDRESS,
    inputAmount: AMOUNT,
    outputToken: ADDRESS,
    outputAmount: AMOUNT,
    message: { type: ['string', 'null'], pattern: '^(0x([0-9a-fA-F]{2})*)?$', maxLength: 200_000 },
    fillDeadline: NULLABLE_TEXT,
    swapToken: { type: ['string', 'null'], pattern: '^[0-9a-zA-Z]{32,66}$' },
    swapTokenAmount: { type: ['string', 'null'], pattern: '^(0|[1-9][0-9]{0,77})$' },
  },
  ['originChainId', 'destinationChainId', 'recipient', 'inputToken', 'inputAmount', 'outputToken', 'outputAmount'],
)

export const depositDetailsShape = jsonShape<{ readonly deposit: DepositDetails }>('across deposit', object({ deposit: DETAILS }))

/** GET /swap/tokens, the fields read. */
export type SwapToken = { readonly chainId: number; readonly address: string; readonly priceUsd: string | null }

export const swapTokensShape = jsonShape<readonly SwapToken[]>('across swap tokens', {
  type: 'array',
  maxItems: 50_000,
  items: object({
    chainId: { type: 'integer' },
    address: { type: 'string', maxLength: 128 },
    priceUsd: { type: ['string', 'null'], maxLength: 64 },
  }),
})

/** Errors of the API itself. The indexer behind /deposit has another envelope. */
export type ApiError = {
  readonly type: 'AcrossApiError'
  readonly code?: string
  readonly message: string
  readonly param?: string
  /** Of a SIMULATION_ERROR: what was tried. */
  readonly transaction?: { readonly from?: string }
}

export const apiErrorShape = jsonShape<ApiError>(
  'across error',
  object(
    {
      type: { const: 'AcrossApiError' },
      code: { type: 'string', maxLength: 64 },
      message: { type: 'string', maxLength: 4_000 },
      param: { type: 'string', maxLength: 200 },
      transaction: object({ from: { type: 'string', maxLength: 128 } }, []),
    },
    ['type', 'message'],
  ),
)

export const indexerErrorShape = jsonShape<{ readonly error: string }>(
  'across indexer error',
  object({ error: { type: 'string', maxLength: 100 } }),
)

/** What an offer carries to execute time: nothing but its version, as Across prices afresh. */
export const carryShape = jsonShape<{ readonly v: 1 }>('across carry', object({ v: { const: 1 } }))
