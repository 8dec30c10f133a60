import { existsSync, readFileSync, rmSync } from 'node:fs'
import { replaceFile } from './replaceFile.ts'
import { StoreError } from './storeError.ts'

/**
 * A file beside the records with their id. A service that starts over with empty records would issue a second deposit address for
 * a swap that has one.
 */
const markOf = (file: string): string => `${file}.id`

const readMark = (file: string): string | null => {
  const mark = markOf(file)
  return existsSync(mark) ? readFileSync(mark, 'utf8').trim() : null
}

const MOVED = 'moved'

/** Call before the file is opened, which would create it. Throws StoreError if the mark exists without its records. */
export const requireMarked = (file: string): void => {
  const mark = readMark(file)
  if (mark === MOVED)
    throw new StoreError(
      `the records of ${file} were moved: set DATABASE_URL; only to go back to what they were then delete ${markOf(file)}`,
    )
  if (existsSync(file) || mark === null) return
  const mend = `put it back, or restore a backup; only to begin without any records delete ${markOf(file)}`
  throw new StoreError(`${file} is gone: ${mend}`)
}

/** Call after opening. Throws StoreError if the mark belongs to other records. */
export const keepMark = (file: string, id: string): void => {
  const mark = readMark(file)
  if (mark === null) replaceFile(markOf(file), `${id}\n`)
  else if (mark !== id) throw new StoreError(`${file} has other records than before; where that is meant, delete ${markOf(file)}`)
}

/** Its records are kept elsewhere from now on. */
export const markMoved = (file: string): void => replaceFile(markOf(file), `${MOVED}\n`)

/** Accepts whatever records the file has at the next start. */
export const dropMark = (file: string): void => rmSync(markOf(file), { force: true })
