import type { BreakerState, Standing } from './breakerState.ts'
import { createFailureShare, type Ended } from './failureShare.ts'

const RESULTS_MAX = 20
/** How long a result counts in other processes. It is sent within a second: an older one has a wrong clock or a late start. */
const AGE_MS_MAX = 60_000

/** `time alias end`. `a`: answered. `f`: failed. `s`: failed as `isShared`. A capital: the failure began a burst. */
const RESULT = /^([0-9]{13}) (\S{1,40}) ([afFsS])$/

/** By the clock of this process. */
const isInTime = (result: string): boolean => Math.abs(Date.now() - Number(result.slice(0, 13))) <= AGE_MS_MAX

const parse = (result: string): { readonly client: string; readonly end: string } | null => {
  const [, , client, end] = RESULT.exec(result) ?? []
  return client === undefined || end === undefined ? null : { client, end }
}

/** The newest result of each client, oldest first. Results that do not count here come first: other processes may count them. */
export const mergeResults = (...lists: readonly (readonly string[])[]): readonly string[] => {
  const newest = new Map<string, string>()
  const results = lists.flat().toSorted()
  for (const result of [...results.filter((one) => !isInTime(one)), ...results.filter(isInTime)]) {
    const client = parse(result)?.client
    if (client === undefined) continue
    newest.delete(client)
    newest.set(client, result)
  }
  return [...newest.values()].slice(-RESULTS_MAX)
}

/** A share of failures of all processes that share the state. Each sends its results under `key`, and counts the others'. */
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
        const parsed = counted.get(row)?.has(result) || !isInTime(result) ? null : parse(result)
        if (parsed === null) continue
        const startedAt = /[FS]/.test(parsed.end) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
        share.record(row, parsed.client, { isFailed: parsed.end !== 'a', isShared: /s/i.test(parsed.end), startedAt })
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
