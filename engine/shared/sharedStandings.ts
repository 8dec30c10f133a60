import type { Standing } from '../net/breakerState.ts'

/** A standing as processes exchange it. */
export type ToldStanding = {
  readonly rows: Standing['rows']
  /** Null: closed. Else how long it still rests, ms. */
  readonly restsMs: number | null
}

/** `mark`: identifies one write; empty before the first. `standing` null: no trouble. */
export type Told = { readonly key: string; readonly mark: string; readonly standing: ToldStanding | null }

/** `on`: the mark that the change replaces. With another mark in the store, the change is not written. */
export type Change = Told & { readonly on: string }

/** Where processes share the standings of their breakers. */
export interface SharedStandings {
  /** Writes the changes, and returns the standings under `keys`; null when the store is unavailable. Never rejects. */
  exchange(changes: readonly Change[], keys: readonly string[]): Promise<readonly Told[] | null>
}

const ROWS_MAX = 20
const CLIENTS_MAX = 20
const ROW_NAMES: readonly string[] = ['quote', 'execute', 'submit', 'track', 'cut', 'keyRefused', 'trial']
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 100
const isRow = (value: unknown): boolean => Array.isArray(value) && value.length <= CLIENTS_MAX && value.every(isText)

/** Reads a standing that another process, or any other writer, has stored, without unknown rows. Null when it is invalid. */
export const readTold = (value: unknown, restsMsMax: number): ToldStanding | null => {
  if (typeof value !== 'object' || value === null) return null
  const { rows, restsMs } = value as { readonly rows?: unknown; readonly restsMs?: unknown }
  if (typeof rows !== 'object' || rows === null) return null
  const entries = Object.entries(rows)
  if (entries.length > ROWS_MAX || !entries.every(([name, row]) => isText(name) && isRow(row))) return null
  if (restsMs !== null && typeof restsMs !== 'number') return null
  // Limits the rest: a clock that jumped, or another machine's clock, must not disable a venue.
  const ours: Standing['rows'] = Object.fromEntries(entries.filter(([name]) => ROW_NAMES.includes(name)))
  return { rows: ours, restsMs: restsMs === null ? null : Math.min(Math.max(restsMs, 0), restsMsMax) }
}
