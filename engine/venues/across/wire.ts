import * as shapes from '../kit/shapes.ts'

const { amount, anything, boolean, closed, count, either, list, literal, object, orNull, shape, text } = shapes
type Schema<T> = shapes.Schema<T>

const address = text({ pattern: '^[0-9a-zA-Z]{32,66}$' })
const word = text({ maxLength: 64 })
const textOrNull = orNull(text({ maxLength: 128 }))
/** Null, or an object whose fields may all be absent. */
const open = <F extends { readonly [name: string]: Schema<unknown> }>(fields: F) => orNull(object({}, fields))
const token = object({ address, chainId: count(), decimals: count(255) })

export type WireToken = shapes.Static<typeof token>

/** GET /swap/approval, the fields read. Amounts are smallest units as decimal strings. */
export const swapApproval = shape(
  'across swap approval',
  object(
    {
      crossSwapType: word,
      amountType: word,
      steps: object({ bridge: object({ outputAmount: amount }, { provider: orNull(word) }) }),
      inputToken: token,
      outputToken: token,
      inputAmount: amount,
      expectedOutputAmount: amount,
      minOutputAmount: amount,
      swapTx: object(
        {
          chainId: count(),
          to: address,
          /** Calldata; on Solana base64 of the unsigned transaction. */
          data: text({ pattern: '^(0x[0-9a-fA-F]{8,}|[A-Za-z0-9+/]{4,}={0,2})$', maxLength: 100_000 }),
        },
        { value: orNull(amount), gas: orNull(amount) },
      ),
    },
    {
      /** Unix seconds; 0: no expiry. */
      quoteExpiryTimestamp: orNull(count(10_000_000_000)),
      /** Seconds. */
      expectedFillTime: anything,
      /** Absent when the vendor has no prices in dollars. */
      fees: open({ total: open({ details: open({ app: open({ amount: orNull(amount) }) }) }) }),
    },
  ),
)

export type SwapApproval = shapes.Static<typeof swapApproval>

/** GET /deposit/status, the fields read. Across still sends the older names beside or instead of the newer. */
export const depositStatus = shape(
  'across deposit status',
  object(
    { status: text({ minLength: 1, maxLength: 64 }) },
    {
      depositTxnRef: textOrNull,
      depositTxHash: textOrNull,
      fillTxnRef: textOrNull,
      fillTx: textOrNull,
      depositRefundTxnRef: textOrNull,
      depositRefundTxHash: textOrNull,
      /** False: the fill happened, but the calls of its message did not. */
      actionsSucceeded: orNull(boolean),
      /** The last of the transaction's deposits, counted from 0. */
      pagination: open({ maxIndex: orNull(count()) }),
    },
  ),
)

export type DepositStatus = shapes.Static<typeof depositStatus>

const chain = either(text({ pattern: '^[0-9]{1,20}$' }), count())

const details = object(
  {
    originChainId: chain,
    destinationChainId: chain,
    recipient: address,
    inputToken: address,
    inputAmount: amount,
    outputToken: address,
    outputAmount: amount,
  },
  {
    message: orNull(text({ pattern: '^(0x([0-9a-fA-F]{2})*)?$', maxLength: 200_000 })),
    /** ISO 8601. */
    fillDeadline: textOrNull,
    /** The wallet's payment when a swap came before the bridge. */
    swapToken: orNull(address),
    swapTokenAmount: orNull(amount),
  },
)

export type DepositDetails = shapes.Static<typeof details>

/** GET /deposit, the fields read. */
export const depositDetails = shape('across deposit', object({ deposit: details }))

/** A row of GET /swap/tokens, the fields read. */
export const listedToken = shape('across swap token', object({ address: text({ maxLength: 128 }), priceUsd: orNull(word) }))

export const listedTokens = shape('across swap tokens', list(anything, { maxItems: 50_000 }))

/** Errors of the API itself. The indexer behind /deposit has another envelope. */
export const apiError = shape(
  'across error',
  object(
    { type: literal('AcrossApiError'), message: text({ maxLength: 4_000 }) },
    {
      code: orNull(word),
      param: orNull(text()),
      /** For a SIMULATION_ERROR: the simulated transaction. */
      transaction: open({ from: textOrNull }),
    },
  ),
)

export type ApiError = shapes.Static<typeof apiError>

export const indexerError = shape('across indexer error', object({ error: text({ maxLength: 100 }) }))

/** The data that an offer carries to execute: only its version, as Across prices again. */
export const offerCarry = shape('across carry', closed({ v: literal(1) }))
