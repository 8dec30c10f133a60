import { answering, ok, Refusal } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { createDesk, type Desk } from './desk.ts'
import { answerJamQuote } from './jamQuote.ts'
import { CONTRACTS, NETWORKS, ROUTER_SIGNER } from './networks.ts'
import { postOrder, readStatus } from './orders.ts'
import { refusalBody } from './refusal.ts'
import { answerRfqQuote } from './rfqQuote.ts'

type Handler = (desk: Desk, request: SimRequest) => SimResponse | Promise<SimResponse>

/** By what follows the chain's name. */
const ENDPOINTS: readonly (readonly [method: string, api: string, path: string, handler: Handler])[] = [
  ['GET', 'pmm', '/v3/quote', answerRfqQuote],
  ['GET', 'jam', '/v2/quote', answerJamQuote],
  ['POST', 'jam', '/v2/order', postOrder],
  ['GET', 'jam', '/v2/order-status', readStatus],
]

const notFound = (): Refusal => new Refusal(null, 'Not Found', { status: 404 })

/** Bebop's two APIs, the makers behind the one and the solver behind the other. https://docs.bebop.xyz */
export const createBebop = (world: World): SimVenue => {
  const desks = NETWORKS.map((network) => createDesk(world, network))
  const contracts: readonly string[] = Object.values(CONTRACTS).map((address) => address.toLowerCase())

  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    if (request.method === 'GET' && request.path === '/pmm/chains')
      return ok(Object.fromEntries(NETWORKS.map(({ path, chainId }) => [path, chainId])))
    const [, api, name, rest] = /^\/(pmm|jam)\/([a-z]+)(\/.*)$/.exec(request.path) ?? []
    const desk = desks.find(({ network }) => network.path === name)
    const endpoint = ENDPOINTS.find(([method, of, path]) => method === request.method && of === api && path === rest)
    if (!desk || !endpoint) throw notFound()
    return endpoint[3](desk, request)
  }

  return {
    id: 'bebop',
    // Without a key most orders end before a wallet can sign them.
    settings: { API_KEY: 'a-key-of-the-offline-network', ROUTER_SIGNER: ROUTER_SIGNER.address },
    pricePaths: [],
    handle: answering(route, refusalBody),
    onDeposit: () => false,
    onTransaction: ({ to, logs = [] }) =>
      [to, ...logs.map(({ address }) => address)].some((each) => contracts.includes(each.toLowerCase())),
  }
}
