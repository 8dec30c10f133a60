import { type JsonSchema, jsonShape } from '../kit/jsonShape.ts'
import { RELAY_ORDER, type RelayOrder } from './order.ts'

const AMOUNT: JsonSchema = { type: 'string', pattern: '^(0|[1-9][0-9]{0,77})$' }
/** Gas and value are strings by the reference, and numbers in some of its examples. */
const QUANTITY: JsonSchema = { anyOf: [AMOUNT, { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }] }
const ADDRESS: JsonSchema = { type: 'string', pattern: '^[0-9a-zA-Z]{25,90}$' }
const HASH: JsonSchema = { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' }
const WORD: JsonSchema = { type: 'string', minLength: 1, maxLength: 64 }
const object = (
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[] = Object.keys(properties),
): JsonSchema => ({ type: 'object', properties, required })
const list = (items: JsonSchema, maxItems: number): JsonSchema => ({ type: 'array', maxItems, items })

export type WireCurrency = { readonly chainId: number; readonly address: string; readonly decimals: number }

const CURRENCY = object({
  chainId: { type: 'integer' },
  address: ADDRESS,
  decimals: { type: 'integer', minimum: 0, maximum: 255 },
})

/** `details` of /quote/v2 and /price, the fields read. */
export type Details = {
  readonly currencyIn: { readonly currency: WireCurrency; readonly amount: string }
  readonly currencyOut: { readonly currency: WireCurrency; readonly amount: string; readonly minimumAmount: string }
  readonly recipient?: string
  /** Seconds. */
  readonly timeEstimate?: number
}

const DETAILS = object(
  {
    currencyIn: object({ currency: CURRENCY, amount: AMOUNT }),
    currencyOut: object({ currency: CURRENCY, amount: AMOUNT, minimumAmount: AMOUNT }),
    recipient: ADDRESS,
    timeEstimate: { type: 'number', minimum: 0, maximum: 604_800 },
  },
  ['currencyIn', 'currencyOut'],
)

export type Fees = { readonly app?: { readonly currency: WireCurrency; readonly amount: string } }

const FEES = object({ app: object({ currency: CURRENCY, amount: AMOUNT }) }, [])

/** POST /price: the answer to the same question without steps. */
export type Price = { readonly details: Details; readonly fees: Fees }

export const priceShape = jsonShape<Price>('relay price', object({ details: DETAILS, fees: FEES }))

export type Item = { readonly status: string; readonly data?: unknown }

export type Step = {
  readonly id: string
  readonly kind: string
  readonly requestId?: string
  readonly depositAddress?: string
  readonly items: readonly Item[]
}

const STEP = object(
  {
    id: WORD,
    kind: WORD,
    requestId: HASH,
    depositAddress: { type: 'string', pattern: '^([0-9a-zA-Z]{25,90})?$' },
    items: list(object({ status: WORD }), 8),
  },
  ['id', 'kind', 'items'],
)

/** POST /quote/v2, the fields read. `protocol` is missing where the swap is not settled through the depository. */
export type Quote = Price & {
  readonly steps: readonly Step[]
  readonly protocol?: { readonly v2?: { readonly orderId: string; readonly orderData?: RelayOrder } }
}

export const quoteShape = jsonShape<Quote>(
  'relay quote',
  object(
    {
      steps: { ...list(STEP, 16), minItems: 1 },
      details: DETAILS,
      fees: FEES,
      protocol: object({ v2: object({ orderId: HASH, orderData: RELAY_ORDER }, ['orderId']) }, []),
    },
    ['steps', 'details', 'fees'],
  ),
)

/** `data` of a step's item on an EVM chain. */
export type EvmData = {
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: string | number
  readonly chainId: number
  readonly gas?: string | number
}

const EVM_ADDRESS: JsonSchema = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' }

export const evmDataShape = jsonShape<EvmData>(
  'relay transaction',
  object(
    {
      from: EVM_ADDRESS,
      to: EVM_ADDRESS,
      data: { type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 100_000 },
      value: QUANTITY,
      chainId: { type: 'integer' },
      gas: QUANTITY,
    },
    ['from', 'to', 'data', 'value', 'chainId'],
  ),
)

export type SolanaKey = { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }

/** `data` of a step's item on Solana: instructions, for the caller to put into a transaction. */
export type SolanaData = {
  readonly instructions: readonly { readonly keys: readonly SolanaKey[]; readonly programId: string; readonly data: string }[]
  readonly addressLookupTableAddresses?: readonly string[]
}

const PUBKEY: JsonSchema = { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' }

const INSTRUCTION = object({
  keys: list(object({ pubkey: PUBKEY, isSigner: { type: 'boolean' }, isWritable: { type: 'boolean' } }), 64),
  programId: PUBKEY,
  data: { type: 'string', pattern: '^([0-9a-fA-F]{2})*$', maxLength: 2_600 },
})

export const solanaDataShape = jsonShape<SolanaData>(
  'relay instructions',
  object({ instructions: { ...list(INSTRUCTION, 32), minItems: 1 }, addressLookupTableAddresses: list(PUBKEY, 16) }, [
    'instructions',
  ]),
)

/** GET /chains, the fields read. */
export type ListedChain = {
  readonly id: number
  readonly disabled?: boolean
  /** In the venue's own sense: swaps may end there. */
  readonly depositEnabled?: boolean
  readonly blockProductionLagging?: boolean
  readonly protocol?: { readonly v2?: { readonly chainId?: string | null; readonly depository?: string | null } | null } | null
}

const NULLABLE: JsonSchema = { type: ['string', 'null'], maxLength: 128 }
const FLAG: JsonSchema = { type: 'boolean' }

const nullable = (schema: JsonSchema): JsonSchema => ({ ...schema, type: ['object', 'null'] })

/** One entry of the list: they are read one by one, as there are chains of all kinds in it. */
export const listedChainShape = jsonShape<ListedChain>(
  'relay chain',
  object(
    {
      id: { type: 'integer' },
      disabled: FLAG,
      depositEnabled: FLAG,
      blockProductionLagging: FLAG,
      protocol: nullable(object({ v2: nullable(object({ chainId: NULLABLE, depository: NULLABLE }, [])) }, [])),
    },
    ['id'],
  ),
)

export const chainsShape = jsonShape<{ readonly chains: readonly unknown[] }>(
  'relay chains',
  object({ chains: { ...list({}, 1_000), minItems: 1 } }),
)

const TX_HASH: JsonSchema = { type: 'string', minLength: 1, maxLength: 128 }

/** GET /intents/status/v3, the fields read. */
export type IntentStatus = {
  readonly status: string
  readonly inTxHashes?: readonly string[]
  readonly txHashes?: readonly string[]
  readonly originChainId?: number
  readonly destinationChainId?: number
  /** `N/A` where there is none; so are nulls. */
  readonly failReason?: string | null
  readonly refundFailReason?: string | null
}

export const intentStatusShape = jsonShape<IntentStatus>(
  'relay status',
  object(
    {
      status: WORD,
      inTxHashes: list(TX_HASH, 64),
      txHashes: list(TX_HASH, 64),
      originChainId: { type: 'integer' },
      destinationChainId: { type: 'integer' },
      failReason: NULLABLE,
      refundFailReason: NULLABLE,
    },
    ['status'],
  ),
)

export type WireAmount = {
  readonly currency?: { readonly chainId?: number; readonly address?: string }
  readonly amount?: string
}

type Legs = {
  readonly origin?: { readonly inputCurrency?: WireAmount | null } | null
  readonly destination?: { readonly outputCurrency?: WireAmount | null } | null
}

/** One request of GET /requests/v3, the fields read. */
export type RequestRecord = {
  readonly id: string
  readonly recipient?: string | null
  /** The request that has taken this one's place, since its deposit was quoted again. */
  readonly supersededByRequestId?: string | null
  readonly depositAddress?: { readonly address?: string } | null
  readonly data?: { readonly route?: { readonly quoted?: Legs | null; readonly actual?: Legs | null } | null }
}

const WIRE_AMOUNT = nullable(
  object({ currency: object({ chainId: { type: 'integer' }, address: ADDRESS }, []), amount: AMOUNT }, []),
)
const LEGS = nullable(
  object(
    {
      origin: nullable(object({ inputCurrency: WIRE_AMOUNT }, [])),
      destination: nullable(object({ outputCurrency: WIRE_AMOUNT }, [])),
    },
    [],
  ),
)

const REQUEST = object(
  {
    id: HASH,
    recipient: NULLABLE,
    supersededByRequestId: NULLABLE,
    depositAddress: nullable(object({ address: ADDRESS }, [])),
    data: object({ route: nullable(object({ quoted: LEGS, actual: LEGS }, [])) }, []),
  },
  ['id'],
)

export const requestsShape = jsonShape<{ readonly requests: readonly RequestRecord[] }>(
  'relay requests',
  object({ requests: list(REQUEST, 100) }),
)

/** Errors of the API. */
export type ApiError = { readonly message: string; readonly errorCode?: string }

export const apiErrorShape = jsonShape<ApiError>(
  'relay error',
  object({ message: { type: 'string', maxLength: 4_000 }, errorCode: { type: 'string', maxLength: 64 } }, ['message']),
)

/** What an offer carries to execute time: nothing but its version, as Relay prices afresh. */
export const carryShape = jsonShape<{ readonly v: 1 }>('relay carry', object({ v: { const: 1 } }))
