/**
 * What a call tells of the far side. `failure`: it is in trouble. `keyRefused`: it does not take our key. `cut`: it was too
 * slow to be waited for. `answer`: it did answer, whatever it said. `nothing`: the call ended before it could tell.
 */
export type Verdict = 'answer' | 'failure' | 'keyRefused' | 'cut' | 'nothing'

/** What is known of one far side in one respect. Plain data, so that it may be kept anywhere. */
export type Standing = {
  /** Who met trouble, in a row, by what they asked for; `cut` and `keyRefused` are rows of their own. */
  readonly rows: { readonly [row: string]: readonly string[] }
  /** Calls that began before the last one that was counted are of the same burst. A number of this process. */
  readonly countedAt: number
  /** Null: closed. Else open, and from then on one call may try, ms of the breaker's clock. */
  readonly restsUntil: number | null
}

/** Where breakers keep what they know. Answers at once: one that is shared by processes reads from a copy of its own. */
export interface BreakerState {
  get(key: string): Standing | null
  /** Null: all is well, nothing to keep. */
  set(key: string, standing: Standing | null): void
}

/** In this process. What was not touched for longest goes first, where there is more than `keysMax`. */
export const createMemoryBreakerState = (keysMax = 10_000): BreakerState => {
  const standings = new Map<string, Standing>()
  return {
    get: (key) => standings.get(key) ?? null,
    set: (key, standing) => {
      standings.delete(key)
      if (standing) standings.set(key, standing)
      const [oldest] = standings.keys()
      if (standings.size > keysMax && oldest !== undefined) standings.delete(oldest)
    },
  }
}

/**
 * How a call fares at an open breaker. `mayTry`: it is refused, but for one at a time once the rest is over. `must`: it is
 * made in any case. `onlyIfClosed`: it is refused, and never the one that tries.
 */
export type Urgency = 'mayTry' | 'must' | 'onlyIfClosed'

export type Attempt = { end(verdict: Verdict): void }

export type BreakerOptions = {
  readonly name: string
  readonly state: BreakerState
  /** Failures in a row that open it. Calls that were under way together count once: the trouble may be our own. */
  readonly failuresMax: number
  readonly cutsMax: number
  /** How long it stays open before one call may try again. */
  readonly openMs: number
  readonly onChange: (trouble: Trouble | null) => void
  /** Ms, never running backwards. */
  readonly now?: () => number
}

export type Trouble = 'failing' | 'keyRefused'

/**
 * Stops calling something that keeps failing. What one client meets opens it for that client alone: its requests may be
 * what breaks the far side. It opens for all once `failuresMax` clients failed in a row, or two had our key refused.
 */
export interface Breaker {
  /** What the last calls met, whoever made them; null when the last of them was answered. */
  readonly trouble: Trouble | null
  /** `row`: what is asked for; an answer ends the row of failures of its own kind. Null: do not call. */
  begin(row: string, client: string, urgency: Urgency): Attempt | null
}

/** One respect in which calls are counted: of one client, of all clients (each once), or for the record alone. */
type Scope = { readonly key: string; readonly isOncePerClient: boolean; readonly keyRefusalsMax: number }

/** How many clients must have seen our key refused: one could have provoked it by what it asked for. */
const KEY_WITNESSES = 2

export const createBreaker = (options: BreakerOptions): Breaker => {
  const { name, state, failuresMax, cutsMax, openMs, onChange, now = () => performance.now() } = options
  /** Counts what happens, to tell what began before what. */
  let tick = 0
  const trying = new Set<string>()

  const scopeOf = (client: string): Scope => ({ key: `${name} of ${client}`, isOncePerClient: false, keyRefusalsMax: 1 })
  const everyone: Scope = { key: `${name} all`, isOncePerClient: true, keyRefusalsMax: KEY_WITNESSES }
  const record: Scope = { key: `${name} record`, isOncePerClient: false, keyRefusalsMax: 1 }

  const isAnyoneTrying = ({ key }: Scope): boolean => trying.has(key)
  const restOf = ({ key }: Scope): number | null => state.get(key)?.restsUntil ?? null

  const answered = ({ key }: Scope, row: string): void => {
    const standing = state.get(key)
    if (!standing) return
    const ended = row === 'quote' ? [row, 'cut', 'keyRefused'] : [row, 'keyRefused']
    const rows = Object.fromEntries(Object.entries(standing.rows).filter(([name]) => !ended.includes(name)))
    const isWell = standing.restsUntil !== null || Object.keys(rows).length === 0
    state.set(key, isWell ? null : { ...standing, rows })
  }

  const count = (scope: Scope, row: string, client: string, startedAt: number): void => {
    const { rows, countedAt, restsUntil } = state.get(scope.key) ?? { rows: {}, countedAt: 0, restsUntil: null }
    const known = rows[row] ?? []
    if (startedAt < countedAt || (scope.isOncePerClient && known.includes(client))) return
    const max = row === 'cut' ? cutsMax : row === 'keyRefused' ? scope.keyRefusalsMax : failuresMax
    const met = [...known, client].slice(-max)
    tick += 1
    const opensNow = met.length >= max ? now() + openMs : null
    state.set(scope.key, { rows: { ...rows, [row]: met }, countedAt: tick, restsUntil: restsUntil ?? opensNow })
  }

  const troubleNow = (): Trouble | null => {
    const standing = state.get(record.key)
    if (!standing || standing.restsUntil === null) return null
    return standing.rows['keyRefused'] ? 'keyRefused' : 'failing'
  }

  const settle = (scope: Scope, verdict: Verdict, call: { row: string; client: string; startedAt: number; isTrial: boolean }) => {
    const { row, client, startedAt, isTrial } = call
    if (isTrial) trying.delete(scope.key)
    if (verdict === 'answer') return answered(scope, row)
    const standing = state.get(scope.key)
    // A trial that was given up has proved nothing: the breaker must not close for it.
    if (isTrial && standing) return state.set(scope.key, { ...standing, restsUntil: now() + openMs })
    if (verdict !== 'nothing') count(scope, verdict === 'failure' ? row : verdict, client, startedAt)
  }

  return {
    get trouble() {
      return troubleNow()
    },
    begin: (row, client, urgency) => {
      const own = scopeOf(client)
      const open = [own, everyone].filter((scope) => restOf(scope) !== null)
      const mayTry = (scope: Scope) => urgency === 'mayTry' && now() >= (restOf(scope) ?? 0) && !isAnyoneTrying(scope)
      if (urgency !== 'must' && !open.every(mayTry)) return null
      const trials = urgency === 'mayTry' ? open : []
      for (const { key } of trials) trying.add(key)
      tick += 1
      const startedAt = tick
      let isOver = false
      return {
        end: (verdict) => {
          if (isOver) return
          isOver = true
          const before = troubleNow()
          for (const scope of [own, everyone, record])
            settle(scope, verdict, { row, client, startedAt, isTrial: trials.includes(scope) })
          const after = troubleNow()
          if (after !== before) onChange(after)
        },
      }
    },
  }
}
