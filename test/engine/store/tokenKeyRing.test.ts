import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tokenKeyId } from '../../../engine/quoting/tokenKeyId.ts'
import { loadOrCreateTokenKey } from '../../../engine/store/tokenKeyFile.ts'
import { addTokenKey, loadTokenKeyRing, retireTokenKey, rotateTokenKey } from '../../../engine/store/tokenKeyRing.ts'
import { aFolder } from '../../support/storeStage.ts'

const fileIn = (dataDir: string): string => join(dataDir, 'quote-token.key')
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('the quote token key of an installation', () => {
  it('is made once, for its owner only, and differs between installations', () => {
    const dataDir = join(aFolder(), 'deep', 'data')
    const key = loadOrCreateTokenKey(dataDir).reveal()
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect([modeOf(fileIn(dataDir)), modeOf(dataDir)]).toEqual([0o600, 0o700])
    expect(loadOrCreateTokenKey(dataDir).reveal()).toBe(key)
    expect(readFileSync(fileIn(dataDir), 'utf8')).toBe(`${key}\n`)
    expect(readdirSync(dataDir)).toEqual(['quote-token.key'])
    expect(loadOrCreateTokenKey(aFolder()).reveal()).not.toBe(key)
  })

  it.each([
    ['a cut key', 'ab'.repeat(31)],
    ['another text', 'not a key'],
    ['a key in capitals', 'AB'.repeat(32)],
    ['two keys', `${'ab'.repeat(32)}\n${'cd'.repeat(32)}`],
  ])('is never replaced when its file holds %s', (_what, content) => {
    const dataDir = aFolder()
    writeFileSync(fileIn(dataDir), content)
    expect(() => loadOrCreateTokenKey(dataDir)).toThrow(/does not hold a key/)
    expect(() => loadOrCreateTokenKey(dataDir)).not.toThrow(content)
    expect(readFileSync(fileIn(dataDir), 'utf8')).toBe(content)
  })

  it('is not made when its place is a folder', () => {
    const dataDir = aFolder()
    mkdirSync(fileIn(dataDir))
    expect(() => loadOrCreateTokenKey(dataDir)).toThrow()
  })

  it.each([
    ['fills an empty file, which an earlier start left on a full disk,', ''],
    ['is read from a file', 'ab'.repeat(32)],
  ])('%s and makes the file private', (_what, content) => {
    const dataDir = aFolder()
    writeFileSync(fileIn(dataDir), content, { mode: 0o644 })
    const key = loadOrCreateTokenKey(dataDir).reveal()
    expect(readFileSync(fileIn(dataDir), 'utf8').trim()).toBe(key)
    if (content !== '') expect(key).toBe(content)
    expect([modeOf(fileIn(dataDir)), loadOrCreateTokenKey(dataDir).reveal()]).toEqual([0o600, key])
  })

  it.each(['missing', 'empty'])('is the same for processes that start at once when its file is %s', async (was) => {
    const dataDir = join(aFolder(), 'data')
    if (was === 'empty') {
      mkdirSync(dataDir)
      writeFileSync(fileIn(dataDir), '')
    }
    const module = new URL('../../../engine/store/tokenKeyFile.ts', import.meta.url).href
    const program = `
      const { loadOrCreateTokenKey } = await import(${JSON.stringify(module)})
      while (Date.now() < ${Date.now() + 1_000}) {}
      process.stdout.write(loadOrCreateTokenKey(${JSON.stringify(dataDir)}).reveal())`
    const run = async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
      return (await child.stdout.toArray()).join('')
    }
    const keys = await Promise.all(Array.from({ length: 4 }, run))
    expect(new Set(keys)).toEqual(new Set([readFileSync(fileIn(dataDir), 'utf8').trim()]))
  })
})

describe('the ring of quote token keys', () => {
  const start = () => {
    const dataDir = aFolder()
    const ids = () => {
      const { minting, opening } = loadTokenKeyRing(dataDir)
      return [tokenKeyId(minting), ...opening.map(({ key, kind }) => `${kind} ${tokenKeyId(key)}`)]
    }
    const [first = ''] = ids()
    return { dataDir, others: join(dataDir, 'quote-token-others.key'), ids, first }
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
    const { dataDir, others, ids, first } = start()
    const before = readFileSync(fileIn(dataDir), 'utf8')
    rotateTokenKey(dataDir, 1)
    expect(modeOf(others) & 0o077).toBe(0)
    // The crash came before the new key was in place.
    writeFileSync(fileIn(dataDir), before)
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
