import { REFERENCE_USD_MICROS } from './referencePrices.ts'
import type { SimToken } from './tokens.ts'

/** One reference price for every token of the offline network, which each simulated venue spreads around. */
export interface Market {
  /** Millionths of a US dollar for one whole unit. */
  usdMicros(token: SimToken): bigint
  /** What `amount` of one token is worth in another at the reference prices, rounded down. Smallest units both. */
  convert(from: SimToken, amount: bigint, to: SimToken): bigint
  /** Moves the price of a currency (such as `ETH`) for every token that follows it. */
  setPrice(currency: string, usdMicros: bigint): void
  prices(): { readonly [currency: string]: bigint }
}

/** @param onChange - called whenever a price was moved */
export const createMarket = (onChange: () => void = () => undefined): Market => {
  const prices = new Map<string, bigint>(Object.entries(REFERENCE_USD_MICROS))
  const usdMicros = ({ currency }: SimToken): bigint => prices.get(currency) ?? 0n
  return {
    usdMicros,
    convert: (from, amount, to) =>
      (amount * usdMicros(from) * 10n ** BigInt(to.decimals)) / (usdMicros(to) * 10n ** BigInt(from.decimals)),
    setPrice: (currency, value) => {
      if (!prices.has(currency)) throw new Error(`no such currency: ${currency}`)
      if (value <= 0n) throw new Error('a price must be more than zero')
      prices.set(currency, value)
      onChange()
    },
    prices: () => Object.fromEntries(prices),
  }
}
