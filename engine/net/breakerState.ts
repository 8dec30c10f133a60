/** What is known of one far side in one respect. Plain data, so that it may be kept anywhere. */
export type Standing = {
  /** Who met trouble, in a row, by what they asked for; `cut` and `keyRefused` are rows of their own. */
  readonly rows: { readonly [row: string]: readonly string[] }
  /** Calls that began before the last one that was counted are of the same burst. A number of this process. */
  readonly countedAt: number
  /** Null: closed. Else open, and from then on one call may try, ms of the breaker's clock. */
  readonly restsUntil: number | null
}

/** Where breakers keep what they know. Answers at once: one that is shared by processes reads from a copy of its own. */
export interface BreakerState {
  get(key: string): Standing | null
  /** Null: all is well, nothing to keep. */
  set(key: string, standing: Standing | null): void
}

/** In this process. What was not touched for longest goes first, where there is more than `keysMax`. */
export const createMemoryBreakerState = (keysMax = 10_000): BreakerState => {
  const standings = new Map<string, Standing>()
  return {
    get: (key) => standings.get(key) ?? null,
    set: (key, standing) => {
      standings.delete(key)
      if (standing) standings.set(key, standing)
      const [oldest] = standings.keys()
      if (standings.size > keysMax && oldest !== undefined) standings.delete(oldest)
    },
  }
}
