/** Basis points as an exact decimal fraction: 15 is `0.0015`. */
export const fractionOf = (bps: number): string => {
  const digits = String(bps).padStart(5, '0')
  const fraction = digits.slice(-4).replace(/(?<!0)0+$/, '')
  const whole = digits.slice(0, -4)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
