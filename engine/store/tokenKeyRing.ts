import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '../core/secret.ts'
import { tokenKeyId } from '../quoting/tokenKeyId.ts'
import { keepPrivate } from './privateFile.ts'
import { replaceFile } from './replaceFile.ts'
import { loadOrCreateTokenKey } from './tokenKeyFile.ts'

/**
 * A key that opens quote tokens and mints none. `added`: it is to mint one day, once every service has it. `replaced`: it did,
 * and tokens of it may still be in use.
 */
export type OpeningKey = { readonly key: Secret; readonly kind: 'added' | 'replaced'; readonly at: number }

/** The quote token keys of an installation that was given none. */
export type TokenKeyRing = { readonly minting: Secret; readonly opening: readonly OpeningKey[] }

/** Beside the key that mints, which stands alone in its file. */
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

/** The keys in the data folder; the one that mints is made when missing. Throws when a file holds anything but keys. */
export const loadTokenKeyRing = (dataDir: string): TokenKeyRing => {
  const minting = loadOrCreateTokenKey(dataDir)
  // What a crash left of a rotation stands in both files.
  return { minting, opening: readOthers(dataDir).filter(({ key }) => !isSame(key, minting)) }
}

/** One command at a time: of two, one would lose what the other wrote. */
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

/** Adds a key that opens tokens, and is the next to mint. Answers with it. */
export const addTokenKey = (dataDir: string, now: number): Secret =>
  alone(dataDir, () => {
    const key = newKey()
    writeOthers(dataDir, [...loadTokenKeyRing(dataDir).opening, { key, kind: 'added', at: now }])
    return key
  })

/**
 * Has the key mint that was added first, or a new one; the one that did still opens. Whatever happens meanwhile, every key
 * that is in use stands in one of the files.
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

/** Takes away a key that only opens; false where there is none of that id. */
export const retireTokenKey = (dataDir: string, id: string): boolean =>
  alone(dataDir, () => {
    const { opening } = loadTokenKeyRing(dataDir)
    const rest = opening.filter(({ key }) => tokenKeyId(key) !== id)
    if (rest.length === opening.length) return false
    writeOthers(dataDir, rest)
    return true
  })
