import { WIRE_DECIMALS } from './published.ts'

/** Eight-decimal units of an amount; null with more digits, which the network would keep. */
export const toWire = (amount: bigint, decimals: number): bigint | null => {
  if (decimals <= WIRE_DECIMALS) return amount * 10n ** BigInt(WIRE_DECIMALS - decimals)
  const unit = 10n ** BigInt(decimals - WIRE_DECIMALS)
  return amount % unit === 0n ? amount / unit : null
}

/** Smallest units of the token, rounded down: the payable amount. */
export const fromWire = (amount: bigint, decimals: number): bigint =>
  decimals >= WIRE_DECIMALS ? amount * 10n ** BigInt(decimals - WIRE_DECIMALS) : amount / 10n ** BigInt(WIRE_DECIMALS - decimals)

/** As fromWire, rounded up: the smallest amount of the token with at least this value. */
export const fromWireUp = (amount: bigint, decimals: number): bigint => {
  const rounded = fromWire(amount, decimals)
  return toWire(rounded, decimals) === amount ? rounded : rounded + 1n
}

/** The smallest number of eight-decimal units with at least this value in the token. */
export const leastInWire = (amount: bigint, decimals: number): bigint => {
  if (decimals <= WIRE_DECIMALS) return amount * 10n ** BigInt(WIRE_DECIMALS - decimals)
  const unit = 10n ** BigInt(decimals - WIRE_DECIMALS)
  return (amount + unit - 1n) / unit
}
