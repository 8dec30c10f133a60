import { formatUnits, formatUsd, usdMicrosOf } from '../../kit/dollars.ts'
import { freshAddress, inventedTxHash } from '../../kit/freshAddress.ts'
import { misquotedBy, type Takes } from '../../kit/lies.ts'
import type { Market } from '../../kit/market.ts'
import { orRefused } from '../../kit/refusal.ts'
import type { World } from '../../kit/world.ts'
import type { Listing } from './listing.ts'
import type { OrderTerms } from './orders.ts'
import { applyFeePolicy, type Price, priceOf } from './pricing.ts'
import { type CheckedRequest, checkQuoteRequest, type Fields, refused } from './quoteRequest.ts'
import { createQuoteSigner } from './signer.ts'

export interface QuoteCall {
  /** The key its answers verify with. */
  readonly publicKey: string
  /** Answers `POST /v0/quote`. Throws Refusal. */
  answer(body: unknown, isKeyed: boolean, takes: Takes): OrderTerms['response']
}

/** From the deadline that was asked for to the end of the deposit address. */
const ADDRESS_LIFE_MS = 3 * 24 * 60 * 60_000

const iso = (at: number): string => new Date(at).toISOString()

/** What is promised at a price, in smallest units, as the faults that are on leave it. */
const promiseAt = (price: Price, { amount, slippageTolerance }: CheckedRequest, takes: Takes) => {
  const amountOut = price.amountOut * misquotedBy(takes)
  const minimum = (amountOut * BigInt(10_000 - slippageTolerance)) / 10_000n
  const amountIn = takes('wrong-amount') ? amount * 2n : amount
  return { ...price, amountIn, amountOut, minAmountOut: takes('wrong-minimum') ? minimum / 2n : minimum }
}

/** The price part of a quote. Dollars have twelve decimals. */
const pricePart = (promise: ReturnType<typeof promiseAt>, { input, output }: CheckedRequest, market: Market): Fields => {
  const { amountIn, amountOut, minAmountOut, timeEstimate, refundFee, withdrawFee } = promise
  return {
    amountIn: amountIn.toString(),
    amountInFormatted: formatUnits(amountIn, input.token.decimals),
    amountInUsd: `${formatUsd(usdMicrosOf(market, input.token, amountIn))}000000`,
    minAmountIn: amountIn.toString(),
    amountOut: amountOut.toString(),
    amountOutFormatted: formatUnits(amountOut, output.token.decimals),
    amountOutUsd: `${formatUsd(usdMicrosOf(market, output.token, amountOut))}000000`,
    minAmountOut: minAmountOut.toString(),
    timeEstimate,
    refundFee: refundFee.toString(),
    withdrawFee: withdrawFee.toString(),
  }
}

/** Prices and signs quotes, and opens an order for each that is not a dry one. */
export const createQuoteCall = (
  { clock, random, market }: World,
  { listing, open }: { listing: Listing; open(terms: OrderTerms): void },
): QuoteCall => {
  const signer = createQuoteSigner(random.bytes(32))
  const impostor = createQuoteSigner(random.bytes(32))

  const depositPart = ({ input: { token }, deadlineAt, echo }: CheckedRequest, takes: Takes): Fields => {
    const until = iso(deadlineAt + ADDRESS_LIFE_MS)
    const wrong = takes('wrong-contract') ? (token.isNative ? echo['refundTo'] : token.address) : null
    return { deadline: until, timeWhenInactive: until, depositAddress: wrong ?? freshAddress(token.chainId, random) }
  }

  const answer: QuoteCall['answer'] = (body, isKeyed, takes) => {
    if (takes('halt')) throw refused('Quoting for this pair is not available')
    const request = checkQuoteRequest(body, listing, clock.now())
    const { input, output, echo, isDry, deadlineAt, amount } = request
    const fees = applyFeePolicy(request, isKeyed)
    const recipient = takes('wrong-recipient') ? freshAddress(output.token.chainId, random) : echo['recipient']
    const quoteRequest: Fields = { ...echo, recipient, appFees: fees }
    const promise = promiseAt(priceOf(request, fees, market), request, takes)
    const quote: Fields = { ...pricePart(promise, request, market), ...(isDry ? {} : depositPart(request, takes)) }
    const timestamp = iso(clock.now())
    const signature = (takes('bad-signature') ? impostor : signer).sign(timestamp, quoteRequest, quote)
    const response = { correlationId: random.hex(32), timestamp, signature, quoteRequest, quote }
    if (!isDry)
      open({
        ...promise,
        response,
        depositAddress: String(quote['depositAddress']),
        input: input.token,
        output: output.token,
        recipient: String(recipient),
        refundTo: String(echo['refundTo']),
        amountNeeded: amount,
        refundCost: promise.refundFee,
        openUntil: deadlineAt,
        settleMs: 0,
        inventedTxHash: inventedTxHash(output.token.chainId, random),
        // Priced out since the quote, below the minimum or beyond the depth, ends in a refund like a bad price.
        reprice: () => orRefused(() => priceOf(request, fees, market).amountOut) ?? 0n,
      })
    return response
  }
  return { publicKey: signer.publicKey, answer }
}
