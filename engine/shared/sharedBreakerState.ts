import { type BreakerState, createMemoryBreakerState, isOfAll } from '../net/breakerState.ts'
import type { Alias } from './alias.ts'
import { createExchange } from './exchange.ts'
import type { SharedStandings } from './sharedStandings.ts'

export type SharedBreakerState = BreakerState & {
  /** Writes local changes, and reads the changes of other processes. Never rejects. */
  exchange(): Promise<void>
  /** Repeats the exchange until it is closed. */
  start(): void
  close(): void
}

/** The interval of exchanges: the copy is older by the duration of an exchange at most. */
const EXCHANGE_MS = 250
const ALIASES_MAX = 10_000

/** Computes each alias once while it is in use. */
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
 * Shares the state of all clients between processes. Each process uses its own copy, also while no exchange works. The state of
 * one client stays here. Trials of an open breaker are not shared: each process makes its own.
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
    watch: (name, onChange) => {
      shared.follow(name)
      watchers.push(onChange)
    },
    exchange,
    start: keep,
    close: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
