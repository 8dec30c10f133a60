import { answering, Refusal } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { CONTRACTS, createDesk, type Desk, NETWORKS, ROUTER_SIGNER } from './desk.ts'
import { answerJamQuote, postOrder, readStatus } from './orders.ts'
import { answerRfqQuote } from './rfqQuote.ts'

const ENDPOINTS: { readonly [call: string]: (desk: Desk, request: SimRequest) => SimResponse | Promise<SimResponse> } = {
  'GET /pmm/v3/quote': answerRfqQuote,
  'GET /jam/v2/quote': answerJamQuote,
  'POST /jam/v2/order': postOrder,
  'GET /jam/v2/order-status': readStatus,
}

/** Bebop's two APIs, the makers behind the one and the solver behind the other. https://docs.bebop.xyz */
export const createBebop = (world: World): SimVenue => {
  const desks = NETWORKS.map((network) => createDesk(world, network))
  const contracts: readonly string[] = Object.values(CONTRACTS).map((address) => address.toLowerCase())
  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    const [, api, name, rest] = /^\/(pmm|jam)\/([a-z]+)(\/.*)$/.exec(request.path) ?? []
    const desk = desks.find(({ network }) => network.path === name)
    const endpoint = ENDPOINTS[`${request.method} /${api}${rest}`]
    if (!desk || !endpoint) throw new Refusal(null, 'Not Found', { status: 404 })
    return endpoint(desk, request)
  }
  return {
    id: 'bebop',
    // Without a key most orders end before a wallet can sign them.
    settings: { API_KEY: 'a-key-of-the-offline-network', ROUTER_SIGNER: ROUTER_SIGNER.address },
    pricePaths: [],
    handle: answering(route, ({ status, code, message }) => ({
      status,
      body: code === null ? { detail: message } : { error: { errorCode: Number(code), message } },
    })),
    onDeposit: () => false,
    onTransaction: ({ to, logs = [] }) =>
      [to, ...logs.map(({ address }) => address)].some((each) => contracts.includes(each.toLowerCase())),
  }
}
