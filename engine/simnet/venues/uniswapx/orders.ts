import { hashTypedData, recoverTypedData } from '../../../chains/evm/evmCodec.ts'
import type { Hex, TypedData } from '../../../core/execution.ts'
import { callData } from '../../kit/callData.ts'
import { lowerCase, matching, oneOf, queryFields, readFields, text, type } from '../../kit/fields.ts'
import { takesFor } from '../../kit/lies.ts'
import { found, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { Book, Quoted, SimOrder } from './book.ts'
import { type Kind, ORDER_NETWORKS, PERMIT2 } from './networks.ts'
import { type Terms, typesOf, valuesOf } from './orderData.ts'
import { invalid, refuseField } from './refusal.ts'
import { openOrder, statusOf } from './settle.ts'

const HASH = lowerCase(matching('a 32-byte hex string', /^0x[0-9a-fA-F]{64}$/))
const QUOTE = type('an object', (value) => (typeof value === 'object' && value !== null ? (value as object) : undefined))
const PLACING = {
  required: {
    signature: matching('a signature of 65 bytes', /^0x[0-9a-fA-F]{130}$/),
    quote: QUOTE,
    routing: oneOf('DUTCH_V2', 'DUTCH_V3', 'PRIORITY'),
  },
  optional: {},
}

/** lib/preconditions of the service: hex digits, and open orders of one wallet. */
const ENCODED_DIGITS_MAX = 4_000
const OPEN_MAX = 25
const DAY_MS = 24 * 60 * 60_000

const typedDataOf = (terms: Terms): TypedData => ({
  domain: { name: 'Permit2', chainId: terms.chainId, verifyingContract: PERMIT2 },
  types: typesOf(terms.kind),
  primaryType: 'PermitWitnessTransferFrom',
  message: valuesOf(terms) as unknown as TypedData['message'],
})

/** EIP-1271: the selector itself is the yes. */
const isOfContract = async ({ world: { evm } }: Book, terms: Terms, signature: string): Promise<boolean> => {
  const args = [await hashTypedData(typedDataOf(terms)), signature]
  const data = await callData('function isValidSignature(bytes32 hash, bytes signature)', args)
  return evm.call({ chainId: terms.chainId, to: terms.swapper, data }).then(
    (answer) => answer.startsWith('0x1626ba7e'),
    () => false,
  )
}

const isSigned = async (book: Book, terms: Terms, signature: string): Promise<boolean> => {
  const signer = await recoverTypedData(typedDataOf(terms), signature as Hex)
  return signer?.toLowerCase() === terms.swapper || isOfContract(book, terms, signature)
}

const quotedAs = ({ quotes }: Book, quote: object, routing: Kind): Quoted & { readonly encodedOrder: string } => {
  const { orderId, encodedOrder } = quote as { readonly orderId?: unknown; readonly encodedOrder?: unknown }
  if (typeof encodedOrder !== 'string' || encodedOrder.length - 2 > ENCODED_DIGITS_MAX)
    throw new Refusal('ORDER_PARSE_FAIL', 'Failed to parse the order')
  const quoted = found(quotes.get(String(orderId)), 'INVALID_ORDER', 'the order is none that was quoted')
  const isOther = quoted.text !== JSON.stringify(quote) || quoted.terms.kind !== routing
  refuseIf(isOther, 'INVALID_ORDER', 'the order is not as it was quoted')
  return { ...quoted, encodedOrder }
}

/** POST /order. */
export const placeOrder = async (book: Book, { body, path }: SimRequest): Promise<SimResponse> => {
  const { clock, faults, random } = book.world
  const { signature, quote, routing } = readFields(body, PLACING, refuseField)
  const { terms, encodedOrder } = quotedAs(book, quote, routing)
  const { orderId, quoteId } = quote as { orderId: string; quoteId: string }
  const now = clock.now()
  const leftMs = terms.deadline * 1_000 - now
  const network = ORDER_NETWORKS.find(({ chainId }) => chainId === terms.chainId)
  refuseIf(network?.reactors[terms.kind] !== terms.reactor, 'INVALID_ORDER', 'Unknown reactor')
  refuseIf(leftMs <= 0 || leftMs > DAY_MS, 'INVALID_ORDER', 'Deadline must be in the next day')
  refuseIf(!(await isSigned(book, terms, signature)), 'INVALID_ORDER', 'Invalid signature')
  const told = takesFor(faults, 'uniswapx', path)('bad-signature') ? `0x${'b'.repeat(64)}` : orderId
  const answer = ok({ requestId: random.hex(32), orderId: told, orderStatus: 'open' }, 201)
  if (book.orders.has(orderId)) return answer
  const open = [...book.orders.values()].filter((one) => one.terms.swapper === terms.swapper && statusOf(book, one) === 'open')
  refuseIf(open.length >= OPEN_MAX, 'TOO_MANY_OPEN_ORDERS', `${open.length} orders are open`, { status: 403 })
  const own = { orderId, quoteId, encodedOrder, terms, signature, createdAt: now }
  openOrder(book, { ...own, fate: null, status: 'open', settled: null })
  return answer
}

const TYPES: { readonly [K in Kind]: string } = { DUTCH_V2: 'Dutch_V2', DUTCH_V3: 'Dutch_V3', PRIORITY: 'Priority' }

const QUERY = {
  required: {},
  optional: {
    orderId: HASH,
    orderIds: text(66, 2_000),
    orderType: oneOf('Dutch_V2', 'Dutch_V3', 'Limit', 'Priority'),
    swapper: lowerCase(matching('an address', /^0x[0-9a-fA-F]{40}$/)),
    orderStatus: oneOf('open', 'expired', 'error', 'cancelled', 'filled', 'unverified', 'insufficient-funds'),
    limit: matching('a number', /^[0-9]{1,2}$/),
    cursor: text(1, 500),
    sortKey: oneOf('createdAt'),
    sort: text(1, 50),
  },
}

const settledOf = ({ terms, settled }: SimOrder) =>
  settled === null
    ? {}
    : {
        txHash: settled.txHash,
        settledAmounts: settled.amounts.map((amountOut, i) => ({
          ...{ tokenOut: terms.outputs[i]?.token, amountOut: amountOut.toString() },
          ...{ tokenIn: terms.token, amountIn: terms.amount.toString() },
        })),
      }

const view = (book: Book, order: SimOrder, isGarbled: boolean) => {
  const { terms, orderId, quoteId, encodedOrder, signature, createdAt } = order
  const { kind, chainId, swapper, nonce, token, amount, outputs } = terms
  return {
    ...{ type: TYPES[kind], orderId, quoteId, encodedOrder, signature, chainId, swapper, nonce: nonce.toString() },
    orderStatus: isGarbled ? 'disputed' : statusOf(book, order),
    input: { token, startAmount: amount.toString(), endAmount: amount.toString() },
    outputs: outputs.map(({ start, end, ...to }) => ({ ...to, startAmount: `${start}`, endAmount: `${end}` })),
    createdAt: Math.floor(createdAt / 1_000),
    ...settledOf(order),
  }
}

/** GET /orders. */
export const readOrders = (book: Book, { query, path }: SimRequest): SimResponse => {
  const { orderId, orderIds, orderType, swapper, orderStatus } = readFields(queryFields(query), QUERY, refuseField)
  if (orderId !== undefined && orderIds !== undefined) throw invalid('orderId and orderIds exclude each other')
  const isGarbled = takesFor(book.world.faults, 'uniswapx', path)('unknown-status')
  const ids = orderId === undefined ? orderIds?.toLowerCase().split(',') : [orderId]
  if (ids === undefined && swapper === undefined && orderStatus === undefined) throw invalid('nothing is asked for')
  const all = [...book.orders.values()].filter(
    (order) =>
      (ids === undefined || ids.includes(order.orderId)) &&
      (orderType === undefined || TYPES[order.terms.kind] === orderType) &&
      (swapper === undefined || order.terms.swapper === swapper) &&
      (orderStatus === undefined || statusOf(book, order) === orderStatus),
  )
  return ok({ requestId: book.world.random.hex(32), orders: all.map((order) => view(book, order, isGarbled)) })
}
