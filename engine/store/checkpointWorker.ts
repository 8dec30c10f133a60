import { parentPort, workerData } from 'node:worker_threads'
import SQLite from 'better-sqlite3'

/** How long emptying the log may block writers. */
const EMPTY_MS = 20

/** A log of this length is emptied even if that blocks writers. */
const LONG_PAGES = 8_192

const { file } = workerData as { readonly file: string }
const sqlite = new SQLite(file, { fileMustExist: true, timeout: EMPTY_MS })

/** https://www.sqlite.org/pragma.html#pragma_wal_checkpoint: a row of blocked, pages in the log, pages moved. */
const checkpoint = (mode: 'PASSIVE' | 'TRUNCATE'): number => {
  const [row] = sqlite.pragma(`wal_checkpoint(${mode})`) as { readonly log: number; readonly checkpointed: number }[]
  return row?.log ?? 0
}

parentPort?.on('message', () => {
  try {
    if (checkpoint('PASSIVE') > LONG_PAGES) checkpoint('TRUNCATE')
  } catch {
    // The next checkpoint may succeed.
  }
  parentPort?.postMessage('done')
})
