import type { ListedToken, Token } from '../../core/asset.ts'

/** All that is reported of one token. */
export type TokenSources = {
  /** What up to two endpoints of the chain report now, at least one; null: there is no token. */
  readonly readings: readonly (Token | null)[]
  /** What two sources agreed on before; null: nothing. */
  readonly kept: Token | null
  /** The row of the published tables; null: there is none. */
  readonly listed: ListedToken | null
}

/**
 * `confirmed`: two sources agree. `single`: one endpoint reports it and nothing else is known. `disputed`: the sources differ, and
 * no two agree on one token alone. `isContradicted`: a source reports something else than the verdict.
 */
export type TokenVerdict =
  | { readonly kind: 'confirmed' | 'single'; readonly token: Token; readonly isContradicted: boolean }
  | { readonly kind: 'missing' | 'disputed'; readonly isContradicted: boolean }

const isSame = (a: Token, b: Token | null): boolean =>
  b !== null && a.symbol === b.symbol && a.name === b.name && a.decimals === b.decimals

/** Decides which metadata is to be believed. A table confirms decimals only: its symbols and names are not always the contract's. */
export const judgeToken = ({ readings, kept, listed }: TokenSources): TokenVerdict => {
  const isConfirmed = (token: Token, place: number): boolean =>
    isSame(token, kept) ||
    listed?.decimals === token.decimals ||
    readings.some((other, index) => index !== place && other !== null && isSame(token, other))
  const tokens = readings.filter((reading) => reading !== null)
  const [token, ...others] = readings.filter(
    (reading, place): reading is Token => reading !== null && isConfirmed(reading, place),
  )
  if (token !== undefined && others.every((other) => isSame(token, other))) {
    const isDenied = kept !== null && !isSame(token, kept)
    const isAlone = listed !== null && listed.decimals !== token.decimals
    return {
      kind: 'confirmed',
      token,
      isContradicted: isDenied || isAlone || readings.some((one) => !one || !isSame(one, token)),
    }
  }
  const isUnknown = kept === null && listed === null
  const [only] = tokens
  if (only !== undefined && readings.length === 1 && isUnknown) return { kind: 'single', token: only, isContradicted: false }
  if (tokens.length === 0 && (readings.length > 1 || isUnknown)) return { kind: 'missing', isContradicted: !isUnknown }
  return { kind: 'disputed', isContradicted: true }
}
