import { pause } from '../net/pause.ts'
import { isLocked, StoreError, toStoreError } from './storeError.ts'

/** How long a statement waits for a lock, and between two tries: at first, and at most. */
export const PATIENCE_MS = 2_000
const PAUSE_MS = 5
const PAUSE_MS_MAX = 100

/** Work that another process's lock makes fail is tried again, until there is none or patience ends. */
export const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let [waitedMs, pauseMs] = [0, PAUSE_MS]; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    try {
      return await work()
    } catch (error) {
      if (!isLocked(error) || waitedMs >= PATIENCE_MS) throw toStoreError(error)
    }
    await pause(pauseMs)
    waitedMs += pauseMs
  }
}

/** Waits for something of this process, no longer than for another process's lock. */
export const awaitPatiently = async (event: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StoreError('the store failed: a transaction keeps the database locked')), PATIENCE_MS)
  })
  try {
    await Promise.race([event, tooLong])
  } finally {
    clearTimeout(timer)
  }
}
