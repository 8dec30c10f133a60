import type { ObserveRequest } from '../observe/observe.ts'
import { StoreError } from './storeError.ts'

/** Runs a write that the response does not depend on. A StoreError is logged, and `fallback` replaces the result. */
export const recordedOr = async <T, F>(observe: ObserveRequest, fallback: F, write: () => Promise<T>): Promise<T | F> => {
  try {
    return await write()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    observe({ event: 'store.failed', reason, ...(!(error instanceof StoreError) && { isDefect: true }) })
    return fallback
  }
}
