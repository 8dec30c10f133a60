import { type Address, parseAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { Asset } from '../../core/asset.ts'
import { ecosystemOf } from '../../core/chain.ts'
import { demand } from '../kit/demand.ts'
import { VenueError } from '../venueError.ts'
import { type AppliedFee, readAppFees } from './appFees.ts'
import { isNameOf } from './assetId.ts'
import type { QuoteRequest, QuoteWish } from './map.ts'
import { isSignedBy, signedWords } from './quoteSignature.ts'
import type { NearIntentsSettings } from './settings.ts'
import type { QuoteResponse } from './wire.ts'

const SOLANA_SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** Words that would send the output or a refund somewhere else, or run something there. We never ask for any. */
const hasNoRedirection = ({ quoteRequest, quote }: QuoteResponse): boolean =>
  [quoteRequest, quote].every(
    (part) => !part.virtualChainRecipient && !part.virtualChainRefundRecipient && !part.customRecipientMsg,
  )

/** The venue writes ids of a new bridge for those of an old one: any id of the same asset will do. */
const isEchoOf = (sent: string, echoed: string, asset: Asset): boolean => echoed === sent || isNameOf(echoed, asset)

const echoChecks = ({ order, recipient, refundTo }: QuoteWish, sent: QuoteRequest, answer: QuoteResponse) => {
  const echo = answer.quoteRequest
  return {
    dry: echo.dry === sent.dry,
    depositMode: !echo.depositMode || echo.depositMode === sent.depositMode,
    swapType: echo.swapType === sent.swapType,
    slippageTolerance: echo.slippageTolerance === sent.slippageTolerance,
    originAsset: isEchoOf(sent.originAsset, echo.originAsset, order.input),
    depositType: echo.depositType === sent.depositType,
    destinationAsset: isEchoOf(sent.destinationAsset, echo.destinationAsset, order.output),
    amount: echo.amount === sent.amount,
    refundTo: parseAddress(ecosystemOf(order.input.chainId), echo.refundTo) === refundTo,
    refundType: echo.refundType === sent.refundType,
    recipient: parseAddress(ecosystemOf(order.output.chainId), echo.recipient) === recipient,
    recipientType: echo.recipientType === sent.recipientType,
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

/** The deposit address in canonical spelling; null when it is no address of the chain, or one that cannot be the venue's. */
export const depositAddressOf = (raw: string | null | undefined, { order, recipient, refundTo }: QuoteWish): Address | null => {
  const address = parseAddress(ecosystemOf(order.input.chainId), raw ?? '')
  const strangers: readonly string[] = [
    recipient,
    refundTo,
    order.sender,
    order.input.address,
    order.output.address,
    ZERO_EVM_ADDRESS,
    SOLANA_SYSTEM_PROGRAM,
  ]
  return address !== null && !strangers.includes(address) ? address : null
}

const depositChecks = (wish: QuoteWish, sent: QuoteRequest, { quote }: QuoteResponse) => {
  // Of the two deadlines only the end of the address is signed; it must not come before the one we tell the sender.
  const lasts = (until: string | null | undefined) => Date.parse(until ?? '') >= Date.parse(sent.deadline)
  return {
    depositAddress: depositAddressOf(quote.depositAddress, wish) !== null,
    deadline: lasts(quote.deadline),
    timeWhenInactive: !quote.timeWhenInactive || lasts(quote.timeWhenInactive),
  }
}

/** On a real quote the signature is what proves the deposit address, so it must be there. */
const isSigned = (answer: QuoteResponse, { isDry }: QuoteWish, { publicKey }: NearIntentsSettings): boolean =>
  answer.signature ? isSignedBy(publicKey, signedWords(answer), answer.signature) : isDry

/**
 * Holds a quote answer against what was asked, field by field, and verifies the venue's signature on it. Returns the
 * fee it applies; throws VenueError('badResponse') naming everything that does not fit.
 */
export const checkQuote = (
  wish: QuoteWish,
  sent: QuoteRequest,
  answer: QuoteResponse,
  settings: NearIntentsSettings,
): AppliedFee => {
  const fee = readAppFees(answer.quoteRequest.appFees ?? [], sent.appFees?.[0]?.fee ?? 0, settings)
  demand('the quote does not match', {
    ...echoChecks(wish, sent, answer),
    ...termChecks(sent, answer),
    ...(wish.isDry ? {} : depositChecks(wish, sent, answer)),
    signature: isSigned(answer, wish, settings),
  })
  if (fee === null) throw new VenueError('badResponse', 'the quote does not match: appFees')
  return fee
}
