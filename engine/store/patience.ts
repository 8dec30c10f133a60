import { pause } from '../net/pause.ts'
import { isLocked, StoreError, toStoreError } from './storeError.ts'

/** How long a statement waits for a lock, and the first and longest pause between two tries. */
export const PATIENCE_MS = 2_000
const PAUSE_MS = 5
const PAUSE_MS_MAX = 100

/** Retries work while another process holds a lock, for at most PATIENCE_MS. */
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

/** Waits for an event of this process, for as long as for a lock. */
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
