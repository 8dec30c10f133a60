import { bpsOf } from '../../core/amount.ts'

/** The amounts of a sell quote by the order book, and the deductions. */
export type QuotedAmounts = {
  /** After the network cost. */
  readonly sellAmount: bigint
  /** Net of network cost and protocol fee; before the partner fee and slippage. */
  readonly buyAmount: bigint
  /** Network cost, in the sell token. */
  readonly feeAmount: bigint
  /** Decimal, possibly with a fraction such as `0.3`. */
  readonly protocolFeeBps: string
  readonly partnerFeeBps: number
  readonly slippageBps: number
}

export type NetAmounts = { readonly partnerFee: bigint; readonly expected: bigint; readonly minimum: bigint }

/** A decimal number of basis points as an exact ratio: `0.3` is 3 / 10. */
const ratioOf = (decimal: string): { readonly numerator: bigint; readonly scale: bigint } => {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return { numerator: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) }
}

/**
 * The expected and the guaranteed amount of a sell order. The partner fee is taken from the output before network cost and
 * protocol fee, so both are added back to find its base. Every division rounds down like the order book's own. `sellAmount` must
 * be more than zero, and the protocol fee less than all of it. Source: quoteAmountsAndCosts in cowprotocol/cow-sdk.
 */
export const netAmounts = (quoted: QuotedAmounts): NetAmounts => {
  const { sellAmount, buyAmount, feeAmount } = quoted
  const { numerator, scale } = ratioOf(quoted.protocolFeeBps)
  const networkCost = (buyAmount * feeAmount) / sellAmount
  const protocolFee = (buyAmount * numerator) / (10_000n * scale - numerator)
  const partnerFee = bpsOf(buyAmount + networkCost + protocolFee, quoted.partnerFeeBps)
  const expected = buyAmount - partnerFee
  return { partnerFee, expected, minimum: expected - bpsOf(expected, quoted.slippageBps) }
}
