import { join } from 'node:path'
import type { Reader } from './reader.ts'

/** What becomes of swaps that ended long ago. */
export type RetentionConfig = {
  /** How long after its end a swap is kept whole; null: for ever. */
  readonly afterMs: number | null
  /** Where they are written before they are given up; null: nowhere. */
  readonly archiveDir: string | null
}

const DAY_MS = 86_400_000

/** A chain takes nothing back any more, and whoever asks for a swap has long asked. */
const LEAST_DAYS = 7

export const readRetention = (reader: Reader, dataDir: string): RetentionConfig => {
  const isOff = reader.text('RETENTION_DAYS', 'off') === 'off'
  const days = isOff ? null : reader.integer('RETENTION_DAYS', LEAST_DAYS, { min: LEAST_DAYS, max: 36_500 })
  const folder = reader.text('RETENTION_ARCHIVE_DIR', join(dataDir, 'archive'))
  return { afterMs: days === null ? null : days * DAY_MS, archiveDir: folder === 'off' ? null : folder }
}
