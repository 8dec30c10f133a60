import {
  amount,
  anything,
  closed,
  count,
  evmAddress,
  list,
  literal,
  object,
  orNull,
  type Static,
  shape,
  text,
} from '../kit/shapes.ts'

/** The wrapper of every answer; `code` decides, whatever the HTTP status. */
export const answer = shape('kyberswap answer', object({ code: count() }, { data: anything }))

export type Answer = Static<typeof answer>

/** A refusal, and one of its details. */
export const apiError = shape('kyberswap error', object({ code: count() }, { message: anything, details: anything }))
export const detail = shape('kyberswap detail', object({ fieldViolations: list(object({}, { field: anything })) }))

const extraFee = object({ feeAmount: text() }, { chargeFeeBy: anything, isInBps: anything, feeReceiver: anything })

const route = object({
  routeSummary: object(
    { tokenIn: evmAddress, amountIn: amount, tokenOut: evmAddress, amountOut: amount },
    { extraFee: orNull(extraFee), gas: anything },
  ),
  routerAddress: evmAddress,
})

/** GET /{chain}/api/v1/routes, the fields read. The request to build returns the answer unchanged, with its other fields. */
export const routed = shape('kyberswap route', object({ data: route }, { code: anything }))

export type Routed = Static<typeof route>

/** `amountOut` is the expected output, net of the fee: no field has the least output. */
const build = object({
  amountIn: amount,
  amountOut: amount,
  data: text({ pattern: '^0x([0-9a-fA-F]{2})+$', maxLength: 200_000 }),
  routerAddress: evmAddress,
  transactionValue: amount,
})

/** POST /{chain}/api/v1/route/build, the fields read. */
export const built = shape('kyberswap build', object({ data: build }, { code: anything }))

export type Built = Static<typeof build>

/** The data that an offer carries to execute: only its version, because execute requests a new route. */
export const offerCarry = shape('kyberswap carry', closed({ v: literal(1) }))
