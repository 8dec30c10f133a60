import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600

/** Takes a file from everybody but its owner. One that is not ours to change stays as its owner left it. */
export const keepPrivate = (file: string): void => {
  if ((statSync(file).mode & 0o077) === 0) return
  try {
    chmodSync(file, OWNER_ONLY)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code !== 'EPERM' && code !== 'EROFS' && code !== 'ENOTSUP') throw error
  }
}

/** Makes a file for its owner alone when there is none, and makes one that is there so. */
export const openPrivate = (file: string): void => {
  closeSync(openSync(file, 'a', OWNER_ONLY))
  keepPrivate(file)
}

/**
 * Makes a folder for its owner alone, with those above it, when there is none. Node's own `recursive` tries for ever where
 * a folder is there and takes none, as /proc.
 */
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
