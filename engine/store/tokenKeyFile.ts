import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Secret } from '../core/secret.ts'
import { keepPrivate, makePrivateFolder, openPrivate } from './privateFile.ts'

const KEY = /^[0-9a-f]{64}$/

/** The file of a key that seals quote tokens or webhook secrets. */
type KeyFile = 'quote-token.key' | 'webhook-secret.key'

/** Milliseconds that another process may take to put a key into an empty file. */
const LOCK_MS = 5_000

const isCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code

/** The key, or the reason for its absence. An earlier version left an empty file on a full disk, which never sealed anything. */
const readKey = (file: string): Secret | 'missing' | 'empty' => {
  try {
    const content = readFileSync(file, 'utf8')
    if (content === '') return 'empty'
    const text = content.trim()
    if (!KEY.test(text)) throw new Error(`${file} does not hold a key of 64 hex digits`)
    keepPrivate(file)
    return new Secret(text)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return 'missing'
    throw error
  }
}

/** Writes and syncs a new key into a temporary file, which `place` then puts in its place. */
const makeKey = (file: string, place: (made: string) => void): void => {
  const made = `${file}.${randomBytes(6).toString('hex')}`
  try {
    const descriptor = openSync(made, 'wx', 0o600)
    try {
      writeFileSync(descriptor, `${randomBytes(32).toString('hex')}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    place(made)
  } finally {
    rmSync(made, { force: true })
  }
}

/** The directory entry must survive a power cut, too. */
const syncFolder = (folder: string): void => {
  // Windows opens no folders.
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A link never replaces a file: if two processes start at once, the second reads the key of the first. */
const fillMissing = (file: string): void =>
  makeKey(file, (made) => {
    try {
      linkSync(made, file)
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
  })

/** Replaces an empty file, by one process only: the database's lock is released when its process ends, even by a crash. */
const fillEmpty = (file: string, dataDir: string): void => {
  const database = join(dataDir, 'swaps.sqlite')
  openPrivate(database)
  const lock = new SQLite(database, { timeout: LOCK_MS })
  try {
    lock.exec('BEGIN IMMEDIATE')
    if (readKey(file) === 'empty') makeKey(file, (made) => renameSync(made, file))
  } finally {
    lock.close()
  }
}

/**
 * Loads the key of an installation whose configuration has no key, or creates it once, so that sealed data survives a restart.
 * The file beside the database is readable by its owner only, and written atomically. Throws if it holds anything but a key. An
 * empty file counts as missing.
 */
export const loadOrCreateTokenKey = (dataDir: string, name: KeyFile = 'quote-token.key'): Secret => {
  const file = join(dataDir, name)
  const found = readKey(file)
  if (found instanceof Secret) return found
  makePrivateFolder(dataDir)
  if (found === 'missing') fillMissing(file)
  else fillEmpty(file, dataDir)
  syncFolder(dataDir)
  return loadOrCreateTokenKey(dataDir, name)
}
