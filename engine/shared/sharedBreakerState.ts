import { type BreakerState, createMemoryBreakerState, isOfAll } from '../net/breakerState.ts'
import type { Alias } from './alias.ts'
import { createExchange } from './exchange.ts'
import type { SharedStandings } from './sharedStandings.ts'

export type SharedBreakerState = BreakerState & {
  /** Tells the others what was changed here, and learns what was changed there. Never rejects. */
  exchange(): Promise<void>
  /** Does so again and again, until it is closed. */
  start(): void
  close(): void
}

/** So old is what is known of the others at most, but for the way. */
const EXCHANGE_MS = 250
const ALIASES_MAX = 10_000

/** The same aliases, made once while they are in use. */
const remembered = (alias: Alias): Alias => {
  const aliases = new Map<string, string>()
  return (client) => {
    const found = aliases.get(client)
    if (found !== undefined) return found
    if (aliases.size >= ALIASES_MAX) aliases.clear()
    const made = alias(client)
    aliases.set(client, made)
    return made
  }
}

/**
 * What all clients met, known to all processes: each goes by a copy of its own, and by that alone where nothing can be exchanged.
 * What one client met stays here. Whether another process tries an open breaker just now is not known: each makes its own try.
 */
export const createSharedBreakerState = (
  standings: SharedStandings,
  alias: Alias,
  now: () => number = () => performance.now(),
): SharedBreakerState => {
  const copy = createMemoryBreakerState()
  const shared = createExchange(standings, copy, now)
  const watchers: (() => void)[] = []
  let underWay: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const exchange = (): Promise<void> => {
    underWay = underWay.then(async () => {
      if (await shared.exchange()) for (const tell of watchers) tell()
    })
    return underWay
  }

  const keep = (): void => {
    timer = setTimeout(async () => {
      await exchange()
      if (timer !== undefined) keep()
    }, EXCHANGE_MS).unref()
  }

  return {
    isShared: true,
    alias: remembered(alias),
    get: copy.get,
    set: (key, standing) => {
      copy.set(key, standing)
      if (isOfAll(key)) shared.changed(key)
    },
    watch: (onChange) => void watchers.push(onChange),
    exchange,
    start: keep,
    close: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
