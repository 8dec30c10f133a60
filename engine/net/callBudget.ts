import type { Clock } from '../core/clock.ts'
import { type CallUser, type CallWindow, createCallWindow } from './callWindow.ts'

/** The limits of the far side; null: no limit. */
export type CallLimits = {
  readonly perSecond: number | null
  readonly perMinute: number | null
  /** Calls that ended without the requested result. */
  readonly missesPerMinute: number | null
  /** Status calls, where they are counted apart. */
  readonly statusPerMinute: number | null
  /** Status calls that found nothing. */
  readonly statusMissesPerMinute: number | null
  /** Status calls count among the calls of the first two. */
  readonly coverStatus: boolean
}

/** Why a call is left out: the limit, or the client's part of it, is used up; or the far side asked for a pause. */
export type LeftOut = 'limit' | 'misses' | 'pause'

/**
 * Keeps calls within the limits of the far side, and shares them out. A fifth is kept for calls that must be made, such as
 * building a swap. Enterprise and self-serve keys are left a quarter each, and anonymous callers the rest. See CallWindow.
 */
export interface CallBudget {
  /** Counts a call that may be left out, and as many requests as calls had lately. Not null: not counted, leave it out. */
  take(user: CallUser): LeftOut | null
  /** Counts a request of the call that `take` admitted for this object, beyond the user's part too. Not null: do not send. */
  send(user: CallUser): LeftOut | null
  /** The call has ended: takes back the requests that it did not send, the first only if the call was not made at all. */
  giveBack(user: CallUser, isMade?: boolean): void
  /** Counts a call that is made in any case; against others only as far as the user's own part goes. */
  spend(user: CallUser): void
  /** Counts a call that ended without the requested result. */
  miss(user: CallUser): void
  /**
   * Counts a status call without a waiting caller. Such calls have a budget that callers never use: half of the status limit, and
   * the kept part where status calls count among all calls. Not null: nothing is counted, leave it for now.
   */
  takeStatus(client: string): LeftOut | null
  /** Counts a status call, of any caller, that found nothing. */
  missStatus(): void
  /**
   * The far side refused a call for its number. The client's calls pause for `retryAfterMs`; where that is null, for a second,
   * doubling to a minute until a call is accepted. Once two clients pause, all do.
   */
  refused(client: string, retryAfterMs: number | null): void
  accepted(client: string): void
  /** Whether the client's calls pause now. */
  isPausing(client: string): boolean
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** Of five calls, one is kept for those that must be made. */
const KEPT_ONE_OF = 5

/** The longest accepted pause. */
const PAUSE_MS_MAX = 10 * MINUTE_MS
/** How many clients' pauses are remembered. */
const PAUSES_MAX = 1_000
/** Others who pause, for a client to pause with them. */
const WITNESSES = 2

type Tally = { hasRoom(): boolean; add(): void }

/** At most `max` calls in any period of `ms`, from all callers together. */
const createTally = (max: number | null, ms: number, clock: Clock): Tally => {
  let calls: number[] = []
  const current = (): readonly number[] => {
    const now = clock.now()
    calls = calls.filter((at) => at > now - ms && at <= now)
    return calls
  }
  return {
    hasRoom: () => max === null || current().length < max,
    add: () => {
      if (max !== null && current().length < max) calls.push(clock.now())
    },
  }
}

type Pauses = Pick<CallBudget, 'refused' | 'accepted' | 'isPausing'>

const createPauses = (clock: Clock): Pauses => {
  const pauses = new Map<string, { readonly from: number; readonly until: number; readonly stepMs: number }>()
  const isOn = (client: string): boolean => {
    const pause = pauses.get(client)
    const now = clock.now()
    return pause !== undefined && pause.from <= now && now < pause.until
  }
  return {
    refused: (client, asked) => {
      const retryAfterMs = asked !== null && asked > 0 ? asked : null
      // Calls under way together are refused together: one pause.
      if (retryAfterMs === null && isOn(client)) return
      const before = pauses.get(client)?.stepMs ?? 0
      const stepMs = retryAfterMs === null ? Math.min(Math.max(before * 2, SECOND_MS), MINUTE_MS) : before
      const from = clock.now()
      pauses.delete(client)
      pauses.set(client, { from, until: from + Math.min(retryAfterMs ?? stepMs, PAUSE_MS_MAX), stepMs })
      const [oldest] = pauses.keys()
      if (pauses.size > PAUSES_MAX && oldest !== undefined) pauses.delete(oldest)
    },
    accepted: (client) => {
      if (!isOn(client)) pauses.delete(client)
    },
    isPausing: (client) => {
      if (isOn(client)) return true
      let others = 0
      for (const other of pauses.keys()) if (isOn(other)) others += 1
      return others >= WITNESSES
    },
  }
}

const keptPart = (max: number | null): number | null => (max === null ? null : Math.max(1, Math.floor(max / KEPT_ONE_OF)))
const half = (max: number | null): number | null => (max === null ? null : Math.max(1, Math.floor(max / 2)))

const windowOf = (max: number | null, ms: number, clock: Clock, isPartKept = true): readonly CallWindow[] =>
  max === null ? [] : [createCallWindow({ max, ms, kept: isPartKept ? Math.floor(max / KEPT_ONE_OF) : 0 }, clock)]

type StatusBudget = Pick<CallBudget, 'takeStatus' | 'missStatus'>

const createStatusBudget = (limits: CallLimits, pauses: Pauses, clock: Clock): StatusBudget => {
  const { perSecond, perMinute, statusPerMinute, statusMissesPerMinute, coverStatus } = limits
  const rates = [createTally(half(statusPerMinute), MINUTE_MS, clock)]
  if (coverStatus)
    rates.push(createTally(keptPart(perSecond), SECOND_MS, clock), createTally(keptPart(perMinute), MINUTE_MS, clock))
  const misses = createTally(half(statusMissesPerMinute), MINUTE_MS, clock)
  return {
    takeStatus: (client) => {
      if (pauses.isPausing(client)) return 'pause'
      if (!misses.hasRoom()) return 'misses'
      if (!rates.every((rate) => rate.hasRoom())) return 'limit'
      for (const rate of rates) rate.add()
      return null
    },
    missStatus: () => misses.add(),
  }
}

/** `clock`: never runs backwards. A wall clock that is set would lift the limits. */
export const createCallBudget = (limits: CallLimits, clock: Clock): CallBudget => {
  const { perSecond, perMinute, missesPerMinute } = limits
  const rates = [...windowOf(perSecond, SECOND_MS, clock), ...windowOf(perMinute, MINUTE_MS, clock)]
  const misses = windowOf(missesPerMinute, MINUTE_MS, clock, false)
  const pauses = createPauses(clock)
  const add = (user: CallUser, isMore = false) => {
    for (const window of rates) window.add(user, isMore)
  }
  /** How many requests a call has, as far as calls lately had; and those of each call under way. */
  let expected = 1
  const underWay = new WeakMap<CallUser, { counted: number; sent: number }>()
  const hasRoom = (windows: readonly CallWindow[], user: CallUser, requests = 1): boolean => {
    if (windows.every((window) => window.hasRoom(user) && window.hasRoomFor(user, requests))) return true
    for (const window of windows) window.refuse(user)
    return false
  }
  return {
    ...pauses,
    ...createStatusBudget(limits, pauses, clock),
    take: (user) => {
      if (pauses.isPausing(user.client)) return 'pause'
      if (!hasRoom(misses, user)) return 'misses'
      const counted = Math.min(expected, ...rates.map(({ open }) => open))
      if (!hasRoom(rates, user, counted)) return 'limit'
      for (let i = 0; i < counted; i += 1) add(user, i > 0)
      underWay.set(user, { counted, sent: 0 })
      return null
    },
    send: (user) => {
      const call = underWay.get(user) ?? { counted: 0, sent: 0 }
      call.sent += 1
      if (call.sent <= call.counted) return null
      if (!rates.every((window) => window.hasRoomFor(user, 1))) return 'limit'
      call.counted += 1
      add(user, true)
      return null
    },
    giveBack: (user, isMade = false) => {
      const { counted, sent } = underWay.get(user) ?? { counted: 0, sent: 0 }
      underWay.delete(user)
      if (isMade) expected = Math.max(sent, expected - 1, 1)
      for (let left = Math.max(sent, Number(isMade)); left < counted; left += 1) for (const window of rates) window.takeBack(user)
    },
    spend: (user) => {
      if (rates.every((window) => window.hasRoom(user))) add(user)
    },
    miss: (user) => {
      for (const window of misses) window.add(user)
    },
  }
}
