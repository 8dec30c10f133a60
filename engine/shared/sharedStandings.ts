import type { Standing } from '../net/breakerState.ts'

/** A standing as processes tell it to each other. */
export type ToldStanding = {
  readonly rows: Standing['rows']
  /** Null: closed. Else how long it still rests, ms. */
  readonly restsMs: number | null
}

/** `mark`: tells apart what was written; empty where nothing was. `standing` null: all is well. */
export type Told = { readonly key: string; readonly mark: string; readonly standing: ToldStanding | null }

/** `on`: what it was changed from. Where that is not there any more, it is not written. */
export type Change = Told & { readonly on: string }

/** Where processes keep what they know together of the far sides. */
export interface SharedStandings {
  /** Writes what was changed, and tells all there is; null where that cannot be done now. Never rejects. */
  exchange(changes: readonly Change[]): Promise<readonly Told[] | null>
}

const ROWS_MAX = 20
const CLIENTS_MAX = 20
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 100
const isRow = (value: unknown): boolean => Array.isArray(value) && value.length <= CLIENTS_MAX && value.every(isText)

/** Of what another process wrote, or whoever else may have. Null where it is no standing. */
export const readTold = (value: unknown, restsMsMax: number): ToldStanding | null => {
  if (typeof value !== 'object' || value === null) return null
  const { rows, restsMs } = value as { readonly rows?: unknown; readonly restsMs?: unknown }
  if (typeof rows !== 'object' || rows === null) return null
  const entries = Object.entries(rows)
  if (entries.length > ROWS_MAX || !entries.every(([name, row]) => isText(name) && isRow(row))) return null
  if (restsMs !== null && typeof restsMs !== 'number') return null
  // Nobody rests longer: a clock that jumped, or somebody else's, must not keep a venue out.
  return { rows: rows as Standing['rows'], restsMs: restsMs === null ? null : Math.min(Math.max(restsMs, 0), restsMsMax) }
}
