/** The disk or the database file is in trouble, or another process keeps it locked. The same call may work later. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** Another transaction came in between: nothing was kept of this one, which may be run again. */
export class StoreConflict extends StoreError {}

/** What SQLite calls wrong with a statement, and not with the place it runs in: https://www.sqlite.org/rescode.html. */
const DEFECTS = /^SQLITE_(ERROR|CONSTRAINT|MISMATCH|MISUSE|RANGE|TOOBIG)(_|$)/

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Another connection holds the lock that is needed. Nothing was done. */
export const isLocked = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)(_|$)/.test(codeOf(error))

/** The database met something in its file that it cannot have written. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)(_|$)/.test(codeOf(error))

/** An error of the database as its callers may meet it; a defect of ours stays what it is. */
export const toStoreError = (error: unknown): unknown => {
  const code = codeOf(error)
  if (!code.startsWith('SQLITE_') || DEFECTS.test(code)) return error
  return new StoreError(`the store failed: ${error instanceof Error ? error.message : code}`, { cause: error })
}
