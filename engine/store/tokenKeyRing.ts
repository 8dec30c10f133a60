import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '../core/secret.ts'
import { tokenKeyId } from '../quoting/tokenKeyId.ts'
import { keepPrivate } from './privateFile.ts'
import { replaceFile } from './replaceFile.ts'
import { loadOrCreateTokenKey } from './tokenKeyFile.ts'

/**
 * A key that opens quote tokens but does not mint. `added`: it can mint once every service has it. `replaced`: it minted before,
 * and its tokens may still be in use.
 */
export type OpeningKey = { readonly key: Secret; readonly kind: 'added' | 'replaced'; readonly at: number }

/** The quote token keys of an installation whose configuration has no key. */
export type TokenKeyRing = { readonly minting: Secret; readonly opening: readonly OpeningKey[] }

/** The file of the opening keys, beside the file of the minting key. */
const othersIn = (dataDir: string): string => join(dataDir, 'quote-token-others.key')
const mintingIn = (dataDir: string): string => join(dataDir, 'quote-token.key')

const LINE = /^([0-9a-f]{64}) (added|replaced) ([0-9]{1,15})$/

const readOthers = (dataDir: string): readonly OpeningKey[] => {
  const file = othersIn(dataDir)
  if (!existsSync(file)) return []
  keepPrivate(file)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return lines.map((line) => {
    const [, key, kind, at] = LINE.exec(line) ?? []
    if (key === undefined) throw new Error(`${file} holds a line that is no key`)
    return { key: new Secret(key), kind: kind === 'added' ? 'added' : 'replaced', at: Number(at) }
  })
}

const isSame = (a: Secret, b: Secret): boolean => a.reveal() === b.reveal()

const writeOthers = (dataDir: string, keys: readonly OpeningKey[]): void =>
  replaceFile(othersIn(dataDir), keys.map(({ key, kind, at }) => `${key.reveal()} ${kind} ${at}\n`).join(''))

/** The keys in the data folder. Creates a missing minting key. Throws if a file holds anything but keys. */
export const loadTokenKeyRing = (dataDir: string): TokenKeyRing => {
  const minting = loadOrCreateTokenKey(dataDir)
  // After a crash during a rotation a key may be in both files.
  return { minting, opening: readOthers(dataDir).filter(({ key }) => !isSame(key, minting)) }
}

/** Runs one command at a time: two would overwrite each other's changes. */
const alone = <T>(dataDir: string, work: () => T): T => {
  const lock = join(dataDir, 'quote-token.lock')
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new Error(`another command changes the token keys; if none does, remove ${lock}`, { cause: error })
  }
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

const newKey = (): Secret => new Secret(randomBytes(32).toString('hex'))

/** Adds a key that opens tokens and mints after the next rotation. Returns the key. */
export const addTokenKey = (dataDir: string, now: number): Secret =>
  alone(dataDir, () => {
    const key = newKey()
    writeOthers(dataDir, [...loadTokenKeyRing(dataDir).opening, { key, kind: 'added', at: now }])
    return key
  })

/**
 * The key that was added first, else a new one, becomes the minting key; the replaced key still opens. A crash loses no key: each
 * is in at least one of the files.
 */
export const rotateTokenKey = (dataDir: string, now: number): TokenKeyRing =>
  alone(dataDir, () => {
    const { minting, opening } = loadTokenKeyRing(dataDir)
    const next = opening.find(({ kind }) => kind === 'added') ?? { key: newKey(), kind: 'added', at: now }
    const rest = opening.filter(({ key }) => key !== next.key)
    const replaced: OpeningKey = { key: minting, kind: 'replaced', at: now }
    writeOthers(dataDir, [...rest, replaced, next])
    replaceFile(mintingIn(dataDir), `${next.key.reveal()}\n`)
    writeOthers(dataDir, [...rest, replaced])
    return loadTokenKeyRing(dataDir)
  })

/** Removes an opening key; false if no opening key has the id. */
export const retireTokenKey = (dataDir: string, id: string): boolean =>
  alone(dataDir, () => {
    const { opening } = loadTokenKeyRing(dataDir)
    const rest = opening.filter(({ key }) => tokenKeyId(key) !== id)
    if (rest.length === opening.length) return false
    writeOthers(dataDir, rest)
    return true
  })
