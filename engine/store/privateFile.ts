import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600

/** Restricts a file to its owner. Leaves the file of another owner unchanged. */
export const keepPrivate = (file: string): void => {
  if ((statSync(file).mode & 0o077) === 0) return
  try {
    chmodSync(file, OWNER_ONLY)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code !== 'EPERM' && code !== 'EROFS' && code !== 'ENOTSUP') throw error
  }
}

/** Creates a file for its owner alone, or restricts an existing one. */
export const openPrivate = (file: string): void => {
  closeSync(openSync(file, 'a', OWNER_ONLY))
  keepPrivate(file)
}

/** Creates a folder and its parents for the owner alone. Node's `recursive` loops for ever in places such as /proc. */
export const makePrivateFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (existsSync(folder)) return
    if (existsSync(dirname(folder))) throw error
    makePrivateFolder(dirname(folder))
    makePrivateFolder(folder)
  }
}
