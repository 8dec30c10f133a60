import { randomUUID } from 'node:crypto'
import type { SharedCounts } from '../../engine/core/sharedCounts.ts'
import { EdgeError } from './edgeError.ts'
import type { RateCounter } from './rateCounter.ts'

/** The most concurrent calls of one payer, and the most a minute without a charge. */
const PER_PAYER = 10
/** The least limit of concurrent calls of one address. */
const AT_ONCE_MIN = 120
/** A concurrent call ends soon. */
const SOON_SECONDS = 1

/** Releases the slot. A call that ended without a charge stays counted for the minute. */
export type Leave = (isCharged: boolean) => Promise<void>

/**
 * Limits of payment verifications. A call without a charge costs a verification, and perhaps a race. An address may make as many
 * a minute as its anonymous limit, and a payer ten. Concurrent calls count too: ten for a payer, and for an address 120, or its
 * limit where that is more.
 */
export type PaymentRooms = {
  /** Throws RATE_LIMITED at the limit. Returns the function that ends the call. */
  readonly enterAddress: (address: string, perMinute: number) => Promise<Leave>
  /** Throws RATE_LIMITED at the limit. */
  readonly lookPayer: (payer: string) => Promise<void>
  /** The same, and takes a slot. Unproved payments take no slot of a payer. */
  readonly enterPayer: (payer: string) => Promise<Leave>
}

const full = (what: string, limit: number, retryAfterSec: number): EdgeError =>
  new EdgeError(
    429,
    'RATE_LIMITED',
    `Too many paid calls of this ${what} are under way, or ended without a charge: at most ${limit}.`,
    {
      details: { retryAfterSec },
    },
  )

/** `limit`: calls a minute that end without a charge. `atOnce`: these and the calls under way. */
type Room = { readonly key: string; readonly what: string; readonly limit: number; readonly atOnce: number }

/** Limits within this process, and across all processes where they share counts. */
export const createPaymentRooms = (counter: RateCounter, shared: SharedCounts | null): PaymentRooms => {
  const underWay = new Map<string, number>()

  const leave = (key: string): void => {
    const left = (underWay.get(key) ?? 1) - 1
    if (left === 0) underWay.delete(key)
    else underWay.set(key, left)
  }

  /** Checks and takes a slot in the same turn of the event loop: two concurrent calls never get the same one. */
  const check = async <T>({ key, what, limit, atOnce }: Room, taking: () => T): Promise<T> => {
    const { requests, msLeft } = await counter.look(key)
    if (requests >= limit) throw full(what, limit, Math.max(1, Math.ceil(msLeft / 1000)))
    if (requests + (underWay.get(key) ?? 0) >= atOnce) throw full(what, atOnce, SOON_SECONDS)
    return taking()
  }

  const enter = async (room: Room): Promise<Leave> => {
    const { key, what, atOnce } = room
    await check(room, () => underWay.set(key, (underWay.get(key) ?? 0) + 1))
    const member = randomUUID()
    if ((await shared?.enter(key, member, atOnce)) === false) {
      leave(key)
      throw full(what, atOnce, SOON_SECONDS)
    }
    return async (isCharged) => {
      leave(key)
      // Counted first: a concurrent check then sees at least one of both.
      if (!isCharged) await counter.count(key)
      await shared?.leave(key, member)
    }
  }

  const ofPayer = (payer: string): Room => ({ key: `payer ${payer}`, what: 'payer', limit: PER_PAYER, atOnce: PER_PAYER })
  return {
    enterAddress: (address, limit) =>
      enter({ key: `uncharged ${address}`, what: 'address', limit, atOnce: Math.max(AT_ONCE_MIN, limit) }),
    lookPayer: (payer) => check(ofPayer(payer), () => undefined),
    enterPayer: (payer) => enter(ofPayer(payer)),
  }
}
