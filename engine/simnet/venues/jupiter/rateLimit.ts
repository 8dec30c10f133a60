import { BoundedMap } from '../../kit/boundedMap.ts'
import { refuseIf } from '../../kit/refusal.ts'
import type { SimClock } from '../../kit/world.ts'

/** What a window takes without a key, and with one of the largest plan. dev.jup.ag/portal/rate-limit */
const MOST = { keyless: 30, keyed: 9_000 } as const
const WINDOW_MS = 60_000

/** Counts the calls of each key over the last minute, and refuses those beyond its plan as the gateway does. */
export const createRateLimit = (clock: SimClock): ((key: string | null) => void) => {
  const asked = new BoundedMap<string, readonly number[]>()
  return (key) => {
    const now = clock.now()
    const most = key === null ? MOST.keyless : MOST.keyed
    const before = (asked.get(key ?? '') ?? []).filter((at) => at > now - WINDOW_MS)
    const headers = {
      date: new Date(now).toUTCString(),
      'x-ratelimit-remaining': String(most - before.length - 1),
      'x-ratelimit-current': String(before.length + 1),
      'x-ratelimit-reset': String(Math.ceil(((before[0] ?? now) + WINDOW_MS) / 1_000)),
    }
    refuseIf(before.length >= most, null, '[API Gateway] Too many requests', { status: 429, headers })
    asked.set(key ?? '', [...before, now])
  }
}
