/** The network counts everything in eight decimals. */
const DECIMALS = 8

export const ONE = 10n ** 8n

/** Rounded down, where the token has more. */
export const toEight = (amount: bigint, decimals: number): bigint =>
  decimals > DECIMALS ? amount / 10n ** BigInt(decimals - DECIMALS) : amount * 10n ** BigInt(DECIMALS - decimals)

/** Rounded down, where the token has fewer. */
export const fromEight = (amount: bigint, decimals: number): bigint =>
  decimals > DECIMALS ? amount * 10n ** BigInt(decimals - DECIMALS) : amount / 10n ** BigInt(DECIMALS - decimals)
