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

/** A length of time, with one decimal below 2 min and from 2 h on. @param {number} seconds */
export const durationText = (seconds) => {
  if (seconds < 1) return `${+(seconds * 1_000).toFixed(1)} ms`
  if (seconds < 120) return `${+seconds.toFixed(1)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${+(seconds / 3_600).toFixed(1)} h` : `${+(seconds / 86_400).toFixed(1)} days`
}

/**
 * The first and the last of a long hash or address.
 * @param {string} text
 */
export const shortText = (text) => (text.length > 16 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text)
