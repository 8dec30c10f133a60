import {
  amount,
  anything,
  boolean,
  closed,
  count,
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

const token = object({ contract: text(), wChainId: count(65_535), decimals: count(36) })
const human = number({ minimum: 0 })

/** Routes of all kinds, read one by one. Only routes of our kind are read further. */
export const quotesAnswer = shape(
  'quote',
  object({ quotes: list(anything) }, { minimumSdkVersion: orNull(list(count(), { minItems: 3 })) }),
)
export const anyQuote = shape('quote', object({ type: text() }, { swiftVersion: orNull(text()), gasless: orNull(boolean) }))

/** src/types.ts of mayan-finance/swap-sdk, 15.2.0: the parts of a Swift V2 order. Amounts without 64 are whole tokens. */
export const swiftQuote = shape(
  'quote',
  object(
    {
      fromToken: token,
      toToken: token,
      effectiveAmountIn64: amount,
      expectedAmountOut: human,
      minAmountOut: human,
      deadline64: amount,
      cancelRelayerFee64: amount,
      refundRelayerFee64: amount,
      gasDrop: human,
      referrerBps: count(255),
      protocolBps: count(255),
      swiftMayanContract: text(),
      swiftInputContract: text(),
      swiftInputDecimals: count(36),
      swiftAuctionMode: count(255),
    },
    {
      expectedAmountOutBaseUnits: orNull(amount),
      submitRelayerFee64: orNull(amount),
      minMiddleAmount: orNull(human),
      etaSeconds: anything,
      swiftWrapAndLock: orNull(boolean),
      quoteId: orNull(text({ pattern: '^0x[0-9a-fA-F]{32}$' })),
      signature: orNull(text({ pattern: '^0x[0-9a-fA-F]{130}$' })),
    },
  ),
)
export type SwiftQuote = Static<typeof swiftQuote>

export const swapAnswer = shape(
  'get-swap/evm',
  object({
    swapRouterAddress: text(),
    swapRouterCalldata: text({ pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 100_000 }),
  }),
)

const chainSwitch = object({ wChainId: count(65_535), originActive: boolean, destinationActive: boolean })
export const chainSwitches = shape('init', object({ chains: list(anything) }))
export const chainSwitchShape = shape('init', chainSwitch)
export const listedChain = shape('init', object({ nameId: text(), wChainId: count(65_535) }))

const hash = orNull(text())

export const swapStatus = shape(
  'swap/trx',
  object(
    { clientStatus: text(), sourceChain: text(), destChain: text() },
    {
      status: orNull(text()),
      toAmount: orNull(text()),
      fulfillTxHash: hash,
      redeemTxHash: hash,
      refundTxHash: hash,
      sourceTxHash: hash,
      orderHash: hash,
      destAddress: orNull(text()),
      txs: orNull(list(anything)),
    },
  ),
)
export type WireStatus = Static<typeof swapStatus>

export const offerCarry = shape('carry', closed({ v: literal(1) }))
/**
 * `keeps`: the most that a refund of the order lacks, in smallest units of the payment; the payload proof enforces it. `name`:
 * the order's likely id, used for lookups only.
 */
export const executionCarry = shape('carry', closed({ v: literal(1), keeps: amount, name: hash32 }))

const said = { code: anything, statusCode: anything, msg: anything, message: anything }
/** In some answers under `msg`, in others under `message`. */
export const refusal = shape('refusal', object({}, { ...said, data: orNull(object({}, { minAmountIn: anything })) }))

/** The digits of a JSON number; twenty decimals for those below 10^-6. */
const textOf = (value: number): string => (/e-/.test(String(value)) ? value.toFixed(20) : String(value))

/** A number of whole tokens in units of so many decimals, rounded down; null for an invalid number. */
export const cutTo = (value: number, decimals: number): bigint | null => {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(textOf(value))
  if (match === null) return null
  const [, whole = '', fraction = ''] = match
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}
