import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/** How long a log may get before it is moved into the file, and how often it is looked at. */
export const LOG_BYTES = 4 * 1024 * 1024
const LOOK_MS = 250

/**
 * Moves what is in the log into the file, on a thread of its own: SQLite itself does that within a commit, and the process stands
 * still for as long as the disk takes. Answers with what ends that.
 */
export const keepLogShort = (file: string): (() => Promise<void>) => {
  let worker: Worker | null = null
  let isBusy = false

  /** Most stores never need it. */
  const start = (): Worker => {
    const started = new Worker(new URL('./checkpointWorker.ts', import.meta.url), { workerData: { file } })
    started.unref()
    started.on('message', () => {
      isBusy = false
    })
    // The next look starts another.
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
