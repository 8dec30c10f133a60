/** Calls of one kind, each client once by its last call: the last 20 clients of 5 minutes, and at least 5. */
const LAST = 20
const CLIENTS_MIN = 5
const RECENT_MS = 5 * 60_000
/** Failures in a row, of so many clients, show trouble for longer: calls of some kinds are rare. */
const ROW_RECENT_MS = 15 * 60_000
/** One request may be what several far sides fail by: such failures show trouble when so many clients met nothing else. */
const SHARED_CLIENTS_MIN = 20

type Seen = { readonly isFailed: boolean; readonly at: number }

/** Calls of one kind. `failing`, `shared`: clients whose calls failed since the last answer, of `shared` at several far sides. */
type Row = { readonly seen: Map<string, Seen>; readonly failing: Set<string>; readonly shared: Set<string>; failedAt: number }

/** How large the share of failures is among the last calls of one far side. */
export interface FailureShare {
  /** True: this call failed, and half of the calls of its kind since the last `restart` did. */
  record(row: string, client: string, isFailed: boolean, isShared: boolean): boolean
  /** Calls so far do not count for `record` any more. */
  restart(): void
  /** Whether half of the calls of any kind failed, or more. */
  readonly isHigh: boolean
}

/** `now`: ms, never running backwards. */
export const createFailureShare = (now: () => number): FailureShare => {
  const rows = new Map<string, Row>()
  let restartedAt = Number.NEGATIVE_INFINITY
  const isHigh = (seen: ReadonlyMap<string, Seen>, since = Number.NEGATIVE_INFINITY): boolean => {
    const recent = [...seen.values()].filter(({ at }) => at > since && now() - at < RECENT_MS)
    return recent.length >= CLIENTS_MIN && recent.filter(({ isFailed }) => isFailed).length * 2 >= recent.length
  }
  const isRow = ({ failing, shared, failedAt }: Row): boolean =>
    now() - failedAt < ROW_RECENT_MS && (failing.size >= CLIENTS_MIN || shared.size >= SHARED_CLIENTS_MIN)
  const answered = ({ failing, shared }: Row): void => {
    failing.clear()
    shared.clear()
  }
  return {
    record: (kind, client, isFailed, isShared) => {
      const row = rows.get(kind) ?? { seen: new Map(), failing: new Set(), shared: new Set(), failedAt: now() }
      rows.set(kind, row)
      const { seen, failing, shared } = row
      if (!isFailed || now() - row.failedAt >= ROW_RECENT_MS) answered(row)
      if (isFailed) {
        row.failedAt = now()
        const clients = isShared ? shared : failing
        if (clients.size < SHARED_CLIENTS_MIN) clients.add(client)
      }
      if (isShared) return shared.size >= SHARED_CLIENTS_MIN
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
      return [...rows.values()].some((row) => isHigh(row.seen) || isRow(row))
    },
  }
}
