import { parseAddress } from '../../core/address.ts'
import { ecosystemOf } from '../../core/chain.ts'
import { demand } from '../kit/demand.ts'
import type { ChainNames } from '../kit/settings.ts'
import { rejected } from '../venueError.ts'
import { type AppliedFee, readAppFees } from './appFees.ts'
import { isNameOf } from './assetId.ts'
import type { QuoteRequest, QuoteWish } from './map.ts'
import { signedWords } from './protocol.ts'
import { isSignedBy } from './quoteSignature.ts'
import type { NearIntentsSettings } from './settings.ts'
import { type QuoteResponse, REDIRECTING } from './wire.ts'

/** The service never requests any of them. */
const hasNoRedirection = ({ quoteRequest, quote }: QuoteResponse): boolean =>
  REDIRECTING.every((word) => !quoteRequest[word] && !quote[word])

/** Words of the request that the answer must repeat. */
const ECHOED = ['dry', 'swapType', 'slippageTolerance', 'depositType', 'amount', 'refundType', 'recipientType'] as const

/** The venue replaces an old bridge's ids by a new one's, so any id of the same asset is valid. Throws for every other id. */
const checkAssetIds = ({ order }: QuoteWish, sent: QuoteRequest, { quoteRequest: echo }: QuoteResponse, codes: ChainNames) => {
  const assets = { originAsset: order.input, destinationAsset: order.output } as const
  for (const word of ['originAsset', 'destinationAsset'] as const)
    if (echo[word] !== sent[word] && !isNameOf(echo[word], assets[word], codes))
      throw rejected('assetId', `the quote does not match: ${word}`, echo[word])
}

const echoChecks = ({ order, recipient, refundTo }: QuoteWish, sent: QuoteRequest, answer: QuoteResponse) => {
  const echo = answer.quoteRequest
  return {
    ...Object.fromEntries(ECHOED.map((word) => [word, echo[word] === sent[word]])),
    depositMode: !echo.depositMode || echo.depositMode === sent.depositMode,
    refundTo: parseAddress(ecosystemOf(order.input.chainId), echo.refundTo) === refundTo,
    recipient: parseAddress(ecosystemOf(order.output.chainId), echo.recipient) === recipient,
    'requested deadline': Date.parse(echo.deadline) === Date.parse(sent.deadline),
    redirection: hasNoRedirection(answer),
  }
}

const termChecks = (sent: QuoteRequest, { quote }: QuoteResponse) => {
  const amountOut = BigInt(quote.amountOut)
  const minimum = BigInt(quote.minAmountOut)
  return {
    amountIn: quote.amountIn === sent.amount,
    minAmountIn: BigInt(quote.minAmountIn) <= BigInt(sent.amount),
    amountOut: amountOut > 0n,
    minAmountOut: minimum > 0n && minimum <= amountOut,
    depositMemo: !quote.depositMemo,
  }
}

/** The engine proves that the deposit address is no shared address. */
const depositChecks = ({ order }: QuoteWish, sent: QuoteRequest, { quote }: QuoteResponse) => {
  // Only the end of the address is signed. It must not precede the deadline that the sender sees.
  const lasts = (until: string | null | undefined) => Date.parse(until ?? '') >= Date.parse(sent.deadline)
  return {
    depositAddress: parseAddress(ecosystemOf(order.input.chainId), quote.depositAddress ?? '') !== null,
    deadline: lasts(quote.deadline),
    timeWhenInactive: !quote.timeWhenInactive || lasts(quote.timeWhenInactive),
  }
}

/** On a real quote only the signature proves the deposit address, so it is required. */
const isSigned = (answer: QuoteResponse, { isDry }: QuoteWish, { publicKey }: NearIntentsSettings): boolean =>
  answer.signature ? isSignedBy(publicKey, signedWords(answer), answer.signature) : isDry

/**
 * Checks every field of a quote answer against the request, and the venue's signature. Returns the fee that it applies. Throws
 * VenueError('rejected') with every difference.
 */
export const checkQuote = (
  wish: QuoteWish,
  sent: QuoteRequest,
  answer: QuoteResponse,
  settings: NearIntentsSettings,
): AppliedFee => {
  checkAssetIds(wish, sent, answer, settings.codes)
  const fee = readAppFees(answer.quoteRequest.appFees ?? [], sent.appFees?.[0]?.fee ?? 0, settings)
  demand('the quote does not match', {
    ...echoChecks(wish, sent, answer),
    ...termChecks(sent, answer),
    ...(wish.isDry ? {} : depositChecks(wish, sent, answer)),
    signature: isSigned(answer, wish, settings),
  })
  if (fee === null) throw rejected('appFees', 'the quote does not match: appFees', answer.quoteRequest.appFees ?? [])
  return fee
}
