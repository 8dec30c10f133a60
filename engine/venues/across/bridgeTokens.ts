import type { ListedToken } from '../../core/asset.ts'
import { PEG_FORMS } from '../../core/peg.ts'
import pegs from '../../core/pegs.json' with { type: 'json' }

const NAMES: { readonly [symbol: string]: string } = pegs.names
/** Symbols of forms that differ from their token's. */
const SYMBOLS: { readonly [form: string]: string } = pegs.symbols

/** The tokens that Across carries between the served chains; it exchanges all forms of one token one for one. */
export const BRIDGED_TOKENS: readonly ListedToken[] = PEG_FORMS.map(({ token, chainId, address, decimals }) => {
  const symbol = SYMBOLS[`${chainId}:${address}`] ?? token
  return { chainId, address, decimals, symbol, name: NAMES[symbol] ?? symbol }
})
