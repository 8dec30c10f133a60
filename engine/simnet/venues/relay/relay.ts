import { CHAIN_IDS, type ChainId, chainOf, ecosystemOf } from '../../../core/chain.ts'
import { PINNED, SOLVER } from '../../../venues/relay/protocol.ts'
import { flag, integer, listOf, readFields } from '../../kit/fields.ts'
import { misquotedBy, takesFor } from '../../kit/lies.ts'
import { answering, found, hasKey, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import * as quotes from './quotes.ts'
import { createRequests, requestBody, statusBody, watchPayments } from './requests.ts'

const ID = 'relay'
const KEY = { lengthMax: 256, code: 'UNAUTHORIZED', message: 'Invalid API key' }

const LISTED = {
  required: { chainIds: listOf(integer(1, Number.MAX_SAFE_INTEGER), 1), verified: flag, limit: integer(1, 100) },
  optional: {},
}

/** The contracts of a chain with a router; null elsewhere. */
export const contractsOn = (chainId: ChainId) => {
  const router = quotes.routerOf(chainId)
  return router === null ? null : { router, depository: quotes.spelledOn({ chainId }, PINNED[chainId].depository) }
}

const VM = { evm: 'evm', solana: 'svm', bitcoin: 'bvm' } as const

/** GET /chains. */
const chainsBody = (tokens: SimTokens) => ({
  chains: CHAIN_IDS.map((chainId) => {
    const { wireId: id, name, depository } = PINNED[chainId]
    const erc20Router = quotes.routerOf(chainId)
    return {
      ...{ id, name, displayName: chainOf(chainId).name, vmType: VM[ecosystemOf(chainId)] },
      ...{ disabled: false, depositEnabled: true, blockProductionLagging: false },
      currency: quotes.currencyBody(tokens.native(chainId)),
      contracts: erc20Router === null ? {} : { erc20Router, 'v3.2': { erc20Router } },
      solverAddresses: [SOLVER.toLowerCase()],
      protocol: { v2: { chainId: name, depository: quotes.spelledOn({ chainId }, depository) } },
    }
  }),
})

/**
 * Relay's API from its public reference: prices, deposits bound to orders by their hash, deposit addresses in bitcoin, and
 * requests that move from waiting to success, refund or failure. https://docs.relay.link/references/api/overview
 */
export const createRelay = (world: World): SimVenue => {
  const { random, tokens, market, faults } = world
  const requests = createRequests(world, ID)
  const { add, byRequestId, atDepositAddress } = requests

  const dealOf = ({ body, path }: SimRequest, isKeyed: boolean): quotes.Deal => {
    const request = quotes.readQuoteRequest(body, tokens, { isPrice: path === '/price', isKeyed })
    const takes = takesFor(faults, ID, path)
    refuseIf(takes('halt'), 'ROUTE_TEMPORARILY_RESTRICTED', 'This route is temporarily restricted')
    return quotes.priced(request, market, misquotedBy(takes))
  }

  const postQuote = async (call: SimRequest, isKeyed: boolean): Promise<SimResponse> => {
    const { body, entry } = await quotes.quoteBody(world, ID, dealOf(call, isKeyed))
    add(entry)
    return ok(body)
  }

  const getRequests = ({ query }: SimRequest, isKeyed: boolean): SimResponse => {
    refuseIf(!isKeyed, 'UNAUTHORIZED', 'An API key is required', { status: 401 })
    const entry = byRequestId(query.get('id') ?? '') ?? atDepositAddress(query.get('depositAddress') ?? '')
    return ok({ requests: entry ? [requestBody(entry)] : [] })
  }

  const getStatus = ({ query }: SimRequest): SimResponse =>
    ok(statusBody(found(byRequestId(query.get('requestId') ?? ''), null, 'Request not found', { status: 404 })))

  const postCurrencies = ({ body }: SimRequest): SimResponse => {
    const { chainIds, limit } = readFields(body, LISTED, quotes.refuseField)
    const listed = tokens.all.map(quotes.currencyBody).filter(({ chainId }) => chainIds.includes(chainId))
    return ok(listed.slice(0, limit))
  }

  const ROUTES: { readonly [route: string]: (request: SimRequest, isKeyed: boolean) => SimResponse | Promise<SimResponse> } = {
    'POST /quote/v2': postQuote,
    'POST /price': (...call) => ok(quotes.priceBody(dealOf(...call))),
    'GET /intents/status/v3': getStatus,
    'GET /requests/v3': getRequests,
    'GET /chains': () => ok(chainsBody(tokens)),
    'POST /currencies/v2': postCurrencies,
  }

  const route = (request: SimRequest) => {
    const { method, path, headers } = request
    const isKeyed = hasKey(headers['x-api-key'], KEY)
    return found(ROUTES[`${method} ${path}`], null, `Route ${method}:${path} not found`, { status: 404 })(request, isKeyed)
  }

  return {
    id: ID,
    // https://docs.relay.link/references/api/handling-errors
    handle: answering(route, ({ status, code: errorCode, message }) => ({
      ...{ status, body: errorCode === null ? { message } : { message, errorCode, requestId: `0x${random.hex(64)}` } },
    })),
    ...watchPayments(world, requests),
    settings: {},
    pricePaths: [{ path: '/price' }, { path: '/currencies/v2' }, { path: '/quote/v2', unless: { useDepositAddress: true } }],
  }
}
