import { wirePermit } from '../kit/permit.ts'
import * as shapes from '../kit/shapes.ts'

/* The used part of the APIs' answers: https://docs.0x.org/openapi/evm-apis.json */

const { amount, anything, closed, either, evmAddress, hash32, hex, list, literal, object, orNull, shape, text } = shapes

/** Calldata: the largest recorded swaps have less than a tenth of this. */
const bytes = hex(200_000)
const word = text({ maxLength: 64 })

/** The whole answer without liquidity. */
const none = object({ liquidityAvailable: literal(false) })

const taken = object({ amount, token: evmAddress })

/** `minBuyAmount`: of the swap to sign or send, net of all fees. */
const priced = {
  liquidityAvailable: literal(true),
  sellToken: evmAddress,
  buyToken: evmAddress,
  buyAmount: amount,
  minBuyAmount: amount,
  sellAmount: amount,
  // `gasFee`: for a relayed trade.
  fees: object({ integratorFee: orNull(taken) }, { gasFee: orNull(taken), zeroExFee: orNull(taken) }),
  // The bought token's tax on every transfer, including that to the recipient. Answers of 2024 lack it.
  tokenMetadata: object({ buyToken: object({}, { transferTaxBps: orNull(amount) }) }),
}
const spender = { allowanceTarget: orNull(evmAddress) }
const price = object(priced, { ...spender, gas: anything })
const quote = object({ ...priced, transaction: object({ to: evmAddress, data: bytes, value: amount }) }, spender)

/** GET /swap/allowance-holder/price and /quote. */
export const priceShape = shape('price', either(none, price))
export const quoteShape = shape('quote', either(none, quote))

export type WireNone = shapes.Static<typeof none>
export type WirePrice = shapes.Static<typeof price>
export type WireQuote = shapes.Static<typeof quote>

/** The signed content of a trade. Numbers in decimal digits. */
const tradeMessage = closed({
  permitted: closed({ token: evmAddress, amount }),
  spender: evmAddress,
  nonce: amount,
  deadline: amount,
  slippageAndActions: closed({
    recipient: evmAddress,
    buyToken: evmAddress,
    minAmountOut: amount,
    actions: list(bytes, { minItems: 1, maxItems: 100 }),
  }),
})
export const tradeMessageShape = shape('trade', tradeMessage)

const trade = object({ type: literal('settler_metatransaction'), hash: hash32, eip712: shapes.typed(tradeMessage) })
const permit = object({ type: literal('permit'), hash: hash32, eip712: wirePermit })
export const approvalShape = shape('approval', permit)

/** GET /gasless/quote. An approval may be of an unsupported kind. `allowance` null: Permit2 may take the input. */
const approval = orNull(object({ type: word }, { hash: anything, eip712: anything }))
const issues = object({}, { allowance: orNull(object({})) })
const gasless = object({ ...priced, trade, approval, issues }, spender)
export const gaslessShape = shape('gasless quote', either(none, gasless))
export type WireGasless = shapes.Static<typeof gasless>

/** GET /gasless/price: of the same trade, without the data to sign. */
const gaslessPrice = object({ ...priced, issues }, spender)
export const gaslessPriceShape = shape('gasless price', either(none, gaslessPrice))
export type WireGaslessPrice = shapes.Static<typeof gaslessPrice>

/** POST /gasless/submit. */
export const submittedShape = shape('submitted', object({ tradeHash: hash32 }))

/** GET /gasless/status/{tradeHash}, and one of its transactions. */
export const statusShape = shape('status', object({ status: word }, { transactions: anything }))
export const settledShape = shape('transaction', object({ hash: hash32 }))

/** Every refusal with a name, and the optional details. */
const named = object({ name: text({ maxLength: 100 }) }, { message: anything, data: anything })
export const errorShape = shape('error', named)
export const detailsShape = shape('details', object({ details: list(object({}, { field: anything }), { maxItems: 100 }) }))
export const leastShape = shape('least', object({ minSellAmount: amount }))

/** The hashes that 0x reported for the signed data. */
export const evidenceShape = shape('evidence', closed({ v: literal(1), tradeHash: hash32, approvalHash: orNull(hash32) }))
export type Evidence = shapes.Static<typeof evidenceShape>
