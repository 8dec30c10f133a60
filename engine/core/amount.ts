declare const amountBrand: unique symbol

/** A token amount in the token's smallest unit, between 0 and 2^256 - 1. Never a `number`, never rounded. */
export type Amount = bigint & { readonly [amountBrand]: 'Amount' }

/** The largest amount on any supported chain: 2^256 - 1. */
export const MAX_AMOUNT = (1n << 256n) - 1n

const DECIMAL_INTEGER = /^(0|[1-9][0-9]{0,77})$/

/** Brands a bigint as an amount. Throws RangeError outside 0 .. 2^256 - 1. */
export const toAmount = (value: bigint): Amount => {
  if (value < 0n || value > MAX_AMOUNT) throw new RangeError('amount outside 0 .. 2^256 - 1')
  return value as Amount
}

/**
 * Reads a decimal integer string as an amount, or null: no sign, space, leading zero, exponent or fraction, at most 2^256 - 1.
 * Callers decide the error of a bad amount; no value is rounded.
 */
export const parseAmount = (text: unknown): Amount | null => {
  if (typeof text !== 'string' || !DECIMAL_INTEGER.test(text)) return null
  const value = BigInt(text)
  return value > MAX_AMOUNT ? null : (value as Amount)
}

/** How far `minimum` lies below `expected`, in basis points, rounded up so that it never looks better. */
export const bpsBelow = (expected: bigint, minimum: bigint): number =>
  Number(((expected - minimum) * 10_000n + expected - 1n) / expected)

/** `amount * bps / 10000`, rounded down as the venues' contracts do. */
export const bpsOf = (amount: bigint, bps: number): bigint => (amount * BigInt(bps)) / 10_000n
