/** The requests of one caller in the minute since the first of them. */
export type Counted = {
  /** Without the returned ones. */
  readonly requests: number
  /** With the returned ones. */
  readonly all: number
  readonly msLeft: number
}

/**
 * Counts that several processes share. Null when the shared count is unavailable or late: each process then uses its own count.
 * Never rejects.
 */
export interface SharedCounts {
  /**
   * Counts a request and returns the total. `known`: this process's count of the minute, from which a lost shared count
   * continues.
   */
  count(key: string, known: Counted | null): Promise<Counted | null>
  look(key: string): Promise<Counted | null>
  /** Returns one counted request. Returns how many were returned in this minute; 0 where all of them were already. */
  giveBack(key: string): Promise<number | null>
  /**
   * Admits `member` when members and requests under this key are fewer than `limit`. False: the limit is reached. A crashed
   * member is removed in time.
   */
  enter(key: string, member: string, limit: number): Promise<boolean | null>
  leave(key: string, member: string): Promise<void>
}
