import { each, flag, integer, listOf, matching, readFields, text } from '../../kit/fields.ts'
import { misquotedBy, takesFor } from '../../kit/lies.ts'
import { answering, found, hasKey, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { type Deal, priced } from './pricing.ts'
import { priceBody, quoteBody } from './quoteBody.ts'
import { readQuoteRequest, refuseField } from './quoteRequest.ts'
import { createRequests } from './requests.ts'
import { chainsBody, currenciesBody, requestBody, statusBody } from './views.ts'
import { watchPayments } from './watch.ts'

const ID = 'relay'
const KEY = { lengthMax: 256, code: 'UNAUTHORIZED', message: 'Invalid API key' }

const NOTICE = {
  required: { chainId: matching('a chain id', /^[0-9]{1,16}$/), txHash: text(1, 128) },
  optional: { requestId: text(1, 128), referrer: text(1, 256) },
}

const LISTED = {
  required: {},
  optional: {
    chainIds: listOf(integer(1, Number.MAX_SAFE_INTEGER), 64),
    limit: integer(1, 1_000),
    ...each(flag, 'verified', 'defaultList', 'includeAllChains', 'useExternalSearch', 'depositAddressOnly'),
    ...each(text(0, 256), 'term', 'address', 'currencyId'),
  },
}

/** Whoever paid tells of it: heard, and not needed, as the chains are watched. */
const postIndex = ({ body }: SimRequest): SimResponse => {
  readFields(body, NOTICE, refuseField)
  return ok({ message: 'Success' })
}

/**
 * Relay's API from its public reference: prices, deposits bound to orders by their hash, deposit addresses in bitcoin, and
 * requests that move from waiting to success, refund or failure. https://docs.relay.link/references/api/overview
 */
export const createRelay = (world: World): SimVenue => {
  const { clock, random, tokens, market, faults } = world
  const requests = createRequests(world, ID)

  const dealOf = ({ body, path }: SimRequest, isKeyed: boolean): Deal => {
    const request = readQuoteRequest(body, tokens, { isPrice: path === '/price', isKeyed })
    const takes = takesFor(faults, ID, path)
    refuseIf(takes('halt'), 'ROUTE_TEMPORARILY_RESTRICTED', 'This route is temporarily restricted')
    return priced(request, market, misquotedBy(takes))
  }

  const postQuote = (call: SimRequest, isKeyed: boolean): SimResponse => {
    const { body, entry } = quoteBody(world, ID, dealOf(call, isKeyed))
    requests.add(entry)
    return ok(body)
  }

  const getStatus = ({ query }: SimRequest): SimResponse => {
    const requestId = query.get('requestId') ?? ''
    refuseIf(!/^0x[0-9a-fA-F]{64}$/.test(requestId), null, 'querystring/requestId is invalid')
    const entry = found(requests.byRequestId(requestId), null, 'Request not found', { status: 404 })
    return ok(statusBody(entry, clock.now()))
  }

  const getRequests = ({ query }: SimRequest, isKeyed: boolean): SimResponse => {
    refuseIf(!isKeyed, 'UNAUTHORIZED', 'An API key is required', { status: 401 })
    const one = requests.byRequestId(query.get('id') ?? '') ?? requests.byDepositTx(query.get('depositTxHash') ?? '')
    const entries = one ? [one] : requests.atDepositAddress(query.get('depositAddress') ?? '')
    return ok({ requests: entries.map((entry) => requestBody(entry, clock.now())) })
  }

  const ROUTES: { readonly [route: string]: (request: SimRequest, isKeyed: boolean) => SimResponse } = {
    'POST /quote/v2': postQuote,
    'POST /price': (...call) => ok(priceBody(dealOf(...call))),
    'GET /intents/status/v3': getStatus,
    'GET /requests/v3': getRequests,
    'GET /chains': () => ok(chainsBody(tokens)),
    'POST /currencies/v2': ({ body }) => ok(currenciesBody(tokens, readFields(body, LISTED, refuseField))),
    'POST /transactions/index': postIndex,
  }

  const route = (request: SimRequest): SimResponse => {
    const { method, path, headers } = request
    const isKeyed = hasKey(headers['x-api-key'], KEY)
    return found(ROUTES[`${method} ${path}`], null, `Route ${method}:${path} not found`, { status: 404 })(request, isKeyed)
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
    pricePaths: [{ path: '/price' }, { path: '/currencies/v2' }, { path: '/quote/v2', unless: { useDepositAddress: true } }],
  }
}
