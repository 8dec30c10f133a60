import * as shapes from '../kit/shapes.ts'

const { amount, anything, closed, count, either, evmAddress, hash32, hex, list, literal, object, orNull, record, shape, text } =
  shapes
type Schema<T> = shapes.Schema<T>

/*
 * The used part of the answers of the RFQ and the aggregation API: https://docs.bebop.xyz/specs/rfq-api.json and
 * .../aggregation-api.json. Whole numbers are digits in a string or bare, also beyond a JSON number's precision.
 */
const uint = either(amount, count())
const word = text({ maxLength: 64 })
const quantity: Schema<string> = { type: 'string', pattern: '^(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$' }

/** src/libraries/JamOrder.sol of bebop-dex/bebop-jam-contracts, in its signed form. */
const jamFields = <T>(number: Schema<T>) => ({
  taker: evmAddress,
  receiver: evmAddress,
  expiry: number,
  exclusivityDeadline: number,
  nonce: number,
  executor: evmAddress,
  partnerInfo: number,
  sellTokens: list(evmAddress, { maxItems: 8 }),
  buyTokens: list(evmAddress, { maxItems: 8 }),
  sellAmounts: list(number, { maxItems: 8 }),
  buyAmounts: list(number, { maxItems: 8 }),
  hooksHash: hash32,
})
const jamOrder = object(jamFields(uint))
export type WireJamOrder = shapes.Static<typeof jamOrder>

/** `amount` is net of the partner's fee; some quotes that only the bytes bound lack `minimumAmount`. */
const token = object({ amount: uint }, { minimumAmount: orNull(uint), decimals: orNull(count(255)) })
const tx = object({ to: evmAddress, value: either(quantity, count()), data: hex(65_536), from: evmAddress }, { gas: anything })

/** GET /pmm/{chain}/v3/quote, with a transaction, and /jam/{chain}/v2/quote, with an order to sign. `expiry`: Unix seconds. */
const quote = object(
  {
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
  },
  { tx: orNull(tx), toSign: orNull(jamOrder) },
)
export const quoteShape = shape('quote', quote)
export type WireQuote = shapes.Static<typeof quote>

/** POST /jam/{chain}/v2/order, GET /jam/{chain}/v2/order-status. */
export const orderedShape = shape('order', object({ status: word }))
export const statusShape = shape('order status', object({ status: word }, { txHash: orNull(either(hash32, literal(''))) }))

/** Any refusal, with HTTP 200 too. */
const error = object({ errorCode: count() }, { message: text({ maxLength: 1_000_000 }) })
export const errorShape = shape('error', object({ error }))

/** The message of the typed data, as it comes back from the store. */
export const messageShape = shape('JAM order', closed(jamFields(amount)))
export type JamMessage = shapes.Static<typeof messageShape>

/** The data that an offer carries: only its version, because execute asks again. */
export const offerCarryShape = shape('offer carry', closed({ v: literal(1) }))

/** The taker of the request: a payload for another taker would be useless. */
export const evidenceShape = shape('evidence', closed({ v: literal(1), taker: evmAddress }))
export type Evidence = shapes.Static<typeof evidenceShape>
