import { PERMIT2 } from '../../../chains/evm/permit2.ts'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { type ChainId, chainOf, isChainId } from '../../../core/chain.ts'
import { KINDS, networkOf, ORDER_KINDS, ROUTINGS, type Routing } from '../../../venues/uniswapx/protocol.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { usdMicrosOf } from '../../kit/dollars.ts'
import { amount, each, integer, listOf, matching, oneOf, queryFields, readFields, record, type } from '../../kit/fields.ts'
import { alteredTerms, misquotedBy, type Takes, takesFor } from '../../kit/lies.ts'
import { answering, found, hasKey, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { openOrder, type SimOrder, statusOf, tokenAt, worthOf } from './fills.ts'
import { encodeOrder, type Output, orderHash, type Terms, valuesOf } from './orderData.ts'

const ID = 'uniswapx'
/** The largest order that is filled, in US dollars. */
const USD_MAX = 3_000_000n
const LIFETIME_S = 300

const ADDRESS = matching('an address', /^0x[0-9a-fA-F]{40}$/)
const HASH = matching('a hash', /^0x[0-9a-f]{64}$/)
const within = (least: number, most: number) =>
  type(`a number from ${least} to ${most}`, (value) =>
    typeof value === 'number' && value >= least && value <= most ? value : undefined,
  )
const QUOTE = {
  required: {
    ...{ type: oneOf('EXACT_INPUT'), amount, slippageTolerance: within(0, 100), routingPreference: oneOf('BEST_PRICE') },
    ...each(integer(1, 2 ** 32), 'tokenInChainId', 'tokenOutChainId'),
    ...each(ADDRESS, 'tokenIn', 'tokenOut', 'swapper'),
    protocols: listOf(oneOf('UNISWAPX_V2', 'UNISWAPX_V3'), 1),
  },
  optional: {
    recipient: ADDRESS,
    integratorFees: listOf(record({ required: { bips: within(1, 500), recipient: ADDRESS }, optional: {} }), 1),
  },
}
const PLACING = {
  required: {
    signature: matching('a signature of 65 bytes', /^0x[0-9a-fA-F]{130}$/),
    quote: record({
      required: {
        orderId: HASH,
        ...each(
          type('a value', (value) => value),
          'quoteId',
          'encodedOrder',
          'slippageTolerance',
        ),
      },
      optional: {},
    }),
    routing: oneOf('DUTCH_V2', 'DUTCH_V3', 'PRIORITY'),
  },
  optional: {},
}
const LISTING = { required: { orderId: HASH, orderType: oneOf('Dutch_V2', 'Dutch_V3', 'Priority') }, optional: {} }

type QuoteRequest = ReturnType<typeof readFields<(typeof QUOTE)['required'], (typeof QUOTE)['optional']>>

const invalid = (): Refusal => new Refusal('RequestValidationError', 'the request is invalid')
/** The API's only refusal of a quote, whatever its reason. */
const NONE = ['ResourceNotFound', 'No quotes available', { status: 404 }] as const

/** The kind of order, its reactor and both tokens. Throws Refusal. */
const dealOf = (world: World, request: QuoteRequest) => {
  const { tokenInChainId: chainId, tokenOutChainId, tokenIn, tokenOut, protocols } = request
  refuseIf(chainId !== tokenOutChainId || tokenIn === ZERO_EVM_ADDRESS || tokenIn === tokenOut, ...NONE)
  const network = found(isChainId(chainId) ? networkOf(chainId) : null, ...NONE)
  const kinds: readonly Routing[] = protocols[0] === 'UNISWAPX_V3' ? ['DUTCH_V3'] : ['DUTCH_V2', 'PRIORITY']
  const kind = found(
    ROUTINGS.find((one) => kinds.includes(one) && network.reactors[one]),
    ...NONE,
  )
  const [from, to] = [found(tokenAt(world, chainId, tokenIn), ...NONE), found(tokenAt(world, chainId, tokenOut), ...NONE)]
  refuseIf(to.isNative && from.address === chainOf(chainId as ChainId).wrappedNative, ...NONE)
  refuseIf(from.takesTransferFee || to.takesTransferFee, ...NONE)
  const usd = usdMicrosOf(world.market, from, request.amount) / 1_000_000n
  refuseIf(usd < network.usdMin || usd > USD_MAX, ...NONE)
  return { kind, chainId, reactor: network.reactors[kind] ?? ZERO_EVM_ADDRESS, from, to }
}

const outputsOf = (kind: Routing, total: bigint, request: QuoteRequest): readonly Output[] => {
  const { tokenOut: token, slippageTolerance, integratorFees = [], swapper, recipient: own = swapper } = request
  const leastOf = (start: bigint) =>
    kind === 'PRIORITY' ? start : (start * BigInt(10_000 - Math.round(slippageTolerance * 100))) / 10_000n
  const output = (recipient: string, start: bigint): Output => ({ token, recipient, start, end: leastOf(start) })
  const fees = integratorFees.map(({ bips, recipient }) => output(recipient, (total * BigInt(bips)) / 10_000n))
  return [
    output(
      own,
      fees.reduce((left, { start }) => left - start, total),
    ),
    ...fees,
  ]
}

/** The terms as the active faults alter them. */
const lied = (terms: Terms, takes: Takes): Terms => {
  const [own, ...fees] = terms.outputs
  if (!own) return terms
  const honest = { recipient: own.recipient, minimum: own.end, amount: terms.amount, contract: terms.reactor }
  const { recipient, minimum: end, amount: taken, contract } = alteredTerms(takes, honest, { origin: terms, destination: terms })
  const start = terms.kind === 'PRIORITY' ? end : own.start
  return { ...terms, amount: taken, reactor: contract, outputs: [{ ...own, recipient, start, end }, ...fees] }
}

/** A row of GET /orders, without its status. */
const rowOf = ({ orderId, terms, settled, signature, createdAt }: SimOrder) => {
  const { kind, chainId, swapper, token, outputs } = terms
  const sold = terms.amount.toString()
  const paid = (amountOut: bigint, at: number) => ({ tokenOut: outputs[at]?.token, amountOut: amountOut.toString() })
  const settledAmounts = settled?.amounts.map((one, at) => ({ ...paid(one, at), tokenIn: token, amountIn: sold }))
  return {
    ...{ type: KINDS[kind].orderType, orderId, signature, chainId, swapper, createdAt: Math.floor(createdAt / 1_000) },
    input: { token, startAmount: sold, endAmount: sold },
    ...(settled && { txHash: settled.txHash, settledAmounts }),
  }
}

/** The Uniswap Trading API as far as it sells UniswapX, and the filler of its orders. https://developers.uniswap.org */
export const createUniswapX = (world: World): SimVenue => {
  const { clock, faults, random } = world
  const quotes = new BoundedMap<string, { readonly terms: Terms; readonly text: string }>()
  const orders = new BoundedMap<string, SimOrder>()

  const postQuote = async ({ body, path }: SimRequest): Promise<SimResponse> => {
    const takes = takesFor(faults, ID, path)
    const request = readFields(body, QUOTE, invalid)
    refuseIf(takes('halt'), ...NONE)
    const { kind, chainId, reactor, from, to } = dealOf(world, request)
    const total = worthOf(world, from, request.amount, to) * misquotedBy(takes)
    refuseIf(total === 0n, ...NONE)
    const outputs = outputsOf(kind, total, request)
    const nonce = BigInt(`0x${random.hex(64)}`)
    const deadline = Math.floor(clock.now() / 1_000) + LIFETIME_S
    const { swapper, tokenIn: token, amount: sold, slippageTolerance } = request
    const terms = lied({ kind, chainId, reactor, swapper, nonce, deadline, token, amount: sold, outputs }, takes)
    const orderId = await orderHash(terms)
    const quoteId = [8, 4, 4, 4, 12].map((length) => random.hex(length)).join('-')
    const quote = { orderId, quoteId, encodedOrder: await encodeOrder(terms, null), slippageTolerance }
    quotes.set(orderId, { terms, text: JSON.stringify(quote) })
    const domain = { name: 'Permit2', chainId, verifyingContract: PERMIT2 }
    const permitData = { domain, types: ORDER_KINDS[kind].types, values: valuesOf(terms) }
    return ok({ requestId: random.hex(32), routing: kind, quote, permitData })
  }

  /** Accepts a quote only as it was answered. A repeated order is the same order. */
  const postOrder = ({ body, path }: SimRequest): SimResponse => {
    const { signature, quote, routing } = readFields(body, PLACING, invalid)
    const { orderId } = quote
    const { terms, text } = found(quotes.get(orderId), 'INVALID_ORDER', 'the order was not quoted')
    const isOther = text !== JSON.stringify((body as { readonly quote: object }).quote) || terms.kind !== routing
    refuseIf(isOther, 'INVALID_ORDER', 'the order is not as it was quoted')
    refuseIf(terms.deadline * 1_000 <= clock.now(), 'INVALID_ORDER', 'Deadline must be in the next day')
    if (!orders.has(orderId)) orders.set(orderId, openOrder(world, { orderId, terms, signature }))
    const answered = takesFor(faults, ID, path)('bad-signature') ? `0x${'b'.repeat(64)}` : orderId
    return ok({ requestId: random.hex(32), orderId: answered, orderStatus: 'open' }, 201)
  }

  const getOrders = ({ query, path }: SimRequest): SimResponse => {
    const { orderId, orderType } = readFields(queryFields(query), LISTING, invalid)
    const isGarbled = takesFor(faults, ID, path)('unknown-status')
    const order = orders.get(orderId)
    if (!order || KINDS[order.terms.kind].orderType !== orderType) return ok({ requestId: random.hex(32), orders: [] })
    const orderStatus = isGarbled ? 'disputed' : statusOf(world, order)
    return ok({ requestId: random.hex(32), orders: [{ ...rowOf(order), orderStatus }] })
  }

  const ROUTES: { readonly [route: string]: (request: SimRequest) => SimResponse | Promise<SimResponse> } = {
    'POST /quote': postQuote,
    'POST /order': postOrder,
    'GET /orders': getOrders,
  }
  const unauthorized = { lengthMax: 100, code: 'UnauthorizedError', message: 'Unauthorized' } as const

  return {
    id: ID,
    settings: { API_KEY: 'a-key-of-the-offline-network' },
    pricePaths: [{ path: '/quote' }],
    handle: answering(
      (request) => {
        const route = found(ROUTES[`${request.method} ${request.path}`], 'NotFound', 'Not Found', { status: 404 })
        refuseIf(!hasKey(request.headers['x-api-key'], unauthorized), unauthorized.code, unauthorized.message, { status: 401 })
        return route(request)
      },
      ({ status, code, message }) => ({ status, body: { errorCode: code, detail: message } }),
    ),
    onDeposit: () => false,
    onTransaction: () => false,
  }
}
