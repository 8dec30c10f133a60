import type { FaultName } from '../../kit/faults.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { createBook, statusBody } from './book.ts'
import { chainsBody, currenciesBody } from './listing.ts'
import { isSolverCurrency, networkById } from './networks.ts'
import { type Price, priceOf } from './pricing.ts'
import { priceBody, quoteBody } from './quoteBody.ts'
import { type QuoteRequest, readQuoteRequest } from './quoteRequest.ts'
import { ApiRefusal, apiError } from './refusal.ts'
import { requestBody } from './requestBody.ts'
import { createSettlement } from './settlement.ts'

const ID = 'relay'

const hasKey = (headers: SimRequest['headers']): boolean => headers['x-api-key'] !== undefined

const ok = (body: unknown): SimResponse => ({ status: 200, body })

/**
 * Relay's API from its public reference: prices, deposits bound to orders by their hash, deposit addresses in bitcoin, and
 * requests that move from waiting to success, refund or failure. https://docs.relay.link/references/api/overview
 */
export const createRelay = (world: World): SimVenue => {
  const { clock, random, tokens, market, faults } = world
  const book = createBook()

  const priced = (request: QuoteRequest, path: string): Price => {
    const takes = (fault: FaultName) => faults.take(ID, fault, path) !== null
    if (takes('halt')) throw new ApiRefusal('ROUTE_TEMPORARILY_RESTRICTED', 'This route is temporarily restricted')
    const factor = takes('price-x100') ? 100n : takes('wrong-decimals') ? 10n ** 12n : 1n
    return priceOf(request, market, (amount) => amount * factor)
  }

  const postQuote = ({ body, path, headers }: SimRequest): SimResponse => {
    const request = readQuoteRequest(body, tokens, { isPrice: false, hasKey: hasKey(headers) })
    const answer = quoteBody(world, request, priced(request, path), !isSolverCurrency(request.input))
    book.add(answer.entry)
    return ok(answer.body)
  }

  const postPrice = ({ body, path, headers }: SimRequest): SimResponse => {
    const request = readQuoteRequest(body, tokens, { isPrice: true, hasKey: hasKey(headers) })
    return ok(priceBody(market, request, priced(request, path)))
  }

  const getStatus = ({ query }: SimRequest): SimResponse => {
    const requestId = query.get('requestId') ?? ''
    if (!/^0x[0-9a-fA-F]{64}$/.test(requestId)) throw new ApiRefusal(null, 'querystring/requestId is invalid')
    const entry = book.byRequestId(requestId)
    if (!entry) throw new ApiRefusal(null, 'Request not found', 404)
    return ok(statusBody(entry, clock.now()))
  }

  const getRequests = ({ query, headers }: SimRequest): SimResponse => {
    if (!hasKey(headers)) throw new ApiRefusal('UNAUTHORIZED', 'An API key is required', 401)
    const one = book.byRequestId(query.get('id') ?? '') ?? book.byDepositTx(query.get('depositTxHash') ?? '')
    const entries = one ? [one] : book.allAtDepositAddress(query.get('depositAddress') ?? '')
    return ok({ requests: entries.map((entry) => requestBody(entry, clock.now())) })
  }

  const postIndex = ({ body }: SimRequest): SimResponse => {
    const { chainId, txHash, requestId } = (body ?? {}) as { chainId?: unknown; txHash?: unknown; requestId?: unknown }
    const isValid = typeof chainId === 'string' && typeof txHash === 'string' && networkById(Number(chainId)) !== null
    if (!isValid || (requestId !== undefined && typeof requestId !== 'string')) throw new ApiRefusal(null, 'body is invalid')
    return ok({ message: 'Success' })
  }

  const getHealth = ({ query }: SimRequest): SimResponse => ok({ healthy: networkById(Number(query.get('chainId'))) !== null })

  const ROUTES: { readonly [route: string]: (request: SimRequest) => SimResponse } = {
    'POST /quote/v2': postQuote,
    'POST /price': postPrice,
    'GET /intents/status/v3': getStatus,
    'GET /requests/v3': getRequests,
    'GET /chains': () => ok(chainsBody(tokens)),
    'POST /currencies/v2': ({ body }) => ok(currenciesBody(body, tokens)),
    'POST /transactions/index': postIndex,
    'GET /lives': () => ok({ status: 'ok' }),
    'GET /chains/health': getHealth,
  }

  const handle = (request: SimRequest): SimResponse => {
    const route = ROUTES[`${request.method} ${request.path}`]
    const key = request.headers['x-api-key']
    try {
      if (key !== undefined && !/^[\x21-\x7e]{8,256}$/.test(key)) throw new ApiRefusal('UNAUTHORIZED', 'Invalid API key', 401)
      if (!route) throw new ApiRefusal(null, `Route ${request.method}:${request.path} not found`, 404)
      return route(request)
    } catch (error) {
      if (error instanceof ApiRefusal) return apiError(error, `0x${random.hex(64)}`)
      throw error
    }
  }

  return { id: ID, handle, ...createSettlement(world, ID, book), settings: {} }
}
