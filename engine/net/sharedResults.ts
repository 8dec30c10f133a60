import type { BreakerState, Standing } from './breakerState.ts'
import { createFailureShare, type Ended } from './failureShare.ts'

const RESULTS_MAX = 20
/** A result counts for so long in other processes. It is sent within a second: an older one has a wrong clock, or met a late start. */
const AGE_MS_MAX = 60_000

/** `time alias end`. `a`: answered. `f`: failed. `s`: failed as `isShared`. A capital: the failure began a burst. */
const RESULT = /^([0-9]{13}) (\S{1,40}) ([afFsS])$/

const parse = (result: string): { readonly client: string; readonly end: string } | null => {
  const [, at, client, end] = RESULT.exec(result) ?? []
  if (client === undefined || end === undefined || Math.abs(Date.now() - Number(at)) > AGE_MS_MAX) return null
  return { client, end }
}

/** The newest result of each client, oldest first. */
export const mergeResults = (...lists: readonly (readonly string[])[]): readonly string[] => {
  const newest = new Map<string, string>()
  for (const result of lists.flat().toSorted()) {
    const client = parse(result)?.client
    if (client === undefined) continue
    newest.delete(client)
    newest.set(client, result)
  }
  return [...newest.values()].slice(-RESULTS_MAX)
}

/** A share of failures of all processes that share the state. Each sends its results under `key`, and counts those of the others. */
export const createSharedResults = (key: string, state: BreakerState, now: () => number) => {
  const share = createFailureShare(now)
  let known: Standing | null = null
  const counted = new Map<string, ReadonlySet<string>>()
  const receive = (): void => {
    const standing = state.get(key)
    if (standing === known) return
    known = standing
    for (const [row, results] of Object.entries(standing?.rows ?? {})) {
      for (const result of results) {
        const parsed = counted.get(row)?.has(result) ? null : parse(result)
        if (parsed === null) continue
        const { client, end } = parsed
        const startedAt = /[FS]/.test(end) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
        share.record(row, client, { isFailed: end !== 'a', isShared: /s/i.test(end), startedAt })
      }
      counted.set(row, new Set(results))
    }
  }
  return {
    ...share,
    /** Counts the new results of other processes. */
    receive,
    /** True: the share of failures is high, see `failureShare.ts`. */
    record: (row: string, client: string, ended: Ended): boolean => {
      const { isHigh, isBurst } = share.record(row, client, ended)
      if (!state.isShared) return isHigh
      receive()
      const end = !ended.isFailed ? 'a' : ended.isShared ? 's' : 'f'
      const result = `${Date.now()} ${client} ${isBurst ? end.toUpperCase() : end}`
      const rows = state.get(key)?.rows ?? {}
      const results = mergeResults(rows[row] ?? [], [result])
      counted.set(row, new Set(results))
      known = { rows: { ...rows, [row]: results }, countedAt: 0, restsUntil: null }
      state.set(key, known)
      return isHigh
    },
  }
}

export type SharedResults = ReturnType<typeof createSharedResults>
