import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tokenKeyId } from '../../../engine/quoting/tokenKeyId.ts'
import { loadOrCreateTokenKey } from '../../../engine/store/tokenKeyFile.ts'
import { addTokenKey, loadTokenKeyRing, retireTokenKey, rotateTokenKey } from '../../../engine/store/tokenKeyRing.ts'
import { aFolder } from '../../support/storeStage.ts'

describe('the ring of quote token keys', () => {
  const start = () => {
    const dataDir = aFolder()
    const [minting, others] = ['quote-token.key', 'quote-token-others.key'].map((name) => join(dataDir, name)) as [string, string]
    const ids = () => {
      const ring = loadTokenKeyRing(dataDir)
      return [tokenKeyId(ring.minting), ...ring.opening.map(({ key, kind }) => `${kind} ${tokenKeyId(key)}`)]
    }
    const [first = ''] = ids()
    return { dataDir, minting, others, ids, first }
  }

  it('takes an added key into use, and keeps the replaced key until it is retired', () => {
    const { dataDir, ids, first } = start()
    const second = tokenKeyId(addTokenKey(dataDir, 1))
    expect(ids()).toEqual([first, `added ${second}`])
    rotateTokenKey(dataDir, 2)
    expect(ids()).toEqual([second, `replaced ${first}`])
    expect(tokenKeyId(loadOrCreateTokenKey(dataDir))).toBe(second)
    expect([retireTokenKey(dataDir, second), retireTokenKey(dataDir, first), ids()]).toEqual([false, true, [second]])
  })

  it('makes a new key in a rotation without an added one, and keeps all replaced keys', () => {
    const { dataDir, ids, first } = start()
    rotateTokenKey(dataDir, 1)
    const [second] = ids()
    rotateTokenKey(dataDir, 2)
    expect(ids().slice(1)).toEqual([`replaced ${first}`, `replaced ${second}`])
  })

  it('has every key once after a crash during a rotation, in private files', () => {
    const { dataDir, minting, others, ids, first } = start()
    const before = readFileSync(minting, 'utf8')
    rotateTokenKey(dataDir, 1)
    expect(statSync(others).mode & 0o077).toBe(0)
    // The crash came before the new key was in place.
    writeFileSync(minting, before)
    expect(ids()).toEqual([first])
  })

  it('refuses a second command at the same time, and a file with a line that is no key', () => {
    const { dataDir, others } = start()
    writeFileSync(join(dataDir, 'quote-token.lock'), '')
    expect(() => addTokenKey(dataDir, 1)).toThrow('another command changes the token keys')
    rmSync(join(dataDir, 'quote-token.lock'))
    addTokenKey(dataDir, 1)
    writeFileSync(others, `${readFileSync(others, 'utf8')}half a li`)
    expect(() => loadTokenKeyRing(dataDir)).toThrow('holds a line that is no key')
  })
})
