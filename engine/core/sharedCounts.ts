/** The requests of one caller in the minute that the first of them began. */
export type Counted = {
  /** Less those that were given back. */
  readonly requests: number
  /** With those that were given back. */
  readonly all: number
  readonly msLeft: number
}

/**
 * What several processes count together. Null wherever that cannot be said now, or not soon enough: each goes by its own count
 * then. Nothing here rejects.
 */
export interface SharedCounts {
  /**
   * Counts a request, and tells how many there are with it. `known`: what is known here of this minute; where it was forgotten they
   * go on from there.
   */
  count(key: string, known: Counted | null): Promise<Counted | null>
  look(key: string): Promise<Counted | null>
  /** Gives back one counted request. Returns how many were given back in this minute; 0 where all of them were already. */
  giveBack(key: string): Promise<number | null>
  /**
   * Lets `member` in where those inside and what was counted under this key come to less than `limit`. False: there is no room.
   * Whoever dies inside is put out in time.
   */
  enter(key: string, member: string, limit: number): Promise<boolean | null>
  leave(key: string, member: string): Promise<void>
}
