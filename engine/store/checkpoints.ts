import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/** The length at which the log is moved into the file, and how often its length is checked. */
export const LOG_BYTES = 4 * 1024 * 1024
const LOOK_MS = 250

/**
 * Moves the log into the file on a separate thread. SQLite would do it within a commit and block the process for the disk.
 * Returns a function that stops it.
 */
export const keepLogShort = (file: string): (() => Promise<void>) => {
  let worker: Worker | null = null
  let isBusy = false

  /** Started on demand: most stores never need it. */
  const start = (): Worker => {
    const started = new Worker(new URL('./checkpointWorker.ts', import.meta.url), { workerData: { file } })
    started.unref()
    started.on('message', () => {
      isBusy = false
    })
    // The next check starts another worker.
    const end = (): void => {
      if (worker === started) worker = null
      isBusy = false
    }
    started.on('error', end)
    started.on('exit', end)
    return started
  }

  const look = (): void => {
    if (isBusy || (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) <= LOG_BYTES) return
    isBusy = true
    worker ??= start()
    worker.postMessage('go')
  }

  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await worker?.terminate()
  }
}
