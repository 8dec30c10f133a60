import type { Json } from '../../core/json.ts'
import * as shapes from '../kit/shapes.ts'
import { ROUTINGS, type Routing } from './published.ts'

const { amount, anything, closed, count, evmAddress, hash32, list, literal, object, orNull, shape, text } = shapes
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
      txHash: orNull(shapes.either(hash32, literal(''))),
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
