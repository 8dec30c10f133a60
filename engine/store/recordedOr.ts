import type { ObserveRequest } from '../observe/observe.ts'
import { StoreError } from './storeError.ts'

/**
 * A write that what is told does not depend on: it is true whether or not it can be recorded, and a disk in trouble must
 * not hide it. Trouble is told to the log, and `fallback` stands in.
 */
export const recordedOr = async <T, F>(observe: ObserveRequest, fallback: F, write: () => Promise<T>): Promise<T | F> => {
  try {
    return await write()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    observe({ event: 'store.failed', reason, ...(!(error instanceof StoreError) && { isDefect: true }) })
    return fallback
  }
}
