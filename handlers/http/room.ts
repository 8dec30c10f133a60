import type { Leaving } from './leaving.ts'
import { createRetryAfter } from './retryAfter.ts'

/** Releases the slot; a repeated call has no effect. */
export type Leave = () => void

/** The result of a request for a slot. `refused`: retry after so many seconds. `gone`: the caller left. */
export type Entry =
  | { readonly entry: 'place'; readonly leave: Leave }
  | { readonly entry: 'refused'; readonly retryAfterSec: number }
  | { readonly entry: 'gone' }

export type RoomBounds = {
  /** The number of slots. */
  readonly max: number
  /** The most slots of one caller; absent: all. */
  readonly ofOne?: number
  /** The most waiting requests. */
  readonly waitingMax: number
  readonly waitMs: number
}

export type RoomStanding = { readonly underWay: number; readonly waiting: number; readonly max: number }

/** A limit of concurrent requests, with a short queue. */
export interface Room {
  readonly standing: RoomStanding
  /** `who`: requests with the same value share slots and turns. */
  enter(who: string, leaving: Leaving): Entry | Promise<Entry>
}

export type RoomPorts = {
  /** In [0, 1). */
  readonly random: () => number
  /** Ms, never running backwards. */
  readonly now: () => number
  readonly onRefused: (standing: RoomStanding) => void
}

type Waiter = { readonly who: string; readonly settle: (entry: Entry) => void }

const GONE: Entry = { entry: 'gone' }

/** The queue: one of each client in turn, and first come, first served within a client. */
const createQueue = () => {
  /** The client whose turn is next comes first. */
  const crowds = new Map<string, Set<Waiter>>()
  let size = 0

  return {
    get size() {
      return size
    },
    /** The next waiter that may have a slot. */
    next: (mayHave: (who: string) => boolean): Waiter | undefined => {
      for (const [who, [first]] of crowds) if (mayHave(who)) return first
      return undefined
    },
    add: (waiter: Waiter): void => {
      const crowd = crowds.get(waiter.who)
      if (crowd) crowd.add(waiter)
      else crowds.set(waiter.who, new Set([waiter]))
      size += 1
    },
    remove: (waiter: Waiter, hasHadTurn: boolean): void => {
      const crowd = crowds.get(waiter.who)
      if (!crowd?.delete(waiter)) return
      size -= 1
      if (crowd.size === 0) crowds.delete(waiter.who)
      else if (hasHadTurn) {
        crowds.delete(waiter.who)
        crowds.set(waiter.who, crowd)
      }
    },
    /** The last waiter of the largest client, if that client stays at least as large as `who` with one more. */
    outnumbering: (who: string): Waiter | undefined => {
      let most = (crowds.get(who)?.size ?? 0) + 1
      let largest: Set<Waiter> | null = null
      for (const crowd of crowds.values()) if (crowd.size > most) [most, largest] = [crowd.size, crowd]
      return largest ? [...largest].at(-1) : undefined
    },
  }
}

/**
 * A separate limit for each kind of request, so that a flood of one does not block the others. Addresses take turns, and a full
 * queue evicts a waiter of the largest address: no address can exclude the others. `ofOne` bounds the slots that one address
 * holds, even for a long time.
 */
export const createRoom = ({ max, ofOne = max, waitingMax, waitMs }: RoomBounds, { random, now, onRefused }: RoomPorts): Room => {
  const queue = createQueue()
  const retryAfter = createRetryAfter(now, random)
  const held = new Map<string, number>()
  let underWay = 0

  const standing = (): RoomStanding => ({ underWay, waiting: queue.size, max })

  const refuse = (): Entry => {
    retryAfter.refused()
    onRefused(standing())
    return { entry: 'refused', retryAfterSec: retryAfter.seconds() }
  }

  const mayHave = (who: string): boolean => (held.get(who) ?? 0) < ofOne

  const hold = (who: string, more: 1 | -1): void => {
    underWay += more
    const places = (held.get(who) ?? 0) + more
    if (places === 0) held.delete(who)
    else held.set(who, places)
  }

  const take = (who: string): Entry => {
    hold(who, 1)
    let hasLeft = false
    return {
      entry: 'place',
      leave: () => {
        if (hasLeft) return
        hasLeft = true
        hold(who, -1)
        retryAfter.served()
        const next = queue.next(mayHave)
        next?.settle(take(next.who))
      },
    }
  }

  const wait = (who: string, signal: AbortSignal): Promise<Entry> =>
    new Promise((resolve) => {
      const settle = (entry: Entry) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', go)
        queue.remove(waiter, entry.entry === 'place')
        resolve(entry)
      }
      const go = () => settle(GONE)
      const timer = setTimeout(() => settle(refuse()), waitMs)
      const waiter: Waiter = { who, settle }
      queue.add(waiter)
      signal.addEventListener('abort', go, { once: true })
    })

  return {
    get standing() {
      return standing()
    },
    enter: (who, leaving) => {
      if (underWay < max && mayHave(who)) return take(who)
      if (queue.size >= waitingMax) {
        const one = queue.outnumbering(who)
        if (!one) return refuse()
        one.settle(refuse())
      }
      const signal = leaving()
      return signal.aborted ? GONE : wait(who, signal)
    },
  }
}
