/**
 * Calls of one kind, each client once by its last call: the last 20 clients of 5 minutes, at least 5, of which 4 failed. A round
 * ends when 5 clients have called. A client that called in none of the last 4 rounds does not count: no single client can end a round.
 */
const LAST = 20
const CLIENTS_MIN = 5
/** Fewer clients must not stop a venue for all: they may send calls that fail at this venue alone. */
const FAILED_MIN = 4
const ROUNDS = LAST / CLIENTS_MIN
const RECENT_MS = 5 * 60_000
/** Failures in a row, of so many clients, show trouble for longer: calls of some kinds are rare. */
const ROW_RECENT_MS = 15 * 60_000
/** One request may make several far sides fail: such failures show trouble when this many clients met nothing else. */
const SHARED_CLIENTS_MIN = 20
/** Half of so many calls of each client must have failed, too: of few clients, the last ones often fail by chance. */
const CALLS = 3

/** `burst`: the one by which this client's failures began. `failures`: 1 or 0 for each of its last calls. */
type Seen = { readonly failures: readonly number[]; readonly at: number; readonly burst: number; readonly round: number }
const isFailedLast = ({ failures }: Seen): boolean => failures.at(-1) === 1
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

/** Calls of one kind. `failing`, `shared`: clients whose calls failed since the last answer, of `shared` at several far sides. */
type Row = {
  readonly seen: Map<string, Seen>
  readonly failing: Set<string>
  readonly shared: Set<string>
  /** The rounds that ended, and the clients of the one under way. */
  rounds: number
  readonly callers: Set<string>
  /** Failures of calls that were under way together are one burst. How many, and how many before the last answer. */
  bursts: number
  burstsBefore: number
  /** The start of the last one. */
  burstAt: number
}

const newRow = (): Row => ({
  ...{ seen: new Map(), failing: new Set(), shared: new Set(), callers: new Set() },
  ...{ rounds: 0, bursts: 0, burstsBefore: 0, burstAt: 0 },
})

/** How a call ended. `isShared`: see Breaker. */
export type Ended = { readonly isFailed: boolean; readonly isShared: boolean; readonly startedAt: number }

/** How large the share of failures is among the last calls of one far side. `now`: ms, never running backwards. */
export const createFailureShare = (now: () => number) => {
  const rows = new Map<string, Row>()
  let restartedAt = Number.NEGATIVE_INFINITY
  const isHigh = ({ seen, bursts, rounds }: Row, since = Number.NEGATIVE_INFINITY): boolean => {
    const recent = [...seen.values()].filter(({ at, round }) => now() - at < RECENT_MS && rounds - round < ROUNDS)
    const shares = recent.map(({ failures }) => sum(failures) / failures.length)
    const last = recent.filter(({ at }) => at > since)
    const failed = last.filter(isFailedLast)
    const isHalf = failed.length * 2 >= last.length && sum(shares) * 2 >= shares.length
    const areEnough = last.length >= CLIENTS_MIN && failed.length >= FAILED_MIN
    return areEnough && isHalf && failed.some(({ burst }) => burst < bursts)
  }
  const isRow = ({ failing, shared, bursts, burstsBefore, burstAt }: Row): boolean => {
    const isLong = failing.size >= CLIENTS_MIN || shared.size >= SHARED_CLIENTS_MIN
    return isLong && bursts > burstsBefore + 1 && now() - burstAt < ROW_RECENT_MS
  }
  const answered = (row: Row): void => {
    row.failing.clear()
    row.shared.clear()
    row.burstsBefore = row.bursts
  }
  return {
    /** `isHigh`: this call failed, and so did half of its kind since the last `restart`. `isBurst`: it began a burst. */
    record: (kind: string, client: string, { isFailed, isShared, startedAt }: Ended) => {
      const row = rows.get(kind) ?? newRow()
      rows.set(kind, row)
      const { seen, failing, shared } = row
      if (!isFailed || now() - row.burstAt >= ROW_RECENT_MS) answered(row)
      const isBurst = isFailed && startedAt >= row.burstAt
      if (isFailed) {
        if (isBurst) Object.assign(row, { bursts: row.bursts + 1, burstAt: now() })
        const clients = isShared ? shared : failing
        if (clients.size < SHARED_CLIENTS_MIN) clients.add(client)
      }
      if (isShared) return { isHigh: shared.size >= SHARED_CLIENTS_MIN && isRow(row), isBurst }
      const last = seen.get(client)
      seen.delete(client)
      const failures = [...(last?.failures ?? []), Number(isFailed)].slice(-CALLS)
      seen.set(client, { failures, at: now(), burst: last && isFailedLast(last) ? last.burst : row.bursts, round: row.rounds })
      if (row.callers.add(client).size >= CLIENTS_MIN) {
        row.callers.clear()
        row.rounds += 1
      }
      const [oldest] = seen.keys()
      if (seen.size > LAST && oldest !== undefined) seen.delete(oldest)
      return { isHigh: isFailed && isHigh(row, restartedAt), isBurst }
    },
    /** `record` needs new calls of 5 clients. */
    restart: () => {
      restartedAt = now()
    },
    /** The kinds of calls of which half failed, or more. One burst shows nothing: it may be trouble of our own. */
    high: (): readonly string[] => [...rows].flatMap(([kind, row]) => (isHigh(row) || isRow(row) ? [kind] : [])),
  }
}
