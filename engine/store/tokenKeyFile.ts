import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '../core/secret.ts'

const KEY = /^[0-9a-f]{64}$/

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/**
 * The quote token key of an installation that was given none: made once, kept beside the database and readable by its
 * owner only, so that quotes outlive a restart. Throws when the file holds anything but a key.
 */
export const loadOrCreateTokenKey = (dataDir: string): Secret => {
  const file = join(dataDir, 'quote-token.key')
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (!KEY.test(text)) throw new Error(`${file} does not hold a key of 64 hex digits`)
    return new Secret(text)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  const key = randomBytes(32).toString('hex')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // `wx`: of two processes that start at once, the second must read the first one's key and not replace it.
  try {
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return loadOrCreateTokenKey(dataDir)
    throw error
  }
  return new Secret(key)
}
