/** The decimals of amounts in orders: eight, or the token's own where it has fewer. */
export const orderDecimals = (decimals: number): number => Math.min(8, decimals)

/** One unit of an order in smallest units of the token. */
export const unitOf = (decimals: number): bigint => 10n ** BigInt(decimals - orderDecimals(decimals))

/** The digits of a JSON number; twenty decimals for those below 10^-6. */
const textOf = (value: number): string => (/e-/.test(String(value)) ? value.toFixed(20) : String(value))

/** A number of whole tokens in units of so many decimals, rounded down; null for an invalid number. */
export const cutTo = (value: number, decimals: number): bigint | null => {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(textOf(value))
  if (match === null) return null
  const [, whole = '', fraction = ''] = match
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}
