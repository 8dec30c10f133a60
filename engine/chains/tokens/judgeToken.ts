import type { Asset, ListedToken, Token } from '../../core/asset.ts'

/** All reports about one token. */
export type TokenSources = {
  /** What the endpoints report now, at least one of them; null: there is no token. */
  readonly readings: readonly (Token | null)[]
  /** How many endpoints were to be asked: two, or the only one. The others of them failed. */
  readonly asked: number
  /** The token that two sources agreed on before; null without one. */
  readonly kept: Token | null
  /** The row of the published tables, or null. */
  readonly listed: ListedToken | null
}

/**
 * `confirmed`: two sources or more agree, and fewer on any other token. `single`: the only endpoint reports it alone.
 * `provisional`: one of several reports it alone, or one endpoint gives another symbol to the token of the tables. `unreachable`:
 * one endpoint has no token, and the other failed. `isContradicted`: a source reports something else than the verdict.
 */
export type TokenVerdict =
  | { readonly kind: 'confirmed' | 'single' | 'provisional'; readonly token: Token; readonly isContradicted: boolean }
  | { readonly kind: 'missing' | 'unreachable' | 'disputed'; readonly isContradicted: boolean }

/** The token of a row; null where the row has decimals alone. */
export const listedToken = ({ chainId, address }: Asset, { symbol, name, decimals }: ListedToken): Token | null =>
  symbol === undefined ? null : { chainId, address, symbol, name: name ?? symbol, decimals, isNative: false }

const isSame = (a: Token, b: Token): boolean => a.symbol === b.symbol && a.name === b.name && a.decimals === b.decimals

/** Of one reading that no other source confirms. */
const judgeLone = (token: Token, { asked, listed }: TokenSources): TokenVerdict => {
  if (listed !== null && listed.decimals !== token.decimals) return { kind: 'disputed', isContradicted: true }
  const row = listed && listedToken(token, listed)
  if (row !== null) return { kind: 'provisional', token: row, isContradicted: true }
  return { kind: asked > 1 ? 'provisional' : 'single', token, isContradicted: false }
}

/**
 * Decides which metadata is to be believed. Each reading, the record and the row are a vote; a row confirms symbol and decimals,
 * since its name may not be the contract's. Of two against two, the endpoints win over another symbol, not over other decimals.
 */
export const judgeToken = (sources: TokenSources): TokenVerdict => {
  const { readings, asked, kept, listed } = sources
  const tokens = readings.filter((reading) => reading !== null)
  const [one, two] = tokens
  if (one === undefined) {
    const isKnown = kept !== null || listed !== null
    return { kind: readings.length < asked ? 'unreachable' : isKnown ? 'disputed' : 'missing', isContradicted: isKnown }
  }
  const isListed = ({ symbol, decimals }: Token): boolean => listed?.symbol === symbol && listed.decimals === decimals
  const voices = kept ? [...tokens, kept] : tokens
  const votesFor = (token: Token): number => voices.filter((voice) => isSame(voice, token)).length + Number(isListed(token))
  const most = Math.max(...voices.map(votesFor))
  const isAgreed = two !== undefined && isSame(one, two)
  // The readings come first among those with most votes.
  const [token = one, ...others] = voices.filter((voice) => votesFor(voice) === most)
  if (most > 1 && others.every((other) => isSame(other, token) || (isAgreed && other.decimals === token.decimals))) {
    const { symbol = token.symbol, decimals } = listed ?? token
    const isDenied = symbol !== token.symbol || decimals !== token.decimals || voices.some((voice) => !isSame(voice, token))
    return { kind: 'confirmed', token, isContradicted: isDenied || tokens.length < readings.length }
  }
  if (kept === null && readings.length === 1) return judgeLone(one, sources)
  return { kind: 'disputed', isContradicted: true }
}
