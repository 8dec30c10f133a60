import { WIRE_DECIMALS } from './published.ts'

/** Eight-decimal units of an amount; null where it has digits beyond them, which the network would keep. */
export const toWire = (amount: bigint, decimals: number): bigint | null => {
  if (decimals <= WIRE_DECIMALS) return amount * 10n ** BigInt(WIRE_DECIMALS - decimals)
  const unit = 10n ** BigInt(decimals - WIRE_DECIMALS)
  return amount % unit === 0n ? amount / unit : null
}

/** Smallest units of the token, rounded down: what of it can be paid out. */
export const fromWire = (amount: bigint, decimals: number): bigint =>
  decimals >= WIRE_DECIMALS ? amount * 10n ** BigInt(decimals - WIRE_DECIMALS) : amount / 10n ** BigInt(WIRE_DECIMALS - decimals)

/** As fromWire, rounded up: the smallest amount of the token that is worth so much. */
export const fromWireUp = (amount: bigint, decimals: number): bigint => {
  const rounded = fromWire(amount, decimals)
  return toWire(rounded, decimals) === amount ? rounded : rounded + 1n
}

/** The least of eight-decimal units that is worth so much of the token. */
export const leastInWire = (amount: bigint, decimals: number): bigint => {
  if (decimals <= WIRE_DECIMALS) return amount * 10n ** BigInt(WIRE_DECIMALS - decimals)
  const unit = 10n ** BigInt(decimals - WIRE_DECIMALS)
  return (amount + unit - 1n) / unit
}
