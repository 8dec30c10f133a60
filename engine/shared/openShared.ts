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

/** The state that instances share. */
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
  /** The same key at all instances. */
  readonly key: Secret
  readonly observe: Observe
  /** Ms without a new attempt after a loss of Redis. */
  readonly pauseMs?: number
}

/** By Redis. Takes a second or two at most, and never rejects: Redis may start later. */
export const openShared = async ({ key, ...rest }: SharedParts): Promise<Shared> => {
  const link = await openRedisLink(rest)
  const alias = createAlias(key)
  return shareBy(createRedisCounts(link, alias), createRedisStandings(link), alias, link.close)
}
