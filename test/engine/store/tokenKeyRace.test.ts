import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { loadOrCreateTokenKey } from '../../../engine/store/tokenKeyFile.ts'

/** What another process does right after we looked and found no key; done once. */
const other = vi.hoisted(() => ({ acts: (): void => undefined }))

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>()
  const mkdir = (path: string, options: { recursive: true; mode: number }) => {
    const made = fs.mkdirSync(path, options)
    const act = other.acts
    other.acts = () => undefined
    act()
    return made
  }
  return { ...fs, mkdirSync: mkdir }
})

const dataDir = mkdtempSync(join(tmpdir(), 'key-'))

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('the key another process made in the same moment is taken, not replaced', () => {
  const file = join(dataDir, 'quote-token.key')
  const theirs = 'ef'.repeat(32)
  other.acts = () => writeFileSync(file, `${theirs}\n`)
  expect(loadOrCreateTokenKey(dataDir).reveal()).toBe(theirs)
  expect(readFileSync(file, 'utf8')).toBe(`${theirs}\n`)
})
