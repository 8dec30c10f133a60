import {
  amount,
  anything,
  closed,
  count,
  either,
  hash32,
  list,
  literal,
  number,
  object,
  orNull,
  type Static,
  shape,
  text,
} from '../kit/shapes.ts'

const address = text({ pattern: '^[0-9a-zA-Z]{32,44}$' })
const bytes = text({ pattern: '^0x([0-9a-fA-F]{2})+$', maxLength: 200_000 })
/** Chain ids are numbers, and strings in some answers. */
const chainId = either(count(), text({ pattern: '^[0-9]{1,20}$' }))

const token = object({ address, chainId, decimals: count(255), amount })

export type WireToken = Static<typeof token>

/** GET /dln/order/create-tx, the fields read. Without a recipient or an authority it contains only an estimation. */
export const createTx = shape(
  'debridge order',
  object(
    {
      estimation: object({ srcChainTokenIn: token, dstChainTokenOut: token }),
    },
    {
      /** On Solana only `data`. */
      tx: orNull(object({ data: bytes }, { to: orNull(address), value: orNull(amount), gasLimit: anything })),
      orderId: orNull(hash32),
      order: orNull(object({}, { approximateFulfillmentDelay: orNull(number({ minimum: 0, maximum: 604_800 })) })),
      fixFee: orNull(amount),
    },
  ),
)

export type CreateTx = Static<typeof createTx>

const wrapped = object({}, { stringValue: orNull(text({ maxLength: 128 })) })
const transaction = orNull(object({}, { transactionHash: orNull(wrapped) }))

/** GET /api/Orders/{orderId} of the tracking API, the fields read. */
export const trackedOrder = shape(
  'debridge tracked order',
  object(
    { state: text({ minLength: 1, maxLength: 64 }), orderId: wrapped },
    {
      makerSrc: orNull(wrapped),
      createdSrcEventMetadata: transaction,
      fulfilledDstEventMetadata: transaction,
      claimedOrderCancelSrcEventInfo: orNull(object({}, { transactionMetadata: transaction })),
    },
  ),
)

export type TrackedOrder = Static<typeof trackedOrder>

/** GET /api/Transaction/{hash}/orderIds of the same. */
export const orderIds = shape('debridge order ids', object({ orderIds: list(anything) }))
export const namedOrder = shape('debridge order id', object({ stringValue: hash32 }))

/** An error, sent with an error status, and by some answers with 200. */
export const apiError = shape(
  'debridge error',
  object({ errorId: text({ minLength: 1, maxLength: 200 }) }, { errorMessage: text({ maxLength: 10_000 }) }),
)

/** GET /supported-chains-info, row by row: deBridge's own number beside the chain's. */
export const chains = shape('debridge chains', object({ chains: list(anything) }))
export const chainRow = shape('debridge chain', object({ chainId, originalChainId: chainId }))

/** The data that an offer carries to execute: only its version, because execute prices again. */
export const offerCarry = shape('debridge carry', closed({ v: literal(1) }))

/** The venue's id of the order, which the payload must hash to, and its reported flat fee. */
export const evidence = shape('debridge evidence', closed({ v: literal(1), orderId: hash32, fixFee: amount }))
