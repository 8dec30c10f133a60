import type { Secret } from '../core/secret.ts'
import type { SharedCounts } from '../core/sharedCounts.ts'
import type { BreakerState } from '../net/breakerState.ts'
import type { Observe } from '../observe/observe.ts'
import { type Alias, createAlias } from './alias.ts'
import { createRedisCounts } from './redisCounts.ts'
import { openRedisLink } from './redisLink.ts'
import { createRedisStandings } from './redisStandings.ts'
import { createSharedBreakerState } from './sharedBreakerState.ts'
import type { SharedStandings } from './sharedStandings.ts'

/** What instances know together. */
export type Shared = {
  readonly counts: SharedCounts
  readonly breakers: BreakerState
  close(): void
}

/** Of whatever carries it between processes. */
export const shareBy = async (
  counts: SharedCounts,
  standings: SharedStandings,
  alias: Alias,
  close: () => void,
): Promise<Shared> => {
  const breakers = createSharedBreakerState(standings, alias)
  await breakers.exchange()
  breakers.start()
  return {
    counts,
    breakers,
    close: () => {
      breakers.close()
      close()
    },
  }
}

export type SharedParts = {
  readonly url: Secret
  readonly keyPrefix: string
  /** One that all instances have. */
  readonly key: Secret
  readonly observe: Observe
  /** How long a Redis that was lost is left alone. */
  readonly pauseMs?: number
}

/** By Redis. Takes at most a second or two, and never rejects: Redis may come later. */
export const openShared = async ({ key, ...rest }: SharedParts): Promise<Shared> => {
  const link = await openRedisLink(rest)
  const alias = createAlias(key)
  return shareBy(createRedisCounts(link, alias), createRedisStandings(link), alias, link.close)
}
