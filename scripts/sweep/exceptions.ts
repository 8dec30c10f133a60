import type { Exception } from './baseline.ts'

/** Pairs that were once reached and are refused on purpose. */
export const EXCEPTIONS: readonly Exception[] = ['999:HYPE', '999:WHYPE', '1:FEEUSD'].map((to) => ({
  venue: 'debridge',
  to,
  reason: 'it swaps the input for USDC first, which a single price list compares with the output',
}))
