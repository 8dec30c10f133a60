import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Takes out of an installation without development packages what no process of it can load: `npm run slim` after
 * `npm ci --omit=dev`, which also brings all of it back.
 */

/** Source maps, types, what Node was and native modules were built of. Node runs no TypeScript below node_modules. */
const NEVER_LOADED = /\.(map|[cm]?ts|tsx|h|hpp|c|cc|cpp|gyp|gypi|tsbuildinfo|flow)$/

/** Of a package that ships its native module for every system: `linux-x64.node`, `linuxmusl-x64.node`. */
const PREBUILT = /^([a-z0-9]+)-([a-z0-9]+)\.node$/

/** What others name for their types alone. */
const UNUSED = ['typescript']

const isForOthers = (name: string): boolean => {
  const [, system = '', processor] = PREBUILT.exec(name) ?? []
  return processor !== undefined && (!system.startsWith(process.platform) || processor !== process.arch)
}

export type Slimmed = { readonly files: number; readonly bytes: number }

/** Links are left alone: what they lead to belongs to others. */
const slimFolder = (folder: string): Slimmed => {
  let [files, bytes] = [0, 0]
  const visit = (path: string, isWhole: boolean): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const below = join(path, entry.name)
      if (entry.isDirectory()) visit(below, isWhole || (path === folder && UNUSED.includes(entry.name)))
      else if (entry.isFile() && (isWhole || NEVER_LOADED.test(entry.name) || isForOthers(entry.name))) {
        files += 1
        bytes += statSync(below).size
        rmSync(below)
      }
    }
  }
  visit(folder, false)
  return { files, bytes }
}

/** Throws where development packages are installed: they need what it takes away. */
export const slim = (root: string): Slimmed => {
  const packages = join(root, 'node_modules')
  if (existsSync(join(packages, 'vitest'))) throw new Error('Development packages are installed: run `npm ci --omit=dev` first.')
  return slimFolder(packages)
}

if (import.meta.main) {
  try {
    const { files, bytes } = slim(process.cwd())
    process.stdout.write(`Took out ${files} files, ${Math.round(bytes / 1e6)} MB, that nothing here loads.\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
