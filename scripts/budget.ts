import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from './contract/document.ts'

/**
 * Measures every module against its row of `scripts/budget.json`. A key of that file is a path or a glob. `modules` counts
 * code; `others` counts everything else. The first matching row counts a file.
 */

type Size = { readonly lines: number; readonly bytes: number }

/** A missing number sets no limit. `isFixed`: `npm run budget` leaves the row as it is. */
type Row = Partial<Size> & { readonly isFixed?: true }

type Rows = { readonly [pattern: string]: Row }
type Budget = { readonly modules: Rows; readonly others: Rows }

export type BudgetCheck = {
  /** Modules over their number, and files without a row; the budget is kept when there is none. */
  readonly problems: readonly string[]
  readonly sizes: { readonly [pattern: string]: Size }
  readonly budget: Budget
}

const BUDGET_PATH = 'scripts/budget.json'

const CODE = '**/*.{ts,mts,cts,js,mjs,cjs,sol,css,html}'

const UNCOUNTED = [
  // The files that `npm run generate` writes.
  'generated/{api.d.ts,openapi.json,validators.cjs,validators.d.cts}',
  BUDGET_PATH,
  '**/*.{md,png}',
  'test/**/*.gz',
  '{node_modules,package-lock.json,LICENSE,.gitignore,.npmrc,.ci/run}',
] as const

/** Folders of an unpacked archive that are no source. Git names them in `.gitignore`. */
const UNPACKED = /(^|\/)node_modules$|^(\.data|coverage|generated)$/

const walk = async (root: string, folder = ''): Promise<readonly string[]> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const found = entries.map((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (!entry.isDirectory()) return entry.name.endsWith('.log') ? [] : [path]
    return UNPACKED.test(path) ? [] : walk(root, path)
  })
  return (await Promise.all(found)).flat()
}

/** The files of a git checkout, those not added yet included. Without git, every file of the folder. */
const listFiles = async (root: string): Promise<readonly string[]> => {
  if (!existsSync(join(root, '.git'))) return walk(root)
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await promisify(execFile)('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}

const rowOf = (path: string, { modules, others }: Budget): string | undefined =>
  Object.keys(matchesGlob(path, CODE) ? modules : others).find((pattern) => matchesGlob(path, `${pattern}{,/**}`))

const sizeOf = async (path: string): Promise<Size> => {
  const content = await readFile(path)
  const ends = content.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0)
  return { lines: content.length > 0 && content.at(-1) !== 10 ? ends + 1 : ends, bytes: content.length }
}

const excessOf = (pattern: string, size: Size, row: Row): readonly string[] =>
  (['lines', 'bytes'] as const).flatMap((unit) => {
    const limit = row[unit] ?? Infinity
    return size[unit] > limit ? [`${pattern}: ${size[unit]} ${unit}, budget ${limit}`] : []
  })

export const checkBudget = async (root: string = projectRoot): Promise<BudgetCheck> => {
  const budget = JSON.parse(await readFile(join(root, BUDGET_PATH), 'utf8')) as Budget
  const rows: Rows = { ...budget.modules, ...budget.others }
  const sizes: { [pattern: string]: Size } = Object.fromEntries(Object.keys(rows).map((row) => [row, { lines: 0, bytes: 0 }]))
  const homeless: string[] = []
  for (const path of await listFiles(root)) {
    if (UNCOUNTED.some((pattern) => matchesGlob(path, pattern))) continue
    const row = rowOf(path, budget)
    const sum = row === undefined ? undefined : sizes[row]
    if (row === undefined || sum === undefined) {
      homeless.push(`${path}: no row of ${BUDGET_PATH}`)
      continue
    }
    const { lines, bytes } = await sizeOf(join(root, path))
    sizes[row] = { lines: sum.lines + lines, bytes: sum.bytes + bytes }
  }
  const excess = Object.entries(sizes).flatMap(([pattern, size]) => excessOf(pattern, size, rows[pattern] ?? {}))
  return { problems: [...excess, ...homeless], sizes, budget }
}

/** The lines of all modules. */
export const totalLines = ({ sizes, budget }: BudgetCheck): number =>
  Object.keys(budget.modules).reduce((sum, pattern) => sum + (sizes[pattern]?.lines ?? 0), 0)

/** Lowers the numbers of `scripts/budget.json` to what the modules have, and raises none. */
const lowerBudget = async (root: string): Promise<void> => {
  const check = await checkBudget(root)
  if (check.problems.length > 0) {
    console.error(
      `${check.problems.join('\n')}\nA budget is raised by hand: edit ${BUDGET_PATH} and give the reason in the commit.`,
    )
    process.exitCode = 1
    return
  }
  const lowered = (rows: Rows): Rows =>
    Object.fromEntries(Object.entries(rows).map(([pattern, row]) => [pattern, row.isFixed ? row : (check.sizes[pattern] ?? row)]))
  const { modules, others } = check.budget
  const rows = { modules: lowered(modules), others: lowered(others) }
  await writeFile(join(root, BUDGET_PATH), `${JSON.stringify(rows, null, 2)}\n`)
  for (const [pattern, { lines, bytes }] of Object.entries(check.sizes)) console.log(`${lines}\t${bytes}\t${pattern}`)
  console.log(`${totalLines(check)} lines in modules`)
}

if (import.meta.main) await lowerBudget(process.argv[2] ?? projectRoot)
