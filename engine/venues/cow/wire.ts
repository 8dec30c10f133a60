import type { Hex } from '../../core/execution.ts'
import * as shapes from '../kit/shapes.ts'

const { amount, anything, boolean, closed, count, evmAddress, hash32, isoTime, list, literal, object, orNull, shape, text } =
  shapes
type Schema<T> = shapes.Schema<T>

/*
 * The used part of the order book API's answers. https://docs.cow.fi/cow-protocol/reference/apis/orderbook and
 * crates/orderbook/openapi.yml in cowprotocol/services.
 */
const uid: Schema<Hex> = { type: 'string', pattern: '^0x[0-9a-fA-F]{112}$' }
const word = text({ maxLength: 64 })
const document = text({ maxLength: 8192 })
const quoteId = orNull(count())
/** Unix seconds. */
const validTo = count(0xffffffff)

/** POST /api/v1/quote. `verified`: a settlement at this price was simulated. */
export const quoteShape = shape(
  'quote',
  object(
    {
      quote: object(
        {
          sellToken: evmAddress,
          buyToken: evmAddress,
          sellAmount: amount,
          buyAmount: amount,
          feeAmount: amount,
          appData: document,
          appDataHash: hash32,
          kind: word,
          partiallyFillable: boolean,
        },
        {
          receiver: orNull(evmAddress),
          sellTokenBalance: orNull(word),
          buyTokenBalance: orNull(word),
          signingScheme: orNull(word),
        },
      ),
      from: evmAddress,
      expiration: isoTime,
      verified: boolean,
    },
    { id: quoteId, protocolFeeBps: orNull(text({ pattern: '^[0-9]{1,4}(\\.[0-9]{1,18})?$' })) },
  ),
)

export type WireQuote = shapes.Static<typeof quoteShape>

/** The order book answers a created order with its UID, and registered app data with its hash. */
export const uidShape = shape('order uid', uid)
export const hashShape = shape('app data hash', hash32)

/** GET /api/v1/orders/{uid}. `appData`: the hash of the document, as signed. */
export const orderShape = shape(
  'order',
  object(
    { status: word },
    {
      owner: orNull(evmAddress),
      onchainUser: orNull(evmAddress),
      sellToken: orNull(evmAddress),
      buyToken: orNull(evmAddress),
      receiver: orNull(evmAddress),
      sellAmount: orNull(amount),
      buyAmount: orNull(amount),
      validTo: orNull(validTo),
      appData: orNull(hash32),
      executedBuyAmount: orNull(amount),
      ethflowData: orNull(object({}, { refundTxHash: orNull(hash32) })),
      onchainOrderData: orNull(object({}, { placementError: orNull(word) })),
    },
  ),
)

export type WireOrder = shapes.Static<typeof orderShape>

/** GET /api/v1/orders/{uid}/status. */
export const orderPhaseShape = shape('order status', object({ type: word }))

export const tradeShape = shape('trade', object({ orderUid: uid, buyAmount: amount }, { txHash: orNull(hash32) }))

export type WireTrade = shapes.Static<typeof tradeShape>

export const tradesShape = shape('trades', list(anything, { maxItems: 1000 }))

/** Any refusal. Error types without a cost have other data. */
export const errorShape = shape(
  'error',
  object({ errorType: text({ maxLength: 100 }) }, { description: orNull(text({ maxLength: 1_000_000 })), data: anything }),
)

/** The `data` of a refusal that names the network cost, in the sell token. */
export const costShape = shape('cost', object({ fee_amount: text({ pattern: '^([1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$' }) }))

/** The message of the typed data, as it comes back from the store. */
export const messageShape = shape(
  'order message',
  closed({
    sellToken: evmAddress,
    buyToken: evmAddress,
    receiver: evmAddress,
    sellAmount: amount,
    buyAmount: amount,
    validTo,
    appData: hash32,
    feeAmount: amount,
    kind: word,
    partiallyFillable: boolean,
    sellTokenBalance: word,
    buyTokenBalance: word,
  }),
)

export type WireMessage = shapes.Static<typeof messageShape>

/** The data that an offer carries to execute. */
export const offerCarryShape = shape('offer carry', closed({ v: literal(1), quoteId }))

export type OfferCarry = shapes.Static<typeof offerCarryShape>

/** The data that the payload lacks: the document behind the signed hash, and the quote of the order. */
export const evidenceShape = shape('evidence', closed({ v: literal(1), appData: document, quoteId }))

export type Evidence = shapes.Static<typeof evidenceShape>
