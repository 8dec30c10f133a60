import {
  amount,
  anything,
  boolean,
  closed,
  count,
  isoTime,
  list,
  literal,
  number,
  object,
  orNull,
  type Schema,
  type Static,
  shape,
  text,
} from '../kit/shapes.ts'
import { FEE_BPS_MAX, type SignedWords } from './protocol.ts'

/*
 * The used part of the 1Click API's answers.
 * https://docs.near-intents.org/integration/distribution-channels/1click-api/quickstart
 * The groups of words are those that the venue signs: protocol.ts. All other fields are unproved: the fee list, the deposit mode
 * and, on a real quote, the requested deadline.
 */
const unsetText = orNull(text())
const unsetAmount = orNull(amount)
const unsetTime = orNull(isoTime)
const assetId = text({ minLength: 1, maxLength: 256 })
const display = text({ maxLength: 128 })

const appFee = object({ recipient: text({ minLength: 1, maxLength: 128 }), fee: count(FEE_BPS_MAX) })
const appFees = list(appFee, { maxItems: 16 })

export type AppFee = Static<typeof appFee>

/** Words that would redirect the output or a refund, or run a call there. */
const REDIRECTIONS = { virtualChainRecipient: unsetText, virtualChainRefundRecipient: unsetText, customRecipientMsg: unsetText }
export const REDIRECTING = ['virtualChainRecipient', 'virtualChainRefundRecipient', 'customRecipientMsg'] as const

export const REQUEST_WORDS = {
  dry: boolean,
  swapType: text(),
  slippageTolerance: count(10_000),
  originAsset: assetId,
  depositType: text(),
  destinationAsset: assetId,
  amount,
  refundTo: text(),
  refundType: text(),
  recipient: text(),
  recipientType: text(),
  deadline: isoTime,
}
export const REQUEST_WORDS_IF_SET = { quoteWaitingTimeMs: orNull(number()), referral: unsetText, ...REDIRECTIONS }
export const PRICE_WORDS = {
  amountIn: amount,
  amountInFormatted: display,
  amountInUsd: display,
  minAmountIn: amount,
  amountOut: amount,
  amountOutFormatted: display,
  amountOutUsd: display,
  minAmountOut: amount,
}
export const DEPOSIT_WORDS_IF_SET = {
  depositAddress: unsetText,
  depositMemo: unsetText,
  deadline: unsetTime,
  timeWhenInactive: unsetTime,
  timeEstimate: orNull(number()),
  ...REDIRECTIONS,
  refundFee: unsetAmount,
  withdrawFee: unsetAmount,
}

/** The request as the venue repeats it, with its defaults, and its offer. */
const ANSWERED = {
  quoteRequest: object(REQUEST_WORDS, { ...REQUEST_WORDS_IF_SET, depositMode: unsetText, appFees: orNull(appFees) }),
  quote: object(PRICE_WORDS, DEPOSIT_WORDS_IF_SET),
}

/** Answer of `POST /v0/quote`. Amounts are smallest units. */
export const quoteResponse = shape('quote', object({ timestamp: isoTime, ...ANSWERED }, { signature: unsetText }))

export type QuoteResponse = Static<typeof quoteResponse>
export type QuoteTerms = QuoteResponse['quote']

const transactions = orNull(list(object({}, { hash: orNull(text({ maxLength: 128 })) }), { maxItems: 64 }))

const swapDetails = object(
  {},
  {
    amountOut: unsetAmount,
    depositedAmount: unsetAmount,
    refundedAmount: unsetAmount,
    refundFee: unsetAmount,
    /** Deposits, and usually refunds too. */
    originChainTxHashes: transactions,
    destinationChainTxHashes: transactions,
  },
)

export type SwapDetails = Static<typeof swapDetails>

/** The quote that a status repeats: the fields that identify a swap. */
const parties = { refundTo: text(), recipient: text() }
const quoted = object({
  quoteRequest: object({ originAsset: assetId, destinationAsset: assetId, amount, ...parties, deadline: text() }),
  quote: object({}, { depositAddress: unsetText }),
})

/** Answer of `GET /v0/status`. */
export const statusResponse = shape(
  'status',
  object({ status: text({ minLength: 1, maxLength: 64 }) }, { quoteResponse: orNull(quoted), swapDetails: orNull(swapDetails) }),
)

export type StatusResponse = Static<typeof statusResponse>

/** Answer of `GET /v0/tokens`: each row is read by itself. */
export const tokenRows = shape('tokens', list(anything, { minItems: 1, maxItems: 20_000 }))

/** A row of any chain. Rows of other chains may have any form: the venue adds chains, and these must not cause errors. */
export const listedRow = shape('token', object({ blockchain: text() }))

/** A row of one of our chains. */
export const tokenRow = shape(
  'token',
  object({ assetId, decimals: count(77), blockchain: text() }, { price: anything, contractAddress: unsetText }),
)

export type TokenRow = Static<typeof tokenRow>

/** The signed words with a known meaning. Any other word is stored, and makes the evidence unread. */
const readableWords = object(
  {
    ...REQUEST_WORDS,
    deadline: text(),
    timestamp: isoTime,
    amountIn: amount,
    minAmountOut: amount,
    depositAddress: text(),
  },
  { timeWhenInactive: text(), refundFee: amount },
)
const signedWords: Schema<Static<typeof readableWords> & SignedWords> = {
  ...readableWords,
  additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 512 },
}

export type ReadableWords = Static<typeof signedWords>

/** The stored part of a real quote: only the words that the venue signed, and the unsigned fee list. */
export const evidence = shape(
  'the evidence',
  closed({
    v: literal(1),
    words: signedWords,
    signature: text(),
    appFees: list(closed({ recipient: text(), fee: count(FEE_BPS_MAX) }), { maxItems: 16 }),
  }),
)

/** The data that the tracker needs. `depositBy`: epoch ms; `depositAddress`: in the venue's own spelling. */
export const trackingCarry = shape(
  'carry',
  closed({ v: literal(1), depositBy: count(), depositAddress: text({ maxLength: 128 }) }),
)

export type TrackingCarry = Static<typeof trackingCarry>
