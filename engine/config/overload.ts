import type { Reader } from './reader.ts'

/** How much is done at once. What comes beyond waits a moment, and is refused then. */
export type OverloadConfig = {
  /** Quotes under way at most. */
  readonly quotes: number
  /** Calls of execute, submit-signature and submit-transaction under way at most. */
  readonly executes: number
  readonly statuses: number
  /** How many of each kind wait for a place at most; 0: nobody waits. */
  readonly waiting: number
  readonly waitMs: number
}

/** Measured: see `npm run bench -- --only overload`. */
export const readOverload = (reader: Reader): OverloadConfig => {
  const most = { min: 1, max: 100_000 }
  return {
    quotes: reader.integer('OVERLOAD_QUOTES_MAX', 96, most),
    executes: reader.integer('OVERLOAD_EXECUTES_MAX', 64, most),
    statuses: reader.integer('OVERLOAD_STATUSES_MAX', 128, most),
    waiting: reader.integer('OVERLOAD_WAITING_MAX', 1_000, { min: 0, max: 10_000 }),
    waitMs: reader.integer('OVERLOAD_WAIT_MS', 100, { min: 1, max: 10_000 }),
  }
}
