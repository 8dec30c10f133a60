/** What is known of one far side in one respect. Plain data, so that it may be kept anywhere. */
export type Standing = {
  /** Who met trouble, in a row, by what they asked for; `cut` and `keyRefused` are rows of their own. */
  readonly rows: { readonly [row: string]: readonly string[] }
  /** Calls that began before the last one that was counted are of the same burst. Ms of the breaker's clock. */
  readonly countedAt: number
  /** Null: closed. Else open, and from then on one call may try, ms of the breaker's clock. */
  readonly restsUntil: number | null
}

/** Where breakers keep what they know. Answers at once: one that is shared by processes reads from a copy of its own. */
export interface BreakerState {
  /** Whether other processes read this state. */
  readonly isShared: boolean
  /** What a client is called in it. */
  alias(client: string): string
  get(key: string): Standing | null
  /** Null: all is well, nothing to keep. */
  set(key: string, standing: Standing | null): void
  /** Calls back whenever another process may have changed something. */
  watch(onChange: () => void): void
}

/** What one client met; what all did, each counted once; and what the last calls met, for the record. */
export const ownKey = (name: string, client: string): string => `${name} of ${client}`
export const everyoneKey = (name: string): string => `${name} all`
export const recordKey = (name: string): string => `${name} record`
/** The last results of calls, see `sharedResults.ts`. */
export const shareKey = (name: string): string => `${name} share`
export const isShareKey = (key: string): boolean => key.endsWith(' share')

/** Whether it is about all clients. Names of far sides have no blanks. */
export const isOfAll = (key: string): boolean => /^\S+ (all|record|share)$/.test(key)

/** In this process. What was not touched for longest goes first, where there is more than `keysMax`. */
export const createMemoryBreakerState = (keysMax = 10_000): BreakerState => {
  const standings = new Map<string, Standing>()
  return {
    isShared: false,
    alias: (client) => client,
    get: (key) => standings.get(key) ?? null,
    set: (key, standing) => {
      standings.delete(key)
      if (standing) standings.set(key, standing)
      const [oldest] = standings.keys()
      if (standings.size > keysMax && oldest !== undefined) standings.delete(oldest)
    },
    watch: () => undefined,
  }
}
