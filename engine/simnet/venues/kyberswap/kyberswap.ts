import type { ChainId } from '../../../core/chain.ts'
import { misquotedBy, takesFor } from '../../kit/lies.ts'
import { answering, hasKey, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { buildBody } from './build.ts'
import { NETWORKS, ROUTER } from './networks.ts'
import { priceOf } from './pricing.ts'
import { readRouteQuestion } from './questions.ts'
import { createRoutes } from './routeSummary.ts'

const ID = 'kyberswap'
const KEY = { lengthMax: 256, code: '401', message: 'invalid API key' }
/** The gateway for those with a key: the same paths behind this one. */
const GATEWAY = '/swap/'
const SECOND_MS = 1_000

type Place = { readonly chainId: ChainId; readonly call: string }

const readPlace = (path: string): Place => {
  const [, slug = '', call = ''] = /^\/([a-z0-9-]+)\/api\/v1\/(routes|route\/build)$/.exec(path) ?? []
  const chainId = NETWORKS[slug]
  if (chainId === undefined) throw new Refusal(null, 'Not Found', { status: 404, path })
  return { chainId, call }
}

/** The aggregator's API from its OpenAPI file, and the answers that were recorded of it. https://docs.kyberswap.com */
export const createKyberswap = (world: World): SimVenue => {
  const { clock, faults, market, tokens, random } = world
  const routes = createRoutes(world)
  let namelessAt = Number.NEGATIVE_INFINITY

  /** Who does not say who asks gets one answer a second. */
  const limit = ({ headers }: SimRequest): void => {
    if (headers['x-client-id'] !== undefined) return
    refuseIf(clock.now() < namelessAt + SECOND_MS, '429', 'too many requests', { status: 429 })
    namelessAt = clock.now()
  }

  const routesBody = ({ query, path }: SimRequest, chainId: ChainId) => {
    const question = readRouteQuestion(query, chainId, tokens)
    const takes = takesFor(faults, ID, path)
    refuseIf(takes('halt'), '4008', 'route not found')
    const price = priceOf(question, market, misquotedBy(takes))
    return { routeSummary: routes.issue(question, price), routerAddress: ROUTER }
  }

  const dataOf = (request: SimRequest): object | Promise<object> => {
    const isGateway = request.path.startsWith(GATEWAY)
    const isKeyed = hasKey(request.headers['x-api-key'], KEY)
    refuseIf(isGateway && !isKeyed, '401', 'missing API key', { status: 401 })
    const { chainId, call } = readPlace(isGateway ? request.path.slice(GATEWAY.length - 1) : request.path)
    limit(request)
    if (call === 'routes' && request.method === 'GET') return routesBody(request, chainId)
    if (call === 'route/build' && request.method === 'POST') return buildBody(world, ID, routes, request, chainId)
    throw new Refusal(null, 'Not Found', { status: 404, path: request.path })
  }

  return {
    id: ID,
    handle: answering(
      async (request) => ok({ code: 0, message: 'successfully', data: await dataOf(request), requestId: random.hex(16) }),
      ({ status, code, message, more: { details = null, path } }) => ({
        status,
        body: code === null ? { message, path } : { code: Number(code), message, details, requestId: random.hex(16) },
      }),
    ),
    // Swaps are made by the wallet's own transaction: nothing is left to do.
    onTransaction: ({ to }) => to.toLowerCase() === ROUTER.toLowerCase(),
    onDeposit: () => false,
    settings: {},
    pricePaths: [],
  }
}
