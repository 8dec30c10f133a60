import type { Market } from './market.ts'
import type { SimToken } from './tokens.ts'

/** Millionths of a US dollar in one. */
export const MICROS = 1_000_000n

/** What an amount is worth, in millionths of a US dollar, rounded down. */
export const usdMicrosOf = (market: Market, token: SimToken, amount: bigint): bigint =>
  (amount * market.usdMicros(token)) / 10n ** BigInt(token.decimals)

/** What so many millionths of a dollar buy, in smallest units, rounded down. */
export const unitsOf = (market: Market, token: SimToken, micros: bigint): bigint =>
  (micros * 10n ** BigInt(token.decimals)) / market.usdMicros(token)

/** What costs so many millionths of a dollar, in smallest units, rounded up. */
export const unitsFor = (market: Market, token: SimToken, micros: bigint): bigint => {
  const price = market.usdMicros(token)
  return (micros * 10n ** BigInt(token.decimals) + price - 1n) / price
}

/** `1.0`, `0.01`: an amount as APIs write it for people. */
export const formatUnits = (amount: bigint, decimals: number): string => {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/(?<!0)0+$/, '')
  return `${digits.slice(0, digits.length - decimals)}.${decimals === 0 || fraction === '' ? '0' : fraction}`
}

/** US dollars with six decimals. */
export const formatUsd = (micros: bigint): string => {
  const size = micros < 0n ? -micros : micros
  return `${micros < 0n ? '-' : ''}${size / MICROS}.${String(size % MICROS).padStart(6, '0')}`
}

/** US dollars with as many decimals as it takes, such as `3950.25`. */
export const plainUsd = (micros: bigint): string => {
  const fraction = (micros % 1_000_000n)
    .toString()
    .padStart(6, '0')
    .replace(/(?<!0)0+$/, '')
  return `${micros / 1_000_000n}${fraction === '' ? '' : `.${fraction}`}`
}
