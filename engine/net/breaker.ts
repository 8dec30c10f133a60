import { type BreakerState, everyoneKey, ownKey, recordKey, type Standing, shareKey } from './breakerState.ts'
import { siteOf } from './callWindow.ts'
import { createSharedResults, type SharedResults } from './sharedResults.ts'

/**
 * What a call shows about the far side. `failure`: it is in trouble. `keyRefused`: it rejects our key. `cut`: the call was cut
 * off as too slow. `answer`: it answered, with any content. `nothing`: the call ended without evidence.
 */
export type Verdict = 'answer' | 'failure' | 'keyRefused' | 'cut' | 'nothing'

/**
 * What happens to a call at an open breaker. `mayTry`: it is refused, except one at a time after the rest. `must`: it is made.
 * `onlyIfClosed`: it is refused, and is never the trial.
 */
export type Urgency = 'mayTry' | 'must' | 'onlyIfClosed'

export type Attempt = { readonly startedAt: number; end(verdict: Verdict): void }

export type BreakerOptions = {
  readonly name: string
  readonly state: BreakerState
  /** The kind of calls that an open breaker refuses to all; default `quote`. Failures of other kinds stop no calls. */
  readonly rests?: string
  /** Failures in a row that open it. Calls that were under way together count once: the trouble may be our own. */
  readonly failuresMax: number
  readonly cutsMax: number
  /** How long it stays open before one call may try again. */
  readonly openMs: number
  /** By a call of this process, or of another that shares the state. */
  readonly onChange: (trouble: Trouble | null) => void
  /** Ms, never running backwards. */
  readonly now?: () => number
}

export type Trouble = 'failing' | 'keyRefused'

/**
 * Stops calls of a far side that keeps failing. Failures of one client open it for that client alone: its requests may be the
 * cause. It opens for all once `failuresMax` clients failed in a row, or two had our key refused.
 */
export interface Breaker {
  /** The trouble of the last calls of all clients; null when it is closed for all, and most of the last calls were answered. */
  readonly trouble: Trouble | null
  /** The kinds of calls that fail. */
  readonly failing: readonly string[]
  /** It is open for all and its rest is not over: only calls that must be made pass. */
  readonly isResting: boolean
  /** `row`: the kind of call; an answer ends the row of failures of its own kind. Null: the call is refused. */
  begin(row: string, client: string, urgency: Urgency): Attempt | null
  /**
   * Counts an ended call for all clients: failures and slow calls, and the share of them in the calls of its kind. Quotes rest for
   * all where half of the last ones failed, since it last closed. `isShared`: other far sides failed at the same request, and none
   * showed that the request was in order.
   * `startedAt`: calls that were under way together are one burst, which may be trouble of our own.
   */
  count(row: string, client: string, verdict: Verdict, isShared?: boolean, startedAt?: number): void
}

/** One scope in which calls are counted: of one client, of all clients (each once), or for the record alone. */
type Scope = { readonly key: string; readonly isOncePerClient: boolean; readonly keyRefusalsMax: number }

/** How many clients must have met a refusal of our key: the requests of one could have provoked it. */
const KEY_WITNESSES = 2

const CLOSED: Standing = { rows: {}, countedAt: 0, restsUntil: null }

/** An answer closes an open breaker, and ends the row of its kind. Null: no trouble. */
const afterAnswer = (standing: Standing, row: string): Standing | null => {
  const ended = row === 'quote' ? [row, 'cut', 'keyRefused'] : [row, 'keyRefused']
  const rows = Object.fromEntries(Object.entries(standing.rows).filter(([name]) => !ended.includes(name)))
  const isWell = standing.restsUntil !== null || Object.keys(rows).length === 0
  return isWell ? null : { ...standing, rows }
}

type Met = {
  readonly row: string
  readonly client: string
  readonly startedAt: number
  readonly countedAt: number
  /** This many in a row open it until `restsUntil`. */
  readonly max: number
  readonly restsUntil: number
}

const afterTrouble = (standing: Standing, met: Met, isOncePerClient: boolean): Standing => {
  const known = standing.rows[met.row] ?? []
  if (met.startedAt < standing.countedAt || (isOncePerClient && known.includes(met.client))) return standing
  const row = [...known, met.client].slice(-met.max)
  const opensNow = row.length >= met.max ? met.restsUntil : null
  return {
    rows: { ...standing.rows, [met.row]: row },
    countedAt: met.countedAt,
    restsUntil: standing.restsUntil ?? opensNow,
  }
}

/** How many clients are remembered whose trials failed: so many would have to conspire to keep it open for all. */
const TRIERS_MAX = 5

/**
 * A trial that was abandoned proves nothing: it does not close the breaker. A few clients must not keep it open for all, by
 * trying in turns what cannot succeed. A repeated trial of the same client adds no rest for the others.
 */
const afterTrial = (
  standing: Standing,
  { client, restsUntil }: Pick<Met, 'client' | 'restsUntil'>,
  isForAll: boolean,
): Standing => {
  const known = standing.rows['trial'] ?? []
  const isAgain = isForAll && known.includes(client)
  const trial = known.includes(client) ? known : [...known, client].slice(-TRIERS_MAX)
  return { ...standing, rows: { ...standing.rows, trial }, restsUntil: isAgain ? standing.restsUntil : restsUntil }
}

/** Counts the results of other processes, and reports each change once. */
const createTeller = (
  share: SharedResults,
  isOpen: () => boolean,
  viewNow: () => View,
  onChange: BreakerOptions['onChange'],
): (() => void) => {
  const wordsOf = ({ trouble, failing }: View) => [trouble, ...failing].join()
  let told = wordsOf(viewNow())
  let wasOpen = false
  return () => {
    share.receive()
    if (wasOpen && !isOpen()) share.restart()
    wasOpen = isOpen()
    const view = viewNow()
    if (wordsOf(view) === told) return
    told = wordsOf(view)
    onChange(view.trouble)
  }
}

type View = Pick<Breaker, 'trouble' | 'failing'>

const viewOf = (standing: Standing | null, isOpenForAll: boolean, share: SharedResults, rests: string): View => {
  const isOpen = standing !== null && standing.restsUntil !== null
  const isKeyRefused = isOpen && standing.rows['keyRefused'] !== undefined
  const failing = [...new Set([...((isOpen || isOpenForAll) && !isKeyRefused ? [rests] : []), ...share.high()])]
  return { trouble: isKeyRefused ? 'keyRefused' : failing.length > 0 ? 'failing' : null, failing }
}

/** How many in a row open the breaker. */
const maxOf = (row: string, { keyRefusalsMax }: Scope, { cutsMax, failuresMax }: BreakerOptions): number =>
  row === 'cut' ? cutsMax : row === 'keyRefused' ? keyRefusalsMax : failuresMax

export const createBreaker = (options: BreakerOptions): Breaker => {
  const { name, state, rests = 'quote', openMs, onChange, now = () => performance.now() } = options
  const trying = new Set<string>()

  const everyone: Scope = { key: everyoneKey(name), isOncePerClient: true, keyRefusalsMax: KEY_WITNESSES }
  const record: Scope = { key: recordKey(name), isOncePerClient: true, keyRefusalsMax: 1 }

  const restOf = ({ key }: Scope): number | null => state.get(key)?.restsUntil ?? null

  const share = createSharedResults(shareKey(name), state, now)
  const viewNow = () => viewOf(state.get(record.key), restOf(everyone) !== null, share, rests)

  const settle = (scope: Scope, verdict: Verdict, call: { row: string; client: string; startedAt: number; isTrial: boolean }) => {
    const { key, isOncePerClient } = scope
    const standing = state.get(key)
    if (call.isTrial) trying.delete(key)
    if (verdict === 'answer') return standing && state.set(key, afterAnswer(standing, call.row))
    const restsUntil = now() + openMs
    if (call.isTrial) return state.set(key, afterTrial(standing ?? CLOSED, { client: call.client, restsUntil }, isOncePerClient))
    if (verdict === 'nothing') return
    const row = verdict === 'failure' ? call.row : verdict
    const met = { ...call, row, countedAt: now(), max: maxOf(row, scope, options), restsUntil }
    state.set(key, afterTrouble(standing ?? CLOSED, met, isOncePerClient))
  }

  const tell = createTeller(share, () => restOf(everyone) !== null, viewNow, onChange)
  state.watch(name, tell)
  return {
    get trouble() {
      return viewNow().trouble
    },
    get failing() {
      return viewNow().failing
    },
    get isResting() {
      return (restOf(everyone) ?? 0) > now()
    },
    begin: (row, caller, urgency) => {
      const [client, site] = [state.alias(caller), state.alias(siteOf(caller))]
      const own: Scope = { ...record, key: ownKey(name, client), isOncePerClient: false }
      const open = [own, everyone].filter((scope) => restOf(scope) !== null)
      const mayTry = (scope: Scope) => urgency === 'mayTry' && now() >= (restOf(scope) ?? 0) && !trying.has(scope.key)
      if (urgency !== 'must' && !open.every(mayTry)) return null
      const trials = urgency === 'mayTry' ? open : []
      for (const { key } of trials) trying.add(key)
      const startedAt = now()
      let isOver = false
      return {
        startedAt,
        end: (verdict) => {
          if (isOver) return
          isOver = true
          const isGoodNews = verdict === 'answer' || verdict === 'nothing'
          if (isGoodNews && trials.length === 0 && [own, everyone, record].every(({ key }) => state.get(key) === null)) return
          // A client whose trial was for all rests for itself, too.
          for (const scope of [own, everyone, record]) {
            const isTrial = trials.includes(scope) || (scope === own && trials.length > 0)
            // `count` counts it for all clients, once the other results of the request are known.
            if (scope !== own && !isTrial && (verdict === 'failure' || verdict === 'cut')) continue
            settle(scope, verdict, { row, client: scope === own ? client : site, startedAt, isTrial })
          }
          tell()
        },
      }
    },
    count: (row, caller, verdict, isShared = false, startedAt = now()) => {
      if (verdict !== 'answer' && verdict !== 'failure' && verdict !== 'cut') return
      const client = state.alias(siteOf(caller))
      const isFailed = verdict !== 'answer'
      if (isFailed && !isShared && row === rests)
        for (const scope of [everyone, record]) settle(scope, verdict, { row, client, startedAt, isTrial: false })
      if (share.record(row, client, { isFailed, isShared, startedAt }) && row === 'quote' && restOf(everyone) === null)
        state.set(everyone.key, { ...(state.get(everyone.key) ?? CLOSED), restsUntil: now() + openMs })
      tell()
    },
  }
}
