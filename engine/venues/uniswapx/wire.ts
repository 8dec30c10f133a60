import type { Json } from '../../core/json.ts'
import {
  amount,
  anything,
  closed,
  count,
  either,
  evmAddress,
  hash32,
  list,
  literal,
  object,
  orNull,
  type Schema,
  type Static,
  shape,
  text,
} from '../kit/shapes.ts'
import type { Routing } from './published.ts'

/*
 * What the Trading API answers, as far as it is used. https://trade-api.gateway.uniswap.org/v1/api.json, whose lists of required
 * fields name some that no order has.
 */
const word = text({ maxLength: 64 })

/** Integers come as digits, as JSON numbers, or as ethers writes them. */
const hexNumber = closed({ type: literal('BigNumber'), hex: text({ pattern: '^0x[0-9a-fA-F]{1,64}$' }) })
const wireNumber = either(either(amount, count()), hexNumber)
const bytes = text({ pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 1024 })
/** int256. */
const signedDigits = text({ pattern: '^(0|-?[1-9][0-9]{0,76})$' })

/** The three orders as they are signed, their integers in one of two spellings. src/order in Uniswap/sdks, uniswapx-sdk. */
const permitsOf = <N, S>(n: Schema<N>, int: Schema<S>, struct: typeof object) => {
  const info = struct({
    reactor: evmAddress,
    swapper: evmAddress,
    nonce: n,
    deadline: n,
    additionalValidationContract: evmAddress,
    additionalValidationData: bytes,
  })
  const ofWitness = <W>(witness: Schema<W>) =>
    struct({ permitted: struct({ token: evmAddress, amount: n }), spender: evmAddress, nonce: n, deadline: n, witness })
  const several = { minItems: 1, maxItems: 8 }
  const curve = struct({ relativeBlocks: n, relativeAmounts: list(int, { maxItems: 16 }) })
  const dutchOutput = struct({ token: evmAddress, startAmount: n, endAmount: n, recipient: evmAddress })
  const v3 = { token: evmAddress, startAmount: n, curve, adjustmentPerGweiBaseFee: n }
  const priority = { token: evmAddress, amount: n, mpsPerPriorityFeeWei: n }
  return {
    DUTCH_V2: ofWitness(
      struct({
        info,
        cosigner: evmAddress,
        baseInputToken: evmAddress,
        baseInputStartAmount: n,
        baseInputEndAmount: n,
        baseOutputs: list(dutchOutput, several),
      }),
    ),
    DUTCH_V3: ofWitness(
      struct({
        info,
        cosigner: evmAddress,
        startingBaseFee: n,
        baseInput: struct({ ...v3, maxAmount: n }),
        baseOutputs: list(struct({ ...v3, minAmount: n, recipient: evmAddress }), several),
      }),
    ),
    PRIORITY: ofWitness(
      struct({
        info,
        cosigner: evmAddress,
        auctionStartBlock: n,
        baselinePriorityFeeWei: n,
        input: struct(priority),
        outputs: list(struct({ ...priority, recipient: evmAddress }), several),
      }),
    ),
  }
}

const wirePermits = permitsOf(wireNumber, either(signedDigits, either(count(), hexNumber)), object)
const ownPermits = permitsOf(amount, signedDigits, closed)

/** `values` of an answer's `permitData`. */
export const valuesShapes = {
  DUTCH_V2: shape('permit values', wirePermits.DUTCH_V2),
  DUTCH_V3: shape('permit values', wirePermits.DUTCH_V3),
  PRIORITY: shape('permit values', wirePermits.PRIORITY),
} as const satisfies { readonly [R in Routing]: unknown }

/** The message of the typed data that was handed out, as it comes back from the store. */
export const messageShapes = {
  DUTCH_V2: shape('order message', ownPermits.DUTCH_V2),
  DUTCH_V3: shape('order message', ownPermits.DUTCH_V3),
  PRIORITY: shape('order message', ownPermits.PRIORITY),
} as const satisfies { readonly [R in Routing]: unknown }

export type MessageOf<R extends Routing> = Static<(typeof messageShapes)[R]>

/** Some of the API's prose calls the id `orderHash`. */
const quoteSchema = object({ encodedOrder: text({ maxLength: 20_000 }) }, { orderId: hash32, orderHash: hash32 })

const domain = object({ name: literal('Permit2'), chainId: count(), verifyingContract: evmAddress })

/** POST /quote where it is one of UniswapX; other routings have quotes of other kinds. */
export const routedShape = shape('quote', object({ routing: word }))
export const quoteShape = shape('quote', object({ quote: quoteSchema, permitData: object({ domain, values: object({}) }) }))

/** POST /order. */
export const placedShape = shape('placed order', object({ orderId: hash32 }))

const settled = object({ tokenOut: evmAddress, amountOut: amount })

const order = object(
  { orderId: hash32, orderStatus: word },
  {
    chainId: count(),
    swapper: evmAddress,
    input: object({}, { token: evmAddress }),
    txHash: orNull(hash32),
    settledAmounts: orNull(list(settled, { maxItems: 8 })),
  },
)

export type WireOrder = Static<typeof order>

/** GET /orders. */
export const ordersShape = shape('orders', object({ orders: list(order, { maxItems: 50 }) }))

/** Any refusal. */
export const errorShape = shape(
  'error',
  object({ errorCode: text({ maxLength: 100 }) }, { detail: text({ maxLength: 100_000 }) }),
)

const routing: Schema<Routing> = { enum: ['DUTCH_V2', 'DUTCH_V3', 'PRIORITY'] }

/** What rides in an offer: the kind of order that was quoted, by which it is asked about. */
export const offerCarryShape = shape('offer carry', closed({ v: literal(1), routing }))

/** What is posted with the signature, word for word as it was answered. */
export const carryShape = shape('carry', closed({ v: literal(1), routing, quote: anything as Schema<Json> }))
