import type { Caller, RequestContext, Tier } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'

/** The caller of a venue call: the class, the partner of the key, and the network address. */
export type CallUser = Pick<Caller, 'tier' | 'partnerId'> & Pick<RequestContext, 'client'>

/** Limits the calls in any stretch of a fixed length, and shares them out by class and by caller. */
export interface CallWindow {
  /** Whether the user may make a call now. Counts nothing. */
  hasRoom(user: CallUser): boolean
  /** Counts a call, if the user's part has room for it or it `isMore`: a further request of a call. */
  add(user: CallUser, isMore?: boolean): void
  /** What callers share: the limit without the part that is kept. */
  readonly open: number
  /** Whether the window has room for `count` more requests of one call, whatever the user's part is. */
  hasRoomFor(user: CallUser, count: number): boolean
  /** Removes the user's last call. */
  takeBack(user: CallUser): void
  /** Records that the user got no call: for 5 seconds, callers of its class with more calls do not overtake it. */
  refuse(user: CallUser): void
}

export type WindowRules = {
  readonly max: number
  readonly ms: number
  /** The part of `max` that this window reserves, and hands out to no caller. */
  readonly kept: number
}

/** The time within which callers of the class itself are served. */
const AHEAD_MS = 5_000
/** The most that a class lends ahead: less than that, as callers repeat their requests only now and then. */
const LENT_MS = 4_000
/** A limit by the second is shared out over four seconds, so that each class has whole calls. */
const SHORT_MS = 1_000
const SHORT_WINDOWS = 4
/** The part of the limit that each class of keys is left at least. */
const KEYS_PART = 1 / 4
const TIERS = ['anonymous', 'selfServe', 'enterprise'] as const satisfies readonly Tier[]

/** Callers that count together, and the most that they have of what the rest of their class leaves. */
type Group = { readonly name: string; readonly part: number }

/** As `ClientAddress` of the handlers writes it. */
const IPV6_NETWORK = /^((?:[0-9a-f]{1,4}:){3})([0-9a-f]{1,4})::\/64$/

const networksOf = (client: string): readonly Group[] => {
  const [, site, subnet] = IPV6_NETWORK.exec(client) ?? []
  const own = { name: client, part: 1 / 2 }
  if (site === undefined || subnet === undefined) return [own]
  return [own, { name: `${site}${subnet.padStart(4, '0').slice(0, 2)}/56`, part: 5 / 8 }, { name: `${site}/48`, part: 3 / 4 }]
}

/** The /48 of an IPv6 network, which one customer may hold; any other client as it is. */
export const siteOf = (client: string): string => networksOf(client).at(-1)?.name ?? client

const groupsOf = ({ tier, partnerId, client }: CallUser): readonly Group[] => {
  if (tier === 'enterprise') return [{ name: `partner ${partnerId}`, part: 3 / 4 }]
  return tier === 'selfServe' ? [{ name: `key ${partnerId}`, part: 1 / 2 }, ...networksOf(client)] : networksOf(client)
}

/** The part of one class. Each call uses a slot of one class, its own or one that lends, for the length of the window. */
type ClassPart = {
  readonly slots: number
  /** The time in which one call of the class's rate is refilled. */
  readonly paceMs: number
  /** The most that its refill may be behind after a call that it lends. */
  readonly aheadMs: number
  used: number
  usedByOwn: number
  /** The calls in its own slots, by name of the group. */
  readonly calls: Map<string, number>
  /** When everything that was used is refilled at the class's rate; and what its own callers used. */
  readonly refilledAt: { all: number; own: number }
  /** The refused caller with the fewest calls, by its group; `isDue`: only slots of its class or other classes block it. */
  waiting: { readonly name: string; readonly calls: number; readonly since: number; readonly isDue: boolean } | null
}

const createParts = ({ max, ms, kept }: WindowRules) => {
  const times = ms > SHORT_MS ? 1 : SHORT_WINDOWS
  const lengthMs = ms * times
  const open = (max - kept) * times
  const keySlots = Math.max(1, Math.min(Math.ceil(max * times * KEYS_PART), Math.floor((open - 1) / 2)))
  const ahead = Math.min(LENT_MS, lengthMs / 4)
  const part = (slots: number, paceMs: number): ClassPart => ({
    slots,
    paceMs,
    // A class with more slots than its rate needs can lend the rest.
    aheadMs: ahead + slots * paceMs - lengthMs,
    used: 0,
    usedByOwn: 0,
    calls: new Map(),
    refilledAt: { all: 0, own: 0 },
    waiting: null,
  })
  const ofKeys = Math.max(lengthMs / keySlots, lengthMs / (max * times * KEYS_PART))
  const rest = Math.max(1, open - 2 * keySlots)
  return {
    lengthMs,
    parts: {
      anonymous: part(rest, lengthMs / rest),
      selfServe: part(keySlots, ofKeys),
      enterprise: part(keySlots, ofKeys),
    } satisfies Record<Tier, ClassPart>,
  }
}

/** `from`: when it began to use its slot, which for a call that waited is before it was made. */
type Call = Readonly<{ user: CallUser; groups: readonly Group[]; slot: Tier; at: number; from: number }>

/** Records calls in the parts of their classes, until they are older than the window or the clock is set back. */
const createBook = (parts: Readonly<Record<Tier, ClassPart>>, lengthMs: number, clock: Clock) => {
  const calls: Call[] = []
  const count = ({ user, groups, slot }: Call, by: 1 | -1) => {
    const part = parts[slot]
    part.used += by
    if (slot !== user.tier) return
    part.usedByOwn += by
    for (const { name } of groups) {
      const left = (part.calls.get(name) ?? 0) + by
      if (left > 0) part.calls.set(name, left)
      else part.calls.delete(name)
    }
  }
  const forget = (call: Call | undefined) => call && count(call, -1)
  return {
    drop: () => {
      const now = clock.now()
      while ((calls[0]?.from ?? now) <= now - lengthMs) forget(calls.shift())
      while ((calls.at(-1)?.at ?? now) > now) forget(calls.pop())
    },
    /** Whether the last `ms` have this many calls, or more. */
    hasIn: (ms: number, many: number): boolean =>
      many < 1 || (calls.at(-many)?.at ?? Number.NEGATIVE_INFINITY) > clock.now() - ms,
    add: (call: Call) => {
      calls.push(call)
      count(call, 1)
    },
    removeLast: (user: CallUser) => {
      const at = calls.findLastIndex((call) => call.user === user)
      const [call] = at < 0 ? [] : calls.splice(at, 1)
      if (!call) return
      count(call, -1)
      const { refilledAt, paceMs } = parts[call.slot]
      refilledAt.all -= paceMs
      if (call.slot === user.tier) refilledAt.own -= paceMs
    },
  }
}

/** When the class is refilled, as it is seen now; a time before `since` does not count. */
const refillOf = ({ used, refilledAt, slots, paceMs }: ClassPart, by: 'all' | 'own', now: number, since = now): number =>
  used === 0 ? since : Math.max(since, Math.min(refilledAt[by], now + slots * paceMs))

const isWithinPart = ({ slots, usedByOwn, calls }: ClassPart, groups: readonly Group[]): boolean =>
  groups.every(({ name, part }) => {
    const own = calls.get(name) ?? 0
    return own < Math.max(1, Math.floor(part * (slots - (usedByOwn - own))))
  })

/** Whether the class's own callers may use a free slot. A caller beyond its part continues at the rate of the class. */
const isOpenTo = (part: ClassPart, groups: readonly Group[], now: number): boolean =>
  isWithinPart(part, groups) || refillOf(part, 'own', now) - now + part.paceMs <= Math.max(part.aheadMs, part.paceMs)

const lends = (part: ClassPart, now: number): boolean =>
  part.used < part.slots - 1 && refillOf(part, 'all', now) - now + part.paceMs <= part.aheadMs

const callsOf = ({ calls }: ClassPart, groups: readonly Group[]): number =>
  Math.max(...groups.map(({ name }) => calls.get(name) ?? 0))

const waitingIn = ({ waiting }: ClassPart, now: number) =>
  waiting !== null && waiting.since <= now && now <= waiting.since + AHEAD_MS ? waiting : null

/** Creates a window. A class lends what refills within 5 seconds, and leaves a slot to its own callers. */
export const createCallWindow = (rules: WindowRules, clock: Clock): CallWindow => {
  const { parts, lengthMs } = createParts(rules)
  const open = rules.max - rules.kept
  const book = createBook(parts, lengthMs, clock)

  const findSlot = ({ tier }: CallUser, groups: readonly Group[], now: number): Tier | null => {
    book.drop()
    if (book.hasIn(rules.ms, open)) return null
    if (parts[tier].used < parts[tier].slots && isOpenTo(parts[tier], groups, now)) return tier
    if (book.hasIn(rules.ms, open - 1)) return null
    return TIERS.find((from) => from !== tier && lends(parts[from], now)) ?? null
  }

  /** Whether there is room beside the classes that wait longer for a call of their own. */
  const isTurnOf = (own: ClassPart, now: number): boolean => {
    const sinceOf = (part: ClassPart): number => waitingIn(part, now)?.since ?? Number.POSITIVE_INFINITY
    const before = Object.values(parts).filter(
      (part) => part.used < part.slots && part.waiting?.isDue && sinceOf(part) < sinceOf(own),
    )
    return !book.hasIn(rules.ms, open - before.length)
  }

  return {
    hasRoom: (user) => {
      const [groups, own, now] = [groupsOf(user), parts[user.tier], clock.now()]
      if (findSlot(user, groups, now) === null || !isTurnOf(own, now)) return false
      return callsOf(own, groups) <= (waitingIn(own, now)?.calls ?? Number.POSITIVE_INFINITY)
    },
    add: (user, isMore = false) => {
      const [groups, own, now] = [groupsOf(user), parts[user.tier], clock.now()]
      const slot = findSlot(user, groups, now) ?? (isMore ? user.tier : null)
      if (slot === null) return
      const waited = waitingIn(own, now)
      const isNext = waited !== null && callsOf(own, groups) <= waited.calls
      // What others of the same second delay does not delay the class's next call too.
      const from = isNext ? Math.max(waited.since, now - (lengthMs - rules.ms)) : now
      if (isNext) own.waiting = null
      const part = parts[slot]
      for (const by of ['all', 'own'] as const)
        if (by === 'all' || part === own) part.refilledAt[by] = refillOf(part, by, now, from) + part.paceMs
      book.add({ user, groups, slot, at: now, from })
    },
    open,
    hasRoomFor: ({ tier }, more) => {
      book.drop()
      return !book.hasIn(rules.ms, open - more + 1) && isTurnOf(parts[tier], clock.now())
    },
    takeBack: (user) => book.removeLast(user),
    refuse: (user) => {
      const [groups, own, now] = [groupsOf(user), parts[user.tier], clock.now()]
      const calls = callsOf(own, groups)
      const waited = waitingIn(own, now)
      if (waited !== null && waited.calls < calls) return
      const name = groups[0]?.name ?? ''
      // A caller has fewer calls as they leave the window, and waits since it was first refused.
      const since = waited !== null && (waited.name === name || waited.calls === calls) ? waited.since : now
      own.waiting = { name, calls, since, isDue: isOpenTo(own, groups, now) }
    },
  }
}
