import {
  amount,
  anything,
  boolean,
  closed,
  count,
  either,
  evmAddress,
  list,
  literal,
  number,
  object,
  orNull,
  type Static,
  shape,
  text,
} from '../kit/shapes.ts'

const address = text({ pattern: '^[0-9a-zA-Z]{26,66}$' })
const token = object({ address, chainId: count() }, { decimals: orNull(count(255)) })
const hexAmount = text({ pattern: '^0x[0-9a-fA-F]{1,64}$' })

export type WireToken = Static<typeof token>

/** Read row by row: unreadable rows are dropped. */
export const feeCost = shape('lifi fee', object({ amount, included: boolean, token }))

/** GET /v1/quote, the fields read. Amounts are smallest units as decimal strings. */
export const quote = shape(
  'lifi quote',
  object({
    action: object(
      { fromChainId: count(), toChainId: count(), fromToken: token, toToken: token, fromAmount: amount },
      { fromAddress: orNull(address), toAddress: orNull(address) },
    ),
    estimate: object(
      { fromAmount: amount, toAmount: amount, toAmountMin: amount, approvalAddress: evmAddress },
      {
        /** Seconds. */
        executionDuration: orNull(number({ minimum: 0, maximum: 604_800 })),
        feeCosts: orNull(list(anything)),
        gasCosts: orNull(list(anything)),
      },
    ),
    transactionRequest: object({
      to: evmAddress,
      data: text({ pattern: '^0x([0-9a-fA-F]{2})+$', maxLength: 200_000 }),
      value: hexAmount,
      chainId: count(),
    }),
  }),
)

export type WireQuote = Static<typeof quote>

/** GET /v1/chains, row by row. */
export const chains = shape('lifi chains', object({ chains: list(anything) }))
export const chainRow = shape('lifi chain', object({ id: count(), diamondAddress: evmAddress }))

const txHash = orNull(text({ maxLength: 128 }))
const leg = object({ chainId: count() }, { txHash, amount: orNull(amount) })

/** GET /v1/status, the fields read. The receiving side of a pending swap is almost empty. */
export const status = shape(
  'lifi status',
  object(
    { status: text({ minLength: 1, maxLength: 64 }) },
    {
      substatus: orNull(text({ maxLength: 64 })),
      transactionId: orNull(text()),
      sending: orNull(object({}, { txHash })),
      receiving: orNull(leg),
    },
  ),
)

export type WireStatus = Static<typeof status>

const toolError = object({ code: text() }, { tool: text(), message: text({ maxLength: 4_000 }) })

/** Why each route failed. Older answers have a list of tools' errors in place of the two parts. */
const noQuote = object({}, { failed: list(object({}, { subpaths: anything }), { maxItems: 1_000 }) })

export const apiError = shape(
  'lifi error',
  object(
    { message: text({ maxLength: 8_000 }) },
    { code: count(), errors: orNull(either(noQuote, list(anything, { maxItems: 1_000 }))) },
  ),
)

export const toolErrors = shape('lifi tool errors', list(toolError, { maxItems: 1_000 }))

/** The data that an offer carries to execute: only its version, because execute requests a new quote. */
export const offerCarry = shape('lifi carry', closed({ v: literal(1) }))
