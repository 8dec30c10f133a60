/** The most decimals of any token. */
const DECIMALS_MAX = 77

/**
 * The decimals of an amount by its formatted text: 6 for `9986764` and `9.986764`. Null when no number of decimals gives that
 * text. Both are signed words of a quote, unlike the token list.
 */
export const decimalsOf = (amount: string, written: string): number | null => {
  const [, whole, fraction = ''] = /^(\d{1,78})(?:\.(\d{1,78}))?$/.exec(written) ?? []
  const units = BigInt(amount)
  if (whole === undefined || units === 0n) return null
  const digits = BigInt(`${whole}${fraction}`)
  for (let decimals = 0; decimals <= DECIMALS_MAX; decimals += 1)
    if (units * 10n ** BigInt(fraction.length) === digits * 10n ** BigInt(decimals)) return decimals
  return null
}
