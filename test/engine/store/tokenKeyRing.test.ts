import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tokenKeyId } from '../../../engine/quoting/tokenKeyId.ts'
import { loadOrCreateTokenKey } from '../../../engine/store/tokenKeyFile.ts'
import { addTokenKey, loadTokenKeyRing, retireTokenKey, rotateTokenKey } from '../../../engine/store/tokenKeyRing.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'swap-ring-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const idsIn = () => {
  const { minting, opening } = loadTokenKeyRing(dataDir)
  return [tokenKeyId(minting), ...opening.map(({ key, kind }) => `${kind} ${tokenKeyId(key)}`)]
}

describe('the quote token keys in a data folder', () => {
  it('one is added, rotated in, and the old one retired: at every step all in use open, and the version before reads the one that mints', () => {
    const first = tokenKeyId(loadTokenKeyRing(dataDir).minting)
    const second = tokenKeyId(addTokenKey(dataDir, 1))
    expect(idsIn()).toEqual([first, `added ${second}`])
    rotateTokenKey(dataDir, 2)
    expect(idsIn()).toEqual([second, `replaced ${first}`])
    expect(tokenKeyId(loadOrCreateTokenKey(dataDir))).toBe(second)
    expect([retireTokenKey(dataDir, second), retireTokenKey(dataDir, first), idsIn()]).toEqual([false, true, [second]])
  })

  it('without an added one a new one is made, and a second rotation keeps both that came before', () => {
    const [first] = idsIn()
    rotateTokenKey(dataDir, 1)
    const [second] = idsIn()
    rotateTokenKey(dataDir, 2)
    expect(idsIn().slice(1)).toEqual([`replaced ${first}`, `replaced ${second}`])
  })

  it('what a crash in the middle of a rotation leaves has every key once, and nobody else may read it', () => {
    const first = loadTokenKeyRing(dataDir).minting
    rotateTokenKey(dataDir, 1)
    const others = join(dataDir, 'quote-token-others.key')
    expect(statSync(others).mode & 0o077).toBe(0)
    // As before the new one took its place.
    writeFileSync(join(dataDir, 'quote-token.key'), `${first.reveal()}\n`)
    expect(idsIn()).toEqual([tokenKeyId(first)])
  })

  it('two commands at once: the second is refused, and nothing of the first is lost; a line that is no key stops the start', () => {
    loadTokenKeyRing(dataDir)
    writeFileSync(join(dataDir, 'quote-token.lock'), '')
    expect(() => addTokenKey(dataDir, 1)).toThrow('another command changes the token keys')
    rmSync(join(dataDir, 'quote-token.lock'))
    addTokenKey(dataDir, 1)
    const others = join(dataDir, 'quote-token-others.key')
    writeFileSync(others, `${readFileSync(others, 'utf8')}half a li`)
    expect(() => loadTokenKeyRing(dataDir)).toThrow('holds a line that is no key')
  })
})
