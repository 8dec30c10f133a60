import type { TypedData } from '../../core/execution.ts'
import type { Json } from '../../core/json.ts'
import * as shapes from '../kit/shapes.ts'
import { ORDER_KINDS, PERMIT, ROUTINGS, type Routing } from './protocol.ts'

const { amount, anything, closed, count, either, evmAddress, hash32, hex, list, literal, object, orNull, shape, text } = shapes
type Schema<T> = shapes.Schema<T>

/*
 * The used part of the Trading API's answers. https://trade-api.gateway.uniswap.org/v1/api.json, whose lists of required fields
 * include some that no order has.
 */
const word = text({ maxLength: 64 })

/** Some texts of the API use `orderHash` for the id. */
const quoteSchema = object({}, { orderId: orNull(hash32), orderHash: orNull(hash32) })

const domain = object({ name: literal('Permit2'), chainId: count(), verifyingContract: evmAddress })

/** POST /quote with a routing of UniswapX; other routings have quotes of other kinds. */
export const routedShape = shape('quote', object({ routing: word }))
export const quoteShape = shape('quote', object({ quote: quoteSchema, permitData: object({ domain, values: object({}) }) }))

/** POST /order. */
export const placedShape = shape('placed order', object({ orderId: hash32 }))

/** A row of GET /orders. */
export const orderShape = shape(
  'placed order',
  object(
    { orderStatus: word },
    {
      chainId: orNull(count()),
      swapper: orNull(evmAddress),
      input: orNull(object({}, { token: orNull(evmAddress) })),
      txHash: orNull(either(hash32, literal(''))),
      settledAmounts: anything,
    },
  ),
)
export type WireOrder = shapes.Static<typeof orderShape>

export const settledShape = shape('settled amounts', list(object({ tokenOut: evmAddress, amountOut: amount })))

/** GET /orders. */
export const ordersShape = shape('orders', object({ orders: list(anything) }))

/** Any refusal. */
export const errorShape = shape(
  'error',
  object({ errorCode: text({ maxLength: 100 }) }, { detail: orNull(text({ maxLength: 100_000 })) }),
)

const routing: Schema<Routing> = { enum: ROUTINGS }

/** The data that an offer carries: the quoted kind of order, which its requests need. */
export const offerCarryShape = shape('offer carry', closed({ v: literal(1), routing }))

/** The data to post with the signature, exactly as answered. */
export const carryShape = shape('carry', closed({ v: literal(1), routing, quote: anything as Schema<Json> }))

/** An integer in ethers' format. */
const hexNumber = (pattern: string) => closed({ type: literal('BigNumber'), hex: text({ pattern }) })
const safeInteger: Schema<number> = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** Integers are digits, JSON numbers, or in ethers' format. int256: within the range of amounts. */
const LEAVES: { readonly [type: string]: Schema<unknown> } = {
  address: evmAddress,
  bytes: hex(1024),
  uint256: either(either(amount, count()), hexNumber('^0x[0-9a-fA-F]{1,64}$')),
  int256: either(either(text({ pattern: '^(0|-?[1-9][0-9]{0,75})$' }), safeInteger), hexNumber('^-?0x[0-9a-fA-F]{1,62}$')),
}

const schemaOf = (types: TypedData['types'], type: string): Schema<unknown> => {
  if (type.endsWith('[]')) return list(schemaOf(types, type.slice(0, -2)), { maxItems: 16 })
  const fieldsOf = types[type]
  if (fieldsOf === undefined) return LEAVES[type] ?? literal('nothing')
  return object(Object.fromEntries(fieldsOf.map(({ name, type: of }) => [name, schemaOf(types, of)])))
}

/** `values` of an answer's `permitData`, strict about the signed ones. */
export const valuesShapes = Object.fromEntries(
  ROUTINGS.map((routing) => [routing, shape('permit values', schemaOf(ORDER_KINDS[routing].types, PERMIT) as Schema<Json>)]),
) as { readonly [R in Routing]: shapes.Shape<Json> }
