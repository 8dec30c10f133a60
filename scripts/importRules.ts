import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from './contract/document.ts'
import { judgesCommand } from './judges.ts'

/** The folders of the project's code. */
export const CODE_FOLDERS = ['engine', 'handlers', 'scripts', 'test', 'generated'] as const

export type ImportViolation = { readonly rule: string; readonly from: string; readonly to: string }

export type ImportCheck = {
  /** Code files that the checker did not read: a checker that skips a file passes it. */
  readonly unread: readonly string[]
  readonly readCount: number
  readonly violations: readonly ImportViolation[]
}

/** The parts of dependency-cruiser's JSON report that this script uses. */
type Report = {
  readonly modules: readonly { readonly source: string }[]
  readonly summary: {
    readonly violations: readonly (Omit<ImportViolation, 'rule'> & { readonly rule: { readonly name: string } })[]
  }
}

const run = promisify(execFile)

const REPORT_BYTES_MAX = 256 * 1024 * 1024

/** Every code file below `root`, by its path from there. Declaration files are read only where something imports them. */
export const listCode = async (root: string): Promise<readonly string[]> => {
  const found = await Promise.all(
    CODE_FOLDERS.map(async (folder) => {
      const paths = await readdir(join(root, folder), { recursive: true })
      return paths
        .filter((path) => /\.(ts|cts|cjs)$|(^|\/)browser\/.*\.js$/.test(path) && !/\.d\.c?ts$|(^|\/)node_modules\//.test(path))
        .map((path) => `${folder}/${path}`)
    }),
  )
  return found.flat().sort()
}

/** Holds every module of a tree against scripts/dependencyRules.cjs. `root` has the layout of the project. */
export const checkImports = async (root: string = projectRoot): Promise<ImportCheck> => {
  const args = [judgesCommand('depcruise'), '--config', 'scripts/dependencyRules.cjs', '--output-type', 'json', ...CODE_FOLDERS]
  const { stdout } = await run(process.execPath, args, { cwd: root, maxBuffer: REPORT_BYTES_MAX })
  const { modules, summary } = JSON.parse(stdout) as Report
  const read = new Set(modules.map(({ source }) => source))
  const code = await listCode(root)
  const unread = code.filter((path) => !read.has(path))
  const violations = summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }))
  return { unread, readCount: code.length - unread.length, violations }
}
