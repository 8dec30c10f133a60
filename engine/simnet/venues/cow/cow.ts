import { readFields } from '../../kit/fields.ts'
import { takesFor } from '../../kit/lies.ts'
import { answering, found, ok, Refusal } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { BOOK_NETWORKS, type Book, createBook, type SimOrder } from './book.ts'
import { followEthFlow, phaseOf, placeOrder, statusOf } from './orders.ts'
import { answerQuote, MANNER, readDocument, refuseField, TEXT } from './quotes.ts'

/** PUT /api/v1/app_data/{hash}. */
const registerAppData = ({ documents }: Book, { body }: SimRequest, statedHash: string): SimResponse => {
  const { fullAppData } = readFields(body, { required: { fullAppData: TEXT }, optional: {} }, refuseField)
  const document = readDocument(fullAppData, statedHash.toLowerCase())
  const isNew = !documents.has(document.hash)
  documents.set(document.hash, document)
  return ok(document.hash, isNew ? 201 : 200)
}

/** Orders placed on chain are known once their transaction is indexed. */
const isKnown = ({ world }: Book, { createdAt }: SimOrder): boolean => createdAt <= world.clock.now()

const orderOf = (book: Book, uid: string): SimOrder => {
  const order = book.orders.get(uid.toLowerCase())
  return found(order && isKnown(book, order) ? order : null, 'NotFound', 'Order was not found', { status: 404 })
}

const orderBody = (
  { uid, owner, data, createdAt, appData, signingScheme, signature, outcome, ethFlow }: SimOrder,
  status: string,
) => {
  const filled = outcome?.status === 'fulfilled' ? outcome : null
  const { sender, placementError = null, refundTxHash = null, userValidTo } = ethFlow ?? {}
  return {
    ...MANNER,
    ...data,
    ...{ sellAmount: `${data.sellAmount}`, buyAmount: `${data.buyAmount}`, feeAmount: '0' },
    ...{ uid, owner, status, kind: 'sell', class: 'limit', signingScheme, signature },
    creationDate: new Date(createdAt).toISOString(),
    fullAppData: appData?.text ?? null,
    ...{ executedSellAmount: filled ? `${data.sellAmount}` : '0', executedBuyAmount: `${filled?.buyAmount ?? 0n}` },
    // The signed fee, which is none, and the fee taken.
    ...{ executedFeeAmount: '0', executedFee: '0' },
    ...(ethFlow && {
      ethflowData: { userValidTo, refundTxHash, isRefunded: refundTxHash !== null },
      ...{ onchainUser: sender, onchainOrderData: { sender, placementError } },
    }),
  }
}

/** GET /api/v1/orders/{uid}. */
const readOrder = (book: Book, { path }: SimRequest, uid: string): SimResponse => {
  const order = orderOf(book, uid)
  const isGarbled = takesFor(book.world.faults, 'cow', path)('unknown-status')
  return ok(orderBody(order, isGarbled ? 'settlementDisputed' : statusOf(book, order)))
}

/** GET /api/v1/account/{owner}/orders, which include those that the account placed on chain. */
const readAccountOrders = (book: Book, _request: SimRequest, account: string): SimResponse => {
  const isOwn = ({ owner, ethFlow }: SimOrder) => [owner, ethFlow?.sender].includes(account.toLowerCase())
  const own = [...book.orders.values()].filter((order) => isOwn(order) && isKnown(book, order))
  return ok(own.map((order) => orderBody(order, statusOf(book, order))))
}

/** GET /api/v2/trades, by order. */
const readTrades = ({ orders }: Book, { query }: SimRequest): SimResponse => {
  const uid = found(query.get('orderUid'), 'InvalidTradeFilter', 'only the trades of an order are simulated')
  const { owner, data, outcome } = orders.get(uid.toLowerCase()) ?? {}
  if (!data || outcome?.status !== 'fulfilled') return ok([])
  const { sellToken, buyToken, sellAmount } = data
  const { buyAmount, txHash } = outcome
  return ok([{ orderUid: uid, owner, sellToken, buyToken, sellAmount: `${sellAmount}`, buyAmount: `${buyAmount}`, txHash }])
}

type Handler = (book: Book, request: SimRequest, argument: string) => SimResponse | Promise<SimResponse>

/** What the adapter and the venue's own SDK ask for. */
const ENDPOINTS: readonly (readonly [method: string, path: RegExp, handler: Handler])[] = [
  ['POST', /^\/api\/v1\/quote$/, answerQuote],
  ['POST', /^\/api\/v1\/orders$/, placeOrder],
  ['GET', /^\/api\/v1\/orders\/(0x[0-9a-fA-F]{112})$/, readOrder],
  ['GET', /^\/api\/v1\/orders\/(0x[0-9a-fA-F]{112})\/status$/, (book, _, uid) => ok({ type: phaseOf(book, orderOf(book, uid)) })],
  ['GET', /^\/api\/v1\/account\/(0x[0-9a-fA-F]{40})\/orders$/, readAccountOrders],
  ['GET', /^\/api\/v2\/trades$/, readTrades],
  ['PUT', /^\/api\/v1\/app_data\/(0x[0-9a-fA-F]{64})$/, registerAppData],
  ['GET', /^\/api\/v1\/token\/0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\/native_price$/i, () => ok({ price: 1 })],
  ['GET', /^\/api\/v1\/version$/, () => ({ status: 200, body: 'v2.340.0', contentType: 'text/plain' })],
]

/** A body that does not deserialise is answered in plain text, all else as one of the API's documented errors. */
const refusalBody = ({ status, code, message, more }: Refusal): SimResponse =>
  code === null
    ? { status, body: message, contentType: 'text/plain; charset=utf-8' }
    : { status, body: { errorType: code, description: message, ...more } }

/** CoW Protocol's order books, one per chain, the EthFlow contract that feeds them, and the solver that settles their orders. https://docs.cow.fi */
export const createCow = (world: World): SimVenue => {
  const books = BOOK_NETWORKS.map((network) => createBook(world, network))

  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    const { method, path } = request
    const book = books.find(({ network }) => path.startsWith(`/${network.path}/`)) ?? null
    const asked = path.slice(path.indexOf('/', 1))
    const endpoint = ENDPOINTS.find(([by, pattern]) => by === method && pattern.test(asked))
    if (!book || !endpoint) throw new Refusal(null, 'not found', { status: 404 })
    const [, pattern, handler] = endpoint
    return handler(book, request, pattern.exec(asked)?.[1] ?? '')
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
