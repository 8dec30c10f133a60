/**
 * An amount of smallest units as people read it, exact: `1234567`, 6 decimals: `1.234567`.
 * @param {string | bigint} amount
 * @param {number} decimals
 */
export const amountText = (amount, decimals) => {
  const digits = BigInt(amount)
    .toString()
    .padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return part === '' ? whole : `${whole}.${part}`
}

/** A length of time: seconds below 90 s, minutes below 90 min, else hours. @param {number} seconds */
export const durationText = (seconds) => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Number((minutes / 60).toFixed(1))} h`
}

/**
 * The first and the last of a long hash or address.
 * @param {string} text
 */
export const shortText = (text) => (text.length > 16 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text)
