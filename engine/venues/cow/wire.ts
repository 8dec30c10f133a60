import type { Hex } from '../../core/execution.ts'
import {
  amount,
  anything,
  boolean,
  closed,
  count,
  evmAddress,
  hash32,
  isoTime,
  list,
  literal,
  object,
  orNull,
  type Schema,
  type Static,
  shape,
  text,
} from '../kit/shapes.ts'

/*
 * What the order book API answers, as far as it is used. https://docs.cow.fi/cow-protocol/reference/apis/orderbook and
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
        { receiver: orNull(evmAddress), sellTokenBalance: word, buyTokenBalance: word, signingScheme: word },
      ),
      from: evmAddress,
      expiration: isoTime,
      verified: boolean,
    },
    { id: quoteId, protocolFeeBps: orNull(text({ pattern: '^[0-9]{1,4}(\\.[0-9]{1,18})?$' })) },
  ),
)

export type WireQuote = Static<typeof quoteShape>

/** The order book answers a created order with its UID, and registered app data with its hash. */
export const uidShape = shape('order uid', uid)
export const hashShape = shape('app data hash', hash32)

/** GET /api/v1/orders/{uid}. `appData`: the hash of the document, as signed. */
export const orderShape = shape(
  'order',
  object(
    { status: word },
    {
      owner: evmAddress,
      onchainUser: orNull(evmAddress),
      sellToken: evmAddress,
      buyToken: evmAddress,
      receiver: orNull(evmAddress),
      sellAmount: amount,
      buyAmount: amount,
      validTo,
      appData: hash32,
      executedBuyAmount: amount,
      ethflowData: orNull(object({}, { refundTxHash: orNull(hash32) })),
      onchainOrderData: orNull(object({}, { placementError: orNull(word) })),
    },
  ),
)

export type WireOrder = Static<typeof orderShape>

/** GET /api/v1/orders/{uid}/status. */
export const orderPhaseShape = shape('order status', object({ type: word }))

const trade = object({ orderUid: uid, buyAmount: amount }, { txHash: orNull(hash32) })

export type WireTrade = Static<typeof trade>

export const tradesShape = shape('trades', list(trade, { maxItems: 1000 }))

/** Any refusal. Other error types than those with a cost carry data of other kinds. */
export const errorShape = shape(
  'error',
  object({ errorType: text({ maxLength: 100 }) }, { description: text({ maxLength: 1_000_000 }), data: anything }),
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

export type WireMessage = Static<typeof messageShape>

/** What rides in an offer to be seen again at execute time. */
export const offerCarryShape = shape('offer carry', closed({ v: literal(1), quoteId }))

export type OfferCarry = Static<typeof offerCarryShape>

/** What the payload cannot say itself: the document behind the signed hash, and the quote the order rests on. */
export const evidenceShape = shape('evidence', closed({ v: literal(1), appData: document, quoteId }))

export type Evidence = Static<typeof evidenceShape>
