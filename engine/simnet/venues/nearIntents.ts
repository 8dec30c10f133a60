import type { FaultName } from '../faults.ts'
import type { SimRequest, SimResponse, SimVenue } from '../simVenue.ts'
import type { World } from '../world.ts'
import { newAddress, newTxHash } from './near-intents/depositAddress.ts'
import { createListing } from './near-intents/listing.ts'
import { createOrderBook, decideOutcome, type Order, statusBody } from './near-intents/orders.ts'
import { applyFeePolicy, formatUnits, formatUsd, priceOf } from './near-intents/pricing.ts'
import { type AppFee, type CheckedRequest, checkQuoteRequest, Refused } from './near-intents/quoteRequest.ts'
import { createQuoteSigner } from './near-intents/signer.ts'

const ID = 'near-intents'

/** From the deadline that was asked for to the end of the deposit address. */
const ADDRESS_LIFE_MS = 3 * 24 * 60 * 60_000

const SETTLEMENT_FAULTS = ['fails', 'lying-success', 'short-fill', 'never-fills'] as const satisfies readonly FaultName[]

type Fields = Record<string, unknown>

const iso = (at: number): string => new Date(at).toISOString()

/** True with a key, false without; null for one that cannot be a key. */
const hasKey = ({ headers }: SimRequest): boolean | null => {
  const key = headers['x-api-key'] ?? headers['authorization']?.replace(/^Bearer /, '')
  if (key === undefined) return false
  return /^[\x21-\x7e]{8,4096}$/.test(key) ? true : null
}

/**
 * The 1Click Swap API of NEAR Intents, from its public reference: token list, quotes signed with a key made from the
 * seed, deposit addresses, status. https://docs.near-intents.org/integration/distribution-channels/1click-api
 */
export const createNearIntents = ({ clock, random, tokens, market, faults }: World): SimVenue => {
  const listing = createListing(tokens, market)
  const signer = createQuoteSigner(random.bytes(32))
  const impostor = createQuoteSigner(random.bytes(32))
  const book = createOrderBook()

  const failure = ({ path }: SimRequest, status: number, message: string): SimResponse => ({
    status,
    body: { message, correlationId: random.hex(32), timestamp: iso(clock.now()), path },
  })

  const termsOf = (request: CheckedRequest, fees: readonly AppFee[], path: string): Fields => {
    const { input, output, amount, slippageTolerance } = request
    const price = priceOf(request, fees, market)
    const factor = faults.take(ID, 'price-x100', path) ? 100n : faults.take(ID, 'wrong-decimals', path) ? 10n ** 12n : 1n
    const amountOut = price.amountOut * factor
    const minimum = (amountOut * BigInt(10_000 - slippageTolerance)) / 10_000n
    const amountIn = faults.take(ID, 'wrong-amount', path) ? amount * 2n : amount
    return {
      amountIn: amountIn.toString(),
      amountInFormatted: formatUnits(amountIn, input.token.decimals),
      amountInUsd: formatUsd(input.token, amountIn, market),
      minAmountIn: amountIn.toString(),
      amountOut: amountOut.toString(),
      amountOutFormatted: formatUnits(amountOut, output.token.decimals),
      amountOutUsd: formatUsd(output.token, amountOut, market),
      minAmountOut: (faults.take(ID, 'wrong-minimum', path) ? minimum / 2n : minimum).toString(),
      timeEstimate: price.timeEstimate,
      refundFee: price.refundFee.toString(),
      withdrawFee: price.withdrawFee.toString(),
    }
  }

  const depositOf = ({ input, deadlineAt, echo }: CheckedRequest, path: string): Fields => {
    const isWrong = faults.take(ID, 'wrong-contract', path) !== null
    const wrong = input.token.isNative ? echo['refundTo'] : input.token.address
    const until = iso(deadlineAt + ADDRESS_LIFE_MS)
    return { deadline: until, timeWhenInactive: until, depositAddress: isWrong ? wrong : newAddress(input.token.chainId, random) }
  }

  const freshAmountOut = (request: CheckedRequest, fees: readonly AppFee[]): bigint => {
    try {
      return priceOf(request, fees, market).amountOut
    } catch (error) {
      // Priced out since the quote: below the minimum or beyond the depth, which ends in a refund like a bad price.
      if (error instanceof Refused) return 0n
      throw error
    }
  }

  const openOrder = (response: Order['response'], request: CheckedRequest, fees: readonly AppFee[]): void => {
    const { quote } = response
    book.open({
      response,
      depositAddress: String(quote['depositAddress']),
      input: request.input.token,
      amountIn: request.amount,
      minAmountOut: BigInt(String(quote['minAmountOut'])),
      refundFee: BigInt(String(quote['refundFee'])),
      timeEstimateMs: Number(quote['timeEstimate']) * 1_000,
      deadlineAt: request.deadlineAt,
      destinationTxHash: newTxHash(request.output.token.chainId, random),
      reprice: () => freshAmountOut(request, fees),
    })
  }

  const postQuote = (call: SimRequest, isKeyed: boolean): SimResponse => {
    if (faults.take(ID, 'halt', call.path)) return failure(call, 400, 'Quoting for this pair is not available')
    const request = checkQuoteRequest(call.body, listing, clock.now())
    const fees = applyFeePolicy(request, isKeyed)
    const isMisdirected = faults.take(ID, 'wrong-recipient', call.path) !== null
    const recipient = isMisdirected ? newAddress(request.output.token.chainId, random) : request.echo['recipient']
    const quoteRequest = { ...request.echo, recipient, appFees: fees }
    const quote = { ...termsOf(request, fees, call.path), ...(request.isDry ? {} : depositOf(request, call.path)) }
    const timestamp = iso(clock.now())
    const signedBy = faults.take(ID, 'bad-signature', call.path) ? impostor : signer
    const response = {
      correlationId: random.hex(32),
      timestamp,
      signature: signedBy.sign(timestamp, quoteRequest, quote),
      quoteRequest,
      quote,
    }
    if (!request.isDry) openOrder(response, request, fees)
    return { status: 201, body: response }
  }

  const getTokens = ({ path }: SimRequest): SimResponse => {
    const shift = faults.take(ID, 'wrong-decimals', path) ? 12 : 0
    return { status: 200, body: listing.rows(clock.now(), shift) }
  }

  const answerStatus = (call: SimRequest, order: Order, status: number): SimResponse => {
    const override = faults.take(ID, 'unknown-status', call.path) ? 'SOLVER_REVIEW' : null
    return { status, body: { correlationId: random.hex(32), ...statusBody(order, clock.now(), override) } }
  }

  const getStatus = (call: SimRequest): SimResponse => {
    const address = call.query.get('depositAddress')
    if (!address) return failure(call, 400, 'depositAddress must be a string')
    // None of the simulated addresses has a memo, so one that is asked for with a memo is another one.
    const order = call.query.has('depositMemo') ? null : book.find(address)
    return order ? answerStatus(call, order, 200) : failure(call, 404, 'Deposit address not found')
  }

  const submitDeposit = (call: SimRequest): SimResponse => {
    const { txHash, depositAddress, ...rest } = (call.body ?? {}) as Fields
    if (typeof txHash !== 'string' || txHash === '') return failure(call, 400, 'txHash must be a string')
    if (typeof depositAddress !== 'string') return failure(call, 400, 'depositAddress must be a string')
    const stranger = Object.keys(rest).find((field) => field !== 'memo' && field !== 'nearSenderAccount')
    if (stranger !== undefined) return failure(call, 400, `property ${stranger} should not exist`)
    const order = book.find(depositAddress)
    if (!order) return failure(call, 404, 'Deposit address not found')
    order.hint = txHash
    return answerStatus(call, order, 201)
  }

  const route = (call: SimRequest, isKeyed: boolean): SimResponse => {
    switch (`${call.method} ${call.path}`) {
      case 'GET /v0/tokens':
        return getTokens(call)
      case 'POST /v0/quote':
        return postQuote(call, isKeyed)
      case 'POST /v0/deposit/submit':
        return submitDeposit(call)
      case 'GET /v0/status':
        return getStatus(call)
      default:
        return failure(call, 404, `Cannot ${call.method} ${call.path}`)
    }
  }

  const handle = (call: SimRequest): SimResponse => {
    const isKeyed = hasKey(call)
    if (isKeyed === null) return failure(call, 401, 'Unauthorized')
    try {
      return route(call, isKeyed)
    } catch (error) {
      if (error instanceof Refused) return failure(call, 400, error.message)
      throw error
    }
  }

  const onDeposit: SimVenue['onDeposit'] = (deposit) => {
    const booked = book.book(deposit, clock.now())
    if (!booked) return false
    const { order, isNowComplete } = booked
    if (isNowComplete) {
      const fault = SETTLEMENT_FAULTS.find((name) => faults.take(ID, name) !== null) ?? null
      order.outcome = decideOutcome(order, clock.now(), fault)
    }
    return true
  }

  return { id: ID, handle, onDeposit, onTransaction: () => false, settings: { PUBLIC_KEY: signer.publicKey } }
}
