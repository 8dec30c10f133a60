/** Calls of one kind, each client once by its last call: the last 20 clients of 5 minutes, and at least 5. */
const LAST = 20
const CLIENTS_MIN = 5
const RECENT_MS = 5 * 60_000

type Seen = { readonly isFailed: boolean; readonly at: number }

/** How large the share of failures is among the last calls of one far side. */
export interface FailureShare {
  /** True: this call failed, and half of the calls of its kind since the last `restart` did. */
  record(row: string, client: string, isFailed: boolean): boolean
  /** Calls so far do not count for `record` any more. */
  restart(): void
  /** Whether half of the calls of any kind failed, or more. */
  readonly isHigh: boolean
}

/** `now`: ms, never running backwards. */
export const createFailureShare = (now: () => number): FailureShare => {
  const rows = new Map<string, Map<string, Seen>>()
  let restartedAt = Number.NEGATIVE_INFINITY
  const isHigh = (seen: ReadonlyMap<string, Seen>, since = Number.NEGATIVE_INFINITY): boolean => {
    const recent = [...seen.values()].filter(({ at }) => at > since && now() - at < RECENT_MS)
    return recent.length >= CLIENTS_MIN && recent.filter(({ isFailed }) => isFailed).length * 2 >= recent.length
  }
  return {
    record: (row, client, isFailed) => {
      const seen = rows.get(row) ?? new Map<string, Seen>()
      rows.set(row, seen)
      seen.delete(client)
      seen.set(client, { isFailed, at: now() })
      const [oldest] = seen.keys()
      if (seen.size > LAST && oldest !== undefined) seen.delete(oldest)
      return isFailed && isHigh(seen, restartedAt)
    },
    restart: () => {
      restartedAt = now()
    },
    get isHigh() {
      return [...rows.values()].some((seen) => isHigh(seen))
    },
  }
}
