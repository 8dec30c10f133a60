/** What a breaker has recorded in one scope. Plain data, so that any store can hold it. */
export type Standing = {
  /** The clients with failures in a row, by kind of call; `cut` and `keyRefused` are rows of their own. */
  readonly rows: { readonly [row: string]: readonly string[] }
  /** Calls that began before the last one that was counted are of the same burst. Ms of the breaker's clock. */
  readonly countedAt: number
  /** Null: closed. Else open, and from then on one call may try, ms of the breaker's clock. */
  readonly restsUntil: number | null
}

/** Where breakers store their state. Answers at once: a state that processes share is read from a local copy. */
export interface BreakerState {
  /** Whether other processes read this state. */
  readonly isShared: boolean
  /** The alias of a client in this state. */
  alias(client: string): string
  get(key: string): Standing | null
  /** Null: no trouble, nothing is stored. */
  set(key: string, standing: Standing | null): void
  /** Reads the state of all clients of this far side, and calls back whenever another process may have changed something. */
  watch(name: string, onChange: () => void): void
}

/** Keys of the state of one client, of all clients (each counted once), and of the last calls for the record. */
export const ownKey = (name: string, client: string): string => `${name} of ${client}`
export const everyoneKey = (name: string): string => `${name} all`
export const recordKey = (name: string): string => `${name} record`
/** The last results of calls, see `sharedResults.ts`. */
export const shareKey = (name: string): string => `${name} share`
/** The keys that processes share of one far side. */
export const sharedKeys = (name: string): readonly string[] => [everyoneKey(name), recordKey(name), shareKey(name)]
export const isShareKey = (key: string): boolean => key.endsWith(' share')

/** Whether the key is about all clients. Names of far sides have no blanks. */
export const isOfAll = (key: string): boolean => /^\S+ (all|record|share)$/.test(key)

/** In this process. Beyond `keysMax` keys, the key that was not touched for longest is removed. */
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
