import { answering, hasKey, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { type Book, createBook } from './book.ts'
import { placeOrder, readOrders } from './orders.ts'
import { answerQuote } from './quotes.ts'
import { invalid, refusalBody } from './refusal.ts'

type Handler = (book: Book, request: SimRequest) => SimResponse | Promise<SimResponse>

const ENDPOINTS: { readonly [call: string]: Handler } = {
  'POST /quote': answerQuote,
  'POST /order': placeOrder,
  'GET /orders': readOrders,
}

const UNAUTHORIZED = { lengthMax: 100, code: 'UnauthorizedError', message: 'Unauthorized' } as const

/** The Uniswap Trading API as far as it sells UniswapX, and who fills its orders. https://developers.uniswap.org */
export const createUniswapX = (world: World): SimVenue => {
  const book = createBook(world)
  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    const { method, path, headers, body } = request
    const handler = ENDPOINTS[`${method} ${path}`]
    if (!handler) return { status: 404, body: { message: 'Not Found' } }
    refuseIf(!hasKey(headers['x-api-key'], UNAUTHORIZED), UNAUTHORIZED.code, UNAUTHORIZED.message, { status: 401 })
    if (method === 'POST' && (headers['content-type']?.startsWith('application/json') !== true || body === undefined))
      throw invalid('the body must be JSON')
    return handler(book, request)
  }
  return {
    id: 'uniswapx',
    settings: { API_KEY: 'a-key-of-the-offline-network' },
    pricePaths: [{ path: '/quote' }],
    handle: answering(route, refusalBody),
    onDeposit: () => false,
    onTransaction: () => false,
  }
}
