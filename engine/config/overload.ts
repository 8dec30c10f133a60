import type { Reader } from './reader.ts'

/** Limits of concurrent work. Excess requests wait briefly, and are then refused. */
export type OverloadConfig = {
  /** Concurrent quotes. */
  readonly quotes: number
  /** Concurrent calls of execute, submit-signature and submit-transaction. */
  readonly executes: number
  readonly statuses: number
  /** Waiting requests of each kind; 0: no queue. */
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
