import { amount, anything, boolean, count, list, object, orNull, record, type Static, shape, text } from '../kit/shapes.ts'

const address = text({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' })
/** An instruction may repeat each account of a transaction; its data fits a packet. */
const account = object({ pubkey: address, isSigner: boolean, isWritable: boolean })
const instruction = object({
  programId: address,
  accounts: list(account, { maxItems: 256 }),
  data: text({ pattern: '^[A-Za-z0-9+/]*={0,2}$', maxLength: 2_048 }),
})
const few = list(instruction, { maxItems: 16 })

/** The steps of a route, read only with a fee. */
const step = object({ swapInfo: object({ inputMint: address, inAmount: amount }) })
export const stepsShape = shape('route', object({ inputMint: address, routePlan: list(step, { minItems: 1, maxItems: 64 }) }))

const amounts = { inAmount: amount, outAmount: amount, otherAmountThreshold: amount, slippageBps: count(10_000) }
const others = { setupInstructions: orNull(few), cleanupInstruction: orNull(instruction), otherInstructions: orNull(few) }
/** Answer of GET /swap/v2/build: openapi-spec/swap/v2/swap.yaml of jup-ag/docs, version 2.0.0. */
const buildAnswer = object(
  { inputMint: address, outputMint: address, ...amounts, swapInstruction: instruction },
  {
    ...others,
    routePlan: anything,
    computeBudgetInstructions: anything,
    addressesByLookupTableAddress: orNull(record(list(address, { maxItems: 256 }))),
  },
)

export type BuildAnswer = Static<typeof buildAnswer>
export type WireInstruction = Static<typeof instruction>
export const built = shape('build', buildAnswer)

/** A refusal has a text or an object with its reason, and on other paths a code or a number. */
export const refusal = shape(
  'refusal',
  object({}, { error: anything, errorMessage: anything, message: anything, errorCode: anything, router: anything }),
)
