import type { PriceFeed } from '../venue.ts'
import type { TokenList } from './tokenList.ts'

/** A JSON number as a plain decimal string; null when it is no price. For display only. */
const toDecimal = (price: number | null): string | null => {
  // Outside these bounds a number is written with an exponent, or as zero.
  if (price === null || !(price >= 1e-18) || price >= 1e21) return null
  const text = String(price)
  return text.includes('e') ? price.toFixed(20).replace(/(?<!0)0+$/, '') : text
}

/** The prices the venue lists beside its tokens. */
export const createPriceFeed = (tokens: TokenList): PriceFeed => ({
  usd: async (asset, signal) => {
    const index = await tokens.read(signal)
    return toDecimal(index.byAsset(asset)?.usd ?? null)
  },
})
