import { join } from 'node:path'
import type { Reader } from './reader.ts'

/** Retention of swaps that ended long ago. */
export type RetentionConfig = {
  /** How long after its end a swap stays complete; null: for ever. */
  readonly afterMs: number | null
  /** The archive for swaps before their deletion; null: no archive. */
  readonly archiveDir: string | null
}

const DAY_MS = 86_400_000

/** By then every chain is final, and status requests for the swap have ended. */
const LEAST_DAYS = 7

export const readRetention = (reader: Reader, dataDir: string): RetentionConfig => {
  const isOff = reader.text('RETENTION_DAYS', 'off') === 'off'
  const days = isOff ? null : reader.integer('RETENTION_DAYS', LEAST_DAYS, { min: LEAST_DAYS, max: 36_500 })
  const folder = reader.text('RETENTION_ARCHIVE_DIR', join(dataDir, 'archive'))
  return { afterMs: days === null ? null : days * DAY_MS, archiveDir: folder === 'off' ? null : folder }
}
