import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { loadOrCreateTokenKey } from '../../../engine/store/tokenKeyFile.ts'
import { aFolder } from '../../support/storeStage.ts'

/** What another process does once, right after this one found no key. */
const other = vi.hoisted(() => ({ acts: (): void => undefined }))

/** The error of a step on the disk; null: it succeeds. */
const disk = vi.hoisted(() => ({ fails: {} as Record<string, Error | null> }))

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>()
  const mkdir = (path: string, options: { mode: number }) => {
    try {
      fs.mkdirSync(path, options)
    } finally {
      const act = other.acts
      other.acts = () => undefined
      act()
    }
  }
  type Write = typeof fs.writeFileSync
  const writeFileSync: Write = (file, data, options) => {
    const error = disk.fails['write']
    // A full disk takes the name, and none of the content.
    if (error && typeof file === 'string') fs.writeFileSync(file, '', options)
    if (error) throw error
    fs.writeFileSync(file, data, options)
  }
  const fsyncSync: typeof fs.fsyncSync = (descriptor) => {
    const error = disk.fails['sync']
    if (error) throw error
    fs.fsyncSync(descriptor)
  }
  return { ...fs, mkdirSync: mkdir, writeFileSync, fsyncSync }
})

afterEach(() => {
  disk.fails = {}
})

it.each(['write', 'sync'])('a disk that is full at the %s leaves no key file, and the next start makes the key', (step) => {
  const dataDir = aFolder()
  disk.fails[step] = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  expect(() => loadOrCreateTokenKey(dataDir)).toThrow(/no space/)
  expect(readdirSync(dataDir)).toEqual([])
  disk.fails = {}
  expect(loadOrCreateTokenKey(dataDir).reveal()).toMatch(/^[0-9a-f]{64}$/)
  expect(readdirSync(dataDir)).toEqual(['quote-token.key'])
})

it('a start takes the key that another process makes at the same moment', () => {
  const dataDir = aFolder()
  const file = join(dataDir, 'quote-token.key')
  const theirs = 'ef'.repeat(32)
  other.acts = () => writeFileSync(file, `${theirs}\n`)
  expect(loadOrCreateTokenKey(dataDir).reveal()).toBe(theirs)
  expect(readFileSync(file, 'utf8')).toBe(`${theirs}\n`)
})
