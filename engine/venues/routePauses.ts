import type { ChainId } from '../core/chain.ts'

type Standing = { readonly clients: readonly string[]; readonly pausedUntil: number; readonly pauses: number }

const REJECTIONS_MAX = 5
const PAUSE_MS = 15_000
const PAUSE_MS_MAX = 10 * 60_000
/** Clients whose own rejections are remembered. */
const KEYS_MAX = 5_000

const NONE: Standing = { clients: [], pausedUntil: 0, pauses: 0 }

/**
 * Pauses quotes of one route of a venue, from chain to chain, after 5 rejected executions in a row. It pauses the client that met
 * them, or all clients once 5 clients did. A pause ends by time and doubles until an execution is proved: 15 s to 10 minutes.
 * `now`: ms, never running backwards.
 */
export const createRoutePauses = (now: () => number) => {
  const standings = new Map<string, Standing>()
  const keysOf = (input: ChainId, output: ChainId, client: string): readonly string[] => [
    `${input} ${output}`,
    `${input} ${output} ${client}`,
  ]
  const count = (key: string, client: string, isOncePerClient: boolean): void => {
    const { clients, pausedUntil, pauses } = standings.get(key) ?? NONE
    const met = isOncePerClient && clients.includes(client) ? clients : [...clients, client]
    const isPaused = met.length >= REJECTIONS_MAX
    const until = now() + Math.min(PAUSE_MS * 2 ** pauses, PAUSE_MS_MAX)
    standings.delete(key)
    standings.set(key, isPaused ? { clients: [], pausedUntil: until, pauses: pauses + 1 } : { clients: met, pausedUntil, pauses })
    const [oldest] = standings.keys()
    if (standings.size > KEYS_MAX && oldest !== undefined) standings.delete(oldest)
  }
  return {
    isPaused: (input: ChainId, output: ChainId, client: string): boolean =>
      keysOf(input, output, client).some((key) => (standings.get(key)?.pausedUntil ?? 0) > now()),
    rejected: (input: ChainId, output: ChainId, client: string): void => {
      for (const [at, key] of keysOf(input, output, client).entries()) count(key, client, at === 0)
    },
    proved: (input: ChainId, output: ChainId, client: string): void => {
      for (const key of keysOf(input, output, client)) standings.delete(key)
    },
  }
}

export type RoutePauses = ReturnType<typeof createRoutePauses>
