import { readFields } from '../../kit/fields.ts'
import { answering, found, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { demandHash, readDocument } from './appData.ts'
import { type Book, createBook } from './book.ts'
import { followEthFlow } from './ethFlow.ts'
import { TEXT } from './fieldTypes.ts'
import { BOOK_NETWORKS } from './networks.ts'
import { placeOrder } from './placeOrder.ts'
import { answerQuote } from './quotes.ts'
import { readAccountOrders, readNativePrice, readOrder, readPhase, readTrades } from './readOrders.ts'
import { refusalBody, refuseField, unprocessable } from './refusal.ts'

const VERSION = 'v2.340.0'
const BODY_BYTES_MAX = 16 * 1024

/** PUT /api/v1/app_data/{hash}. */
const registerAppData = ({ documents }: Book, { body }: SimRequest, statedHash: string): SimResponse => {
  const { fullAppData } = readFields(body, { required: { fullAppData: TEXT }, optional: {} }, refuseField)
  const document = readDocument(fullAppData)
  demandHash(statedHash, document)
  const isNew = !documents.has(document.hash)
  documents.set(document.hash, document)
  return ok(document.hash, isNew ? 201 : 200)
}

const readAppData = ({ documents }: Book, _request: SimRequest, hash: string): SimResponse => {
  const document = found(documents.get(hash.toLowerCase()), 'NotFound', 'full app data not found', { status: 404 })
  return ok({ fullAppData: document.text })
}

type Handler = (book: Book, request: SimRequest, argument: string) => SimResponse | Promise<SimResponse>
type Endpoint = readonly [method: string, path: RegExp, handler: Handler]

const APP_DATA = /^\/api\/v1\/app_data\/(0x[0-9a-fA-F]{64})$/

/** What the adapter and the venue's own SDK ask for. */
const ENDPOINTS: readonly Endpoint[] = [
  ['POST', /^\/api\/v1\/quote$/, answerQuote],
  ['POST', /^\/api\/v1\/orders$/, placeOrder],
  ['GET', /^\/api\/v1\/orders\/([^/]+)$/, readOrder],
  ['GET', /^\/api\/v1\/orders\/([^/]+)\/status$/, readPhase],
  ['GET', /^\/api\/v1\/account\/(0x[0-9a-fA-F]{40})\/orders$/, readAccountOrders],
  ['GET', /^\/api\/v2\/trades$/, readTrades],
  ['PUT', APP_DATA, registerAppData],
  ['GET', APP_DATA, readAppData],
  ['GET', /^\/api\/v1\/token\/(0x[0-9a-fA-F]{40})\/native_price$/, readNativePrice],
  ['GET', /^\/api\/v1\/version$/, () => ({ status: 200, body: VERSION, contentType: 'text/plain' })],
]

const requireJson = ({ method, body, rawBody, headers }: SimRequest): void => {
  if (method === 'GET') return
  refuseIf(rawBody.length > BODY_BYTES_MAX, 'PayloadTooLarge', 'the body is too large', { status: 413 })
  if (headers['content-type']?.startsWith('application/json') !== true)
    throw unprocessable('expected `Content-Type: application/json`')
  if (body === undefined) throw unprocessable('not JSON')
}

/** CoW Protocol's order books, one per chain, the EthFlow contract that feeds them, and the solver that settles their orders. https://docs.cow.fi */
export const createCow = (world: World): SimVenue => {
  const books = BOOK_NETWORKS.map((network) => createBook(world, network))

  const route = async (request: SimRequest): Promise<SimResponse> => {
    const book = books.find(({ network }) => request.path.startsWith(`/${network.path}/`))
    if (!book) return { status: 404, body: 'not found', contentType: 'text/plain' }
    const path = request.path.slice(book.network.path.length + 1)
    const matches = ENDPOINTS.filter(([, pattern]) => pattern.test(path))
    const match = matches.find(([method]) => method === request.method)
    if (!match) return { status: matches.length > 0 ? 405 : 404, body: '', contentType: 'text/plain' }
    requireJson(request)
    const [, pattern, handler] = match
    return handler(book, request, pattern.exec(path)?.[1] ?? '')
  }

  return {
    id: 'cow',
    settings: {},
    pricePaths: BOOK_NETWORKS.map(({ path }) => ({ path: `/${path}/api/v1/quote` })),
    handle: answering(route, refusalBody),
    onDeposit: () => false,
    onTransaction: (transaction) => {
      const book = books.find(({ network }) => network.chainId === transaction.chainId)
      return book !== undefined && followEthFlow(book, transaction)
    },
  }
}
