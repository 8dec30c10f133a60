/** The disk or the database failed, or another process holds its lock. The same call may succeed later. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** A conflict with another transaction: nothing was kept, and the work may run again. */
export class StoreConflict extends StoreError {}

/** Defects of a statement rather than of its environment: https://www.sqlite.org/rescode.html. */
const DEFECTS = /^SQLITE_(ERROR|CONSTRAINT|MISMATCH|MISUSE|RANGE|TOOBIG)(_|$)/

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** True if another connection holds the lock. Nothing was done. */
export const isLocked = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)(_|$)/.test(codeOf(error))

/** True if the file contains what SQLite cannot have written. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)(_|$)/.test(codeOf(error))

/** Converts an error of the database to StoreError; returns defects of our own unchanged. */
export const toStoreError = (error: unknown): unknown => {
  const code = codeOf(error)
  if (!code.startsWith('SQLITE_') || DEFECTS.test(code)) return error
  return new StoreError(`the store failed: ${error instanceof Error ? error.message : code}`, { cause: error })
}
