import type { ChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Observe } from '../../observe/observe.ts'
import { type ChainClock, createChainClock } from './chainClock.ts'
import { createHeadLag } from './headLag.ts'

/** One attempt at an endpoint. An abandoned attempt, or one that shows nothing about the endpoint, reports neither. */
export interface EndpointTry {
  answered(): void
  /** `reason` goes to the log. */
  failed(reason: string): void
  /** The time of its newest block, epoch ms; a height of Bitcoin as a time. `time`: by Bitcoin's block times. True: it lags. */
  sawHead(at: number, time?: number): boolean
}

/** Which endpoints of one chain to read first. An endpoint is identified by its position in the order of preference, from 0. */
export interface ChainHealth {
  /**
   * All positions in the order to read them: healthy ones as preferred, then those that lag, then the failed ones, soonest back
   * first. `isHead`: for the newest block.
   */
  order(count: number, isHead?: boolean): readonly number[]
  /** Whether an endpoint neither failed nor lags; true for one that is to be examined again by its newest block. */
  isWell(position: number): boolean
  /** The endpoint is alone in showing a payment that all others lack, or in lacking it. */
  contradicts(position: number): void
  /** Call it in the same turn as `order`: of those who come back to a failed endpoint together, one goes first. */
  begin(position: number): EndpointTry
}

export type EndpointHealth = ((chainId: ChainId) => ChainHealth) & { readonly chainClock: ChainClock }

/** How long a failed endpoint is read last, ms: doubled with each failure in a row. */
const COOLING = { firstMs: 5_000, longestMs: 60_000 } as const

type State = { failures: number; coolsUntil: number; countedAt: number }

const createChainHealth = (chainId: ChainId, clock: Clock, observe: Observe, chainClock: ChainClock): ChainHealth => {
  const states = new Map<number, State>()
  /** Counts attempts and failures, to order them in time. */
  let turn = 0
  /** How many endpoints the chain has, as last reported. */
  let endpoints = 1

  const stateOf = (position: number): State => {
    const state = states.get(position) ?? { failures: 0, coolsUntil: 0, countedAt: 0 }
    states.set(position, state)
    return state
  }
  /** False after a clock that was set back. */
  const isCooling = (position: number): boolean => {
    const leftMs = (states.get(position)?.coolsUntil ?? 0) - clock.now()
    return leftMs > 0 && leftMs <= COOLING.longestMs
  }
  const coolFor = (state: State, ms: number): void => {
    state.coolsUntil = clock.now() + Math.min(ms, COOLING.longestMs)
  }
  const say = (position: number, healthy: boolean, reason: string | null): void =>
    observe({ event: 'chain.health', chainId, endpoint: position + 1, endpoints, healthy, reason })
  const lag = createHeadLag(chainId, clock, ({ position, ...rest }) =>
    observe({ event: 'chain.lag', chainId, endpoint: position + 1, endpoints, ...rest }),
  )

  return {
    order: (count, isHead = false) => {
      endpoints = count
      const ranks = Array.from({ length: count }, (_none, position) => {
        return isCooling(position) ? (states.get(position)?.coolsUntil ?? 0) : Number(lag.isLast(position, isHead))
      })
      return [...ranks.keys()].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0))
    },
    isWell: (position) => !isCooling(position) && !lag.isLast(position, true),
    contradicts: (position) => observe({ event: 'chain.contradicted', chainId, endpoint: position + 1, endpoints }),
    begin: (position) => {
      const state = stateOf(position)
      turn += 1
      const startedAt = turn
      // The first attempt after the rest is the trial for all: until its result, other reads prefer other endpoints.
      if (state.failures > 0 && !isCooling(position)) coolFor(state, COOLING.firstMs)
      return {
        answered: () => {
          if (state.failures > 0) say(position, true, null)
          state.failures = 0
          state.coolsUntil = 0
        },
        failed: (reason) => {
          // Calls that were under way together met the same trouble: it counts once.
          if (startedAt < state.countedAt) return
          turn += 1
          state.countedAt = turn
          state.failures += 1
          coolFor(state, COOLING.firstMs * 2 ** (state.failures - 1))
          if (state.failures === 1) say(position, false, reason)
        },
        sawHead: (at, time) => {
          chainClock.saw(chainId, position, at)
          return lag.saw(position, at, endpoints, time)
        },
      }
    },
  }
}

/**
 * Remembers which endpoints failed lately, for all who read the chains: make one, and share it. It only changes the order. An
 * endpoint is never left out, so a chain stays readable even when an attacker makes its endpoints look unhealthy.
 */
export const createEndpointHealth = ({
  clock,
  observe = () => undefined,
}: {
  readonly clock: Clock
  readonly observe?: Observe
}): EndpointHealth => {
  const chains = new Map<ChainId, ChainHealth>()
  const chainClock = createChainClock(clock)
  const of = (chainId: ChainId): ChainHealth => {
    const health = chains.get(chainId) ?? createChainHealth(chainId, clock, observe, chainClock)
    chains.set(chainId, health)
    return health
  }
  return Object.assign(of, { chainClock })
}
