import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Secret } from '../core/secret.ts'
import { keepPrivate, makePrivateFolder, openPrivate } from './privateFile.ts'

const KEY = /^[0-9a-f]{64}$/

/** What the key in it seals: quote tokens, or the secrets of webhooks. */
type KeyFile = 'quote-token.key' | 'webhook-secret.key'

/** How long another process may take to put a key into an empty file. */
const LOCK_MS = 5_000

const isCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code

/** The key, or why there is none. An empty file is what an earlier version left on a full disk: it never sealed anything. */
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

/** Makes a key, whole and on the disk, in a file of its own, and has it put in its place. */
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

/** The name itself must survive a power cut, too. */
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

/** A link takes the place only when there is nothing: of two processes that start at once, the second reads the first one's. */
const fillMissing = (file: string): void =>
  makeKey(file, (made) => {
    try {
      linkSync(made, file)
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
  })

/** What is empty can only be replaced, and that by one process: the database's lock ends with its holder, however that ends. */
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
 * A key of an installation that was given none: made once, kept beside the database and readable by its owner only, so that
 * what it sealed outlives a restart. Whole or not there, whatever happens while it is made. Throws when the
 * file holds anything but a key.
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
