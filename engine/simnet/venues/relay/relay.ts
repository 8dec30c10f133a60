import type { FaultName } from '../../kit/faults.ts'
import { answering, hasKey, ok, Refusal } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { chainsBody, currenciesBody } from './listing.ts'
import { isSolverCurrency, networkById } from './networks.ts'
import { type Price, priceOf } from './pricing.ts'
import { priceBody, quoteBody } from './quoteBody.ts'
import { type QuoteRequest, readQuoteRequest } from './quoteRequest.ts'
import { createRequests } from './requests.ts'
import { requestBody, statusBody } from './views.ts'
import { watchPayments } from './watch.ts'

const ID = 'relay'

const isKeyed = ({ headers }: SimRequest): boolean =>
  hasKey(headers['x-api-key'], { lengthMax: 256, code: 'UNAUTHORIZED', message: 'Invalid API key' })

/**
 * Relay's API from its public reference: prices, deposits bound to orders by their hash, deposit addresses in bitcoin, and
 * requests that move from waiting to success, refund or failure. https://docs.relay.link/references/api/overview
 */
export const createRelay = (world: World): SimVenue => {
  const { clock, random, tokens, market, faults } = world
  const requests = createRequests(world, ID)

  const priced = (request: QuoteRequest, path: string): Price => {
    const takes = (fault: FaultName) => faults.take(ID, fault, path) !== null
    if (takes('halt')) throw new Refusal('ROUTE_TEMPORARILY_RESTRICTED', 'This route is temporarily restricted')
    const factor = takes('price-x100') ? 100n : takes('wrong-decimals') ? 10n ** 12n : 1n
    return priceOf(request, market, (amount) => amount * factor)
  }

  const postQuote = (call: SimRequest): SimResponse => {
    const { body, path } = call
    const request = readQuoteRequest(body, tokens, { isPrice: false, hasKey: isKeyed(call) })
    const answer = quoteBody(world, request, priced(request, path), !isSolverCurrency(request.input))
    requests.add(answer.entry)
    return ok(answer.body)
  }

  const postPrice = (call: SimRequest): SimResponse => {
    const { body, path } = call
    const request = readQuoteRequest(body, tokens, { isPrice: true, hasKey: isKeyed(call) })
    return ok(priceBody(market, request, priced(request, path)))
  }

  const getStatus = ({ query }: SimRequest): SimResponse => {
    const requestId = query.get('requestId') ?? ''
    if (!/^0x[0-9a-fA-F]{64}$/.test(requestId)) throw new Refusal(null, 'querystring/requestId is invalid')
    const entry = requests.byRequestId(requestId)
    if (!entry) throw new Refusal(null, 'Request not found', { status: 404 })
    return ok(statusBody(entry, clock.now()))
  }

  const getRequests = (call: SimRequest): SimResponse => {
    const { query } = call
    if (!isKeyed(call)) throw new Refusal('UNAUTHORIZED', 'An API key is required', { status: 401 })
    const one = requests.byRequestId(query.get('id') ?? '') ?? requests.byDepositTx(query.get('depositTxHash') ?? '')
    const entries = one ? [one] : requests.allAtDepositAddress(query.get('depositAddress') ?? '')
    return ok({ requests: entries.map((entry) => requestBody(entry, clock.now())) })
  }

  const postIndex = ({ body }: SimRequest): SimResponse => {
    const { chainId, txHash, requestId } = (body ?? {}) as { chainId?: unknown; txHash?: unknown; requestId?: unknown }
    const isValid = typeof chainId === 'string' && typeof txHash === 'string' && networkById(Number(chainId)) !== null
    if (!isValid || (requestId !== undefined && typeof requestId !== 'string')) throw new Refusal(null, 'body is invalid')
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

  const route = (request: SimRequest): SimResponse => {
    const { method, path } = request
    isKeyed(request)
    const answer = ROUTES[`${method} ${path}`]
    if (!answer) throw new Refusal(null, `Route ${method}:${path} not found`, { status: 404 })
    return answer(request)
  }

  return {
    id: ID,
    // https://docs.relay.link/references/api/handling-errors: without a code where the question was not looked at.
    handle: answering(route, ({ status, code: errorCode, message }) => {
      const requestId = `0x${random.hex(64)}`
      return { status, body: errorCode === null ? { message } : { message, errorCode, requestId } }
    }),
    ...watchPayments(world, requests),
    settings: {},
    pricePaths: [{ path: '/price' }, { path: '/quote/v2', unless: { useDepositAddress: true } }],
  }
}
