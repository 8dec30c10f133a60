import type { Caller } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import type { PartnerKind } from '../core/partner.ts'
import type { Partner } from '../store/partners.ts'
import type { StoreParts } from '../store/store.ts'
import { hashOf, isApiKey } from './apiKey.ts'

/** The holders of API keys. */
export interface KeyStore {
  /** Null for an unknown or revoked key. Rejects when the store fails, which is neither answer. */
  find(apiKey: string): Promise<Caller | null>
  /** Settings of a partner changed here: later requests use the new ones. */
  forget(partnerId: string): void
}

/** How long an answer is cached: the longest delay of changes by another process. */
export const KEY_KEPT_MS = 10_000

/** Bounds of cached keys: this many known ones, and this many unknown ones. Made-up keys never displace known ones. */
const KEPT_MAX = 10_000

/** For a partner without a limit of its own. */
export const REQUESTS_PER_MINUTE: { readonly [K in PartnerKind]: number } = { selfServe: 120, enterprise: 600 }

export const callerOf = ({ id, kind, feeBps, requestsPerMinute }: Partner): Caller => ({
  tier: kind,
  partnerId: id,
  feeBps,
  requestsPerMinute: requestsPerMinute ?? REQUESTS_PER_MINUTE[kind],
})

type Kept = { readonly caller: Caller | null; readonly readAt: number }

/** Finds keys by their hash, which no caller can choose: the time of a lookup reveals nothing about existing keys. */
export const createKeyStore = ({ apiKeys }: Pick<StoreParts, 'apiKeys'>, clock: Clock): KeyStore => {
  const held = new Map<string, Kept>()
  const nobodys = new Map<string, Kept>()
  const underWay = new Map<string, Promise<Caller | null>>()

  const fresh = (hash: string): Kept | null => {
    const kept = held.get(hash) ?? nobodys.get(hash)
    const ageMs = kept ? clock.now() - kept.readAt : -1
    return kept && ageMs >= 0 && ageMs < KEY_KEPT_MS ? kept : null
  }

  const keep = (hash: string, kept: Kept): void => {
    held.delete(hash)
    nobodys.delete(hash)
    const among = kept.caller ? held : nobodys
    among.set(hash, kept)
    const oldest = among.size > KEPT_MAX ? among.keys().next().value : undefined
    if (oldest !== undefined) among.delete(oldest)
  }

  const read = async (hash: string, readAt: number): Promise<Caller | null> => {
    const reading = apiKeys.holder(hash).then((partner) => (partner ? callerOf(partner) : null))
    underWay.set(hash, reading)
    try {
      const caller = await reading
      // A change during the read may be missing from the result.
      if (underWay.get(hash) === reading) keep(hash, { caller, readAt })
      return caller
    } finally {
      if (underWay.get(hash) === reading) underWay.delete(hash)
    }
  }

  return {
    find: async (apiKey) => {
      const hash = hashOf(apiKey)
      const kept = fresh(hash)
      if (kept) return kept.caller
      if (!isApiKey(apiKey)) return null
      return underWay.get(hash) ?? read(hash, clock.now())
    },
    forget: (partnerId) => {
      for (const [hash, { caller }] of held) if (caller?.partnerId === partnerId) held.delete(hash)
      underWay.clear()
    },
  }
}
