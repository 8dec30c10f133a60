import { EdgeError } from './edgeError.ts'
import type { RateCounter } from './rateCounter.ts'

/** How many calls of one payer may be under way, and how many a minute may end without a charge. */
const PER_PAYER = 10
/** A call that is under way ends soon. */
const SOON_SECONDS = 1

/** Gives room back, but for a call that ended without a charge. */
export type Leave = (isCharged: boolean) => Promise<void>

/**
 * Who may have a payment verified. What ends without a charge has cost us a verification, and perhaps a race: an address has its
 * anonymous limit of those a minute, and a payer ten. A call under way may end so, too, and takes room until it has.
 */
export type PaymentRooms = {
  /** Throws RATE_LIMITED where there is no room. Answers with how to leave it. */
  readonly enterAddress: (address: string, perMinute: number) => Promise<Leave>
  /** Throws RATE_LIMITED where there would be none. */
  readonly lookPayer: (payer: string) => Promise<void>
  /** The same, and takes it. Whose payments were not proven to be his takes none of his room. */
  readonly enterPayer: (payer: string) => Leave
}

const full = (what: string, limit: number, retryAfterSec: number): EdgeError =>
  new EdgeError(
    429,
    'RATE_LIMITED',
    `Too many paid calls of this ${what} are under way, or ended without a charge: at most ${limit}.`,
    {
      details: { retryAfterSec },
      headers: { 'retry-after': String(retryAfterSec) },
    },
  )

export const createPaymentRooms = (counter: RateCounter): PaymentRooms => {
  const underWay = new Map<string, number>()

  const take = (key: string): Leave => {
    underWay.set(key, (underWay.get(key) ?? 0) + 1)
    return async (isCharged) => {
      const left = (underWay.get(key) ?? 1) - 1
      if (left === 0) underWay.delete(key)
      else underWay.set(key, left)
      if (!isCharged) await counter.count(key)
    }
  }

  const check = async (key: string, what: string, limit: number): Promise<void> => {
    const { requests, msLeft } = await counter.look(key)
    if (requests >= limit) throw full(what, limit, Math.max(1, Math.ceil(msLeft / 1000)))
    if (requests + (underWay.get(key) ?? 0) >= limit) throw full(what, limit, SOON_SECONDS)
  }

  const addressKey = (address: string): string => `uncharged ${address}`
  const payerKey = (payer: string): string => `payer ${payer}`
  return {
    enterAddress: async (address, perMinute) => {
      await check(addressKey(address), 'address', perMinute)
      return take(addressKey(address))
    },
    lookPayer: (payer) => check(payerKey(payer), 'payer', PER_PAYER),
    enterPayer: (payer) => {
      if ((underWay.get(payerKey(payer)) ?? 0) >= PER_PAYER) throw full('payer', PER_PAYER, SOON_SECONDS)
      return take(payerKey(payer))
    },
  }
}
