import type { Hex } from '../../core/execution.ts'
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
  record,
  type Schema,
  type Static,
  shape,
  text,
} from '../kit/shapes.ts'

/* What the APIs answer, as far as it is used: https://docs.0x.org/openapi/evm-apis.json */

/** Calldata: of the largest swaps recorded not a tenth of this. */
const bytes: Schema<Hex> = { type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 200_000 }
const word = text({ maxLength: 64 })

/** All that is said where nobody sells. */
const none = object({ liquidityAvailable: literal(false) })

/** `minBuyAmount`: of the swap as it is signed or sent, net of all fees. */
const priced = {
  liquidityAvailable: literal(true),
  sellToken: evmAddress,
  buyToken: evmAddress,
  buyAmount: amount,
  minBuyAmount: amount,
  allowanceTarget: orNull(evmAddress),
  issues: object({ allowance: orNull(object({ spender: evmAddress })) }),
  fees: object({ integratorFee: orNull(object({ amount, token: evmAddress })) }),
  // What the bought token keeps of every transfer, the one to the recipient among them. Answers of 2024 do not tell.
  tokenMetadata: object({ buyToken: object({}, { transferTaxBps: orNull(amount) }) }),
}

const price = object({ ...priced, gas: orNull(amount) })
const transaction = object({ to: evmAddress, data: bytes, value: amount })
const quote = object({ ...priced, transaction })

/** GET /swap/allowance-holder/price and /quote. */
export const priceShape = shape('price', either(none, price))
export const quoteShape = shape('quote', either(none, quote))

export type WireNone = Static<typeof none>
export type WirePrice = Static<typeof price>
export type WireQuote = Static<typeof quote>

const typeList = list(closed({ name: word, type: word }), { maxItems: 16 })
const types = record(typeList)
const tokenPermissions = closed({ token: evmAddress, amount })

/** What a trade is, as it is signed. Numbers in decimal digits. */
const tradeMessage = closed({
  permitted: tokenPermissions,
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
export type WireTrade = Static<typeof tradeMessage>

const trade = object({
  type: literal('settler_metatransaction'),
  hash: hash32,
  eip712: closed({
    types,
    domain: closed({ name: word, chainId: count(), verifyingContract: evmAddress }),
    message: tradeMessage,
    primaryType: word,
  }),
})

/** EIP-2612. */
const permitFields = { owner: evmAddress, spender: evmAddress, value: amount, deadline: amount }
export const permitShape = shape('permit', closed({ ...permitFields, nonce: amount }))

const permit = object({
  type: literal('permit'),
  hash: hash32,
  eip712: closed({
    types,
    domain: closed({ name: text(), chainId: count(), verifyingContract: evmAddress }, { version: word }),
    message: closed({ ...permitFields, nonce: count() }),
    primaryType: word,
  }),
})
export const approvalShape = shape('approval', permit)

export type WirePermit = Static<typeof permit>

/** GET /gasless/quote. An approval may be of kinds that are not taken. */
const gasless = object({ ...priced, trade, approval: orNull(object({ type: word }, { hash: anything, eip712: anything })) })
export const gaslessShape = shape('gasless quote', either(none, gasless))
export type WireGasless = Static<typeof gasless>

/** POST /gasless/submit. */
export const submittedShape = shape('submitted', object({ tradeHash: hash32 }))

/** GET /gasless/status/{tradeHash}. Times are epoch ms. */
const settled = object({ hash: hash32, timestamp: count() })
export const statusShape = shape(
  'status',
  object({ status: word, transactions: list(settled, { maxItems: 100 }) }, { reason: word }),
)
export type WireStatus = Static<typeof statusShape>

/** Every refusal that has a name. */
export const errorShape = shape(
  'error',
  object({ name: text({ maxLength: 100 }) }, { message: text({ maxLength: 1_000_000 }), data: anything }),
)
/** What some refusals tell besides. */
export const detailsShape = shape('details', object({ details: list(object({ field: word }), { maxItems: 100 }) }))
export const leastShape = shape('least', object({ minSellAmount: amount }))

/** The hashes that 0x gave what is signed. */
export const evidenceShape = shape('evidence', closed({ v: literal(1), tradeHash: hash32, approvalHash: orNull(hash32) }))
export type Evidence = Static<typeof evidenceShape>
