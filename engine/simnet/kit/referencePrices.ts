/** What every currency is worth at the start, in millionths of a US dollar. */
export const REFERENCE_USD_MICROS = {
  USD: 1_000_000n,
  EUR: 1_090_000n,
  BTC: 98_400_000_000n,
  ETH: 3_950_000_000n,
  SOL: 171_200_000n,
  BNB: 640_000_000n,
  POL: 480_000n,
  AVAX: 38_500_000n,
  MON: 1_250_000n,
  HYPE: 27_300_000n,
  MKR: 1_820_000_000n,
  ARB: 820_000n,
} as const satisfies Record<string, bigint>

/** What prices of tokens follow. */
export type Currency = keyof typeof REFERENCE_USD_MICROS
