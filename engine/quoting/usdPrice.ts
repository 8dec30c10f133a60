const DECIMAL = /^([0-9]{1,20})(?:\.([0-9]{1,40}))?$/
const FRACTION_DIGITS = 18

/** A decimal string as an integer of 10^-18 dollars; null when it is no plain decimal number or not above zero. */
export const parseUsd = (text: string): bigint | null => {
  const match = DECIMAL.exec(text)
  if (!match) return null
  const [, whole = '0', fraction = ''] = match
  const scaled = BigInt(whole + fraction.slice(0, FRACTION_DIGITS).padEnd(FRACTION_DIGITS, '0'))
  return scaled > 0n ? scaled : null
}

/** The worth of an amount in another token at two published prices, in smallest units; null when a price is missing. */
export const convertAtPrices = (
  from: { readonly amount: bigint; readonly decimals: number; readonly usd: string | null },
  to: { readonly decimals: number; readonly usd: string | null },
): bigint | null => {
  const fromUsd = from.usd === null ? null : parseUsd(from.usd)
  const toUsd = to.usd === null ? null : parseUsd(to.usd)
  if (fromUsd === null || toUsd === null) return null
  return (from.amount * fromUsd * 10n ** BigInt(to.decimals)) / (toUsd * 10n ** BigInt(from.decimals))
}

/** The dollar value of an amount, up to six decimals, rounded up so that no cost shows as zero; null without a price. */
export const usdValue = (amount: bigint, decimals: number, usd: string | null): string | null => {
  const price = usd === null ? null : parseUsd(usd)
  if (price === null) return null
  const unit = 10n ** BigInt(decimals + FRACTION_DIGITS - 6)
  const micros = (amount * price + unit - 1n) / unit
  const text = micros.toString().padStart(7, '0')
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/0{1,4}$/, '')
}
