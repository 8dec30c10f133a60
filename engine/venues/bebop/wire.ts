import {
  amount,
  anything,
  closed,
  count,
  either,
  evmAddress,
  hash32,
  list,
  literal,
  object,
  orNull,
  record,
  type Schema,
  type Static,
  shape,
  text,
} from '../kit/shapes.ts'

/*
 * What the RFQ and the aggregation API answer, as far as it is used: https://docs.bebop.xyz/specs/rfq-api.json and
 * .../aggregation-api.json. Whole numbers come as digits in a string or bare, those beyond a JSON number's precision among them.
 */
const uint = either(amount, count())
const word = text({ maxLength: 64 })
const hex = { type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 65_536 } as Schema<`0x${string}`>
const quantity: Schema<string> = { type: 'string', pattern: '^(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$' }

/** `amount` is net of the partner's fee; `minimumAmount` is left out by some quotes that the bytes alone bound. */
const token = object({ amount: uint }, { minimumAmount: uint, decimals: count(255) })

const transaction = object({ to: evmAddress, value: either(quantity, count()), data: hex, from: evmAddress, gas: count() })

/** src/libraries/JamOrder.sol of bebop-dex/bebop-jam-contracts, as it is signed. */
const jamOrder = object({
  taker: evmAddress,
  receiver: evmAddress,
  expiry: uint,
  exclusivityDeadline: uint,
  nonce: uint,
  executor: evmAddress,
  partnerInfo: uint,
  sellTokens: list(evmAddress, { maxItems: 8 }),
  buyTokens: list(evmAddress, { maxItems: 8 }),
  sellAmounts: list(uint, { maxItems: 8 }),
  buyAmounts: list(uint, { maxItems: 8 }),
  hooksHash: hash32,
})

/** GET /pmm/{chain}/v3/quote and /jam/{chain}/v2/quote. `expiry`: Unix seconds. */
const quoted = {
  status: word,
  quoteId: text({ pattern: '^[0-9A-Za-z-]{1,100}$' }),
  chainId: count(),
  taker: evmAddress,
  receiver: evmAddress,
  expiry: count(0xffffffffff),
  buyTokens: record(token),
  sellTokens: record(token),
  settlementAddress: evmAddress,
  approvalTarget: evmAddress,
}
export const rfqQuoteShape = shape('RFQ quote', object(quoted, { tx: transaction }))
export const jamQuoteShape = shape('JAM quote', object(quoted, { toSign: jamOrder }))

export type WireRfqQuote = Static<typeof rfqQuoteShape>
export type WireJamQuote = Static<typeof jamQuoteShape>
export type WireQuote = WireRfqQuote | WireJamQuote
export type WireJamOrder = Static<typeof jamOrder>

/** POST /jam/{chain}/v2/order. */
export const orderedShape = shape('order', object({ status: word }))

/** GET /jam/{chain}/v2/order-status. */
export const statusShape = shape('order status', object({ status: word }, { txHash: orNull(hash32) }))

/** Any refusal, under HTTP 200 too. */
export const errorShape = shape(
  'error',
  object({ error: object({ errorCode: count() }, { message: text({ maxLength: 1_000_000 }), requestId: anything }) }),
)

const digits = amount

/** The message of the typed data, as it comes back from the store. */
export const messageShape = shape(
  'JAM order',
  closed({
    taker: evmAddress,
    receiver: evmAddress,
    expiry: digits,
    exclusivityDeadline: digits,
    nonce: digits,
    executor: evmAddress,
    partnerInfo: digits,
    sellTokens: list(evmAddress),
    buyTokens: list(evmAddress),
    sellAmounts: list(digits),
    buyAmounts: list(digits),
    hooksHash: hash32,
  }),
)

export type JamMessage = Static<typeof messageShape>

/** What rides in an offer: it is asked anew, so that its version is all. */
export const offerCarryShape = shape('offer carry', closed({ v: literal(1) }))

/** Who was to be the taker: a payload for another would be good for nothing. */
export const evidenceShape = shape('evidence', closed({ v: literal(1), taker: evmAddress }))

export type Evidence = Static<typeof evidenceShape>
