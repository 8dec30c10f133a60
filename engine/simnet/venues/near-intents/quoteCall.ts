import { formatUnits, formatUsd, usdMicrosOf } from '../../kit/dollars.ts'
import type { FaultName } from '../../kit/faults.ts'
import { freshAddress, inventedTxHash } from '../../kit/freshAddress.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { World } from '../../kit/world.ts'
import type { Listing } from './listing.ts'
import type { OrderTerms } from './orders.ts'
import { applyFeePolicy, priceOf } from './pricing.ts'
import { type AppFee, type CheckedRequest, checkQuoteRequest, refused } from './quoteRequest.ts'
import { createQuoteSigner } from './signer.ts'

type Fields = Record<string, unknown>

/** True when the venue is to commit this fault now, on this path where there is one. Uses up one of its count. */
export type HasFault = (fault: FaultName, path?: string) => boolean

export interface QuoteCall {
  /** The key its answers verify with. */
  readonly publicKey: string
  /** Answers `POST /v0/quote`. Throws Refusal. */
  answer(body: unknown, options: { readonly path: string; readonly isKeyed: boolean }): OrderTerms['response']
}

/** From the deadline that was asked for to the end of the deposit address. */
const ADDRESS_LIFE_MS = 3 * 24 * 60 * 60_000

/** With twelve decimals. */
const usd = (micros: bigint): string => `${formatUsd(micros)}000000`

const iso = (at: number): string => new Date(at).toISOString()

/** The price part of a quote. */
const createTerms =
  ({ market }: World, hasFault: HasFault) =>
  (request: CheckedRequest, fees: readonly AppFee[], path: string): Fields => {
    const { input, output, amount, slippageTolerance } = request
    const price = priceOf(request, fees, market)
    const factor = hasFault('price-x100', path) ? 100n : hasFault('wrong-decimals', path) ? 10n ** 12n : 1n
    const amountOut = price.amountOut * factor
    const minimum = (amountOut * BigInt(10_000 - slippageTolerance)) / 10_000n
    const amountIn = hasFault('wrong-amount', path) ? amount * 2n : amount
    return {
      amountIn: amountIn.toString(),
      amountInFormatted: formatUnits(amountIn, input.token.decimals),
      amountInUsd: usd(usdMicrosOf(market, input.token, amountIn)),
      minAmountIn: amountIn.toString(),
      amountOut: amountOut.toString(),
      amountOutFormatted: formatUnits(amountOut, output.token.decimals),
      amountOutUsd: usd(usdMicrosOf(market, output.token, amountOut)),
      minAmountOut: (hasFault('wrong-minimum', path) ? minimum / 2n : minimum).toString(),
      timeEstimate: price.timeEstimate,
      refundFee: price.refundFee.toString(),
      withdrawFee: price.withdrawFee.toString(),
    }
  }

/** The order that the answer to a real quote opens. */
const createOrderTerms =
  ({ market, random }: World) =>
  (response: OrderTerms['response'], request: CheckedRequest, fees: readonly AppFee[]): OrderTerms => {
    const { quote, quoteRequest } = response
    const reprice = (): bigint => {
      try {
        return priceOf(request, fees, market).amountOut
      } catch (error) {
        // Priced out since the quote: below the minimum or beyond the depth, which ends in a refund like a bad price.
        if (error instanceof Refusal) return 0n
        throw error
      }
    }
    return {
      response,
      depositAddress: String(quote['depositAddress']),
      input: request.input.token,
      output: request.output.token,
      recipient: String(quoteRequest['recipient']),
      refundTo: String(quoteRequest['refundTo']),
      amountNeeded: request.amount,
      amountOut: BigInt(String(quote['amountOut'])),
      minAmountOut: BigInt(String(quote['minAmountOut'])),
      refundCost: BigInt(String(quote['refundFee'])),
      openUntil: request.deadlineAt,
      settleMs: 0,
      timeEstimateMs: Number(quote['timeEstimate']) * 1_000,
      deadlineAt: request.deadlineAt,
      inventedTxHash: inventedTxHash(request.output.token.chainId, random),
      reprice,
    }
  }

/** Prices and signs quotes, and opens an order for each that is not a dry one. */
export const createQuoteCall = (
  world: World,
  { listing, hasFault, open }: { listing: Listing; hasFault: HasFault; open(terms: OrderTerms): void },
): QuoteCall => {
  const { clock, random } = world
  const signer = createQuoteSigner(random.bytes(32))
  const impostor = createQuoteSigner(random.bytes(32))
  const termsOf = createTerms(world, hasFault)
  const orderTermsOf = createOrderTerms(world)

  const depositOf = ({ input: { token }, deadlineAt, echo }: CheckedRequest, path: string): Fields => {
    const until = iso(deadlineAt + ADDRESS_LIFE_MS)
    const wrong = hasFault('wrong-contract', path) ? (token.isNative ? echo['refundTo'] : token.address) : null
    return { deadline: until, timeWhenInactive: until, depositAddress: wrong ?? freshAddress(token.chainId, random) }
  }

  const answer: QuoteCall['answer'] = (body, { path, isKeyed }) => {
    if (hasFault('halt', path)) throw refused('Quoting for this pair is not available')
    const request = checkQuoteRequest(body, listing, clock.now())
    const fees = applyFeePolicy(request, isKeyed)
    const isMisdirected = hasFault('wrong-recipient', path)
    const recipient = isMisdirected ? freshAddress(request.output.token.chainId, random) : request.echo['recipient']
    const quoteRequest = { ...request.echo, recipient, appFees: fees }
    const quote = { ...termsOf(request, fees, path), ...(request.isDry ? {} : depositOf(request, path)) }
    const timestamp = iso(clock.now())
    const signedBy = hasFault('bad-signature', path) ? impostor : signer
    const response = {
      correlationId: random.hex(32),
      timestamp,
      signature: signedBy.sign(timestamp, quoteRequest, quote),
      quoteRequest,
      quote,
    }
    if (!request.isDry) open(orderTermsOf(response, request, fees))
    return response
  }
  return { publicKey: signer.publicKey, answer }
}
