import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from './contract/document.ts'
import { isProse, measureProse } from './prose.ts'

/**
 * Measures every module against its row of `scripts/budget.json`. A key of that file is a path or a glob. `modules` counts
 * code, `others` everything else, and `prose` the sentences of documents and comments. The first matching row counts a file.
 */

/** Lines and bytes, or the counts of prose. */
type Size = { readonly [unit: string]: number }

/** A missing number sets no limit. `isFixed`: `npm run budget` leaves the row as it is. */
type Row = { readonly [unit: string]: number | true } & { readonly isFixed?: true }

type Sizes = { readonly [pattern: string]: Size }
type Rows = { readonly [pattern: string]: Row }
type Budget = { readonly modules: Rows; readonly others: Rows; readonly prose: Rows }

export type BudgetCheck = {
  /** Modules over their limit, and files without a row. Empty: the tree is within its budget. */
  readonly problems: readonly string[]
  readonly sizes: { readonly [section in keyof Budget]: Sizes }
  readonly budget: Budget
}

const BUDGET_PATH = 'scripts/budget.json'

const CODE = '**/*.{ts,mts,cts,js,mjs,cjs,sol,css,html}'

const UNCOUNTED = [
  // The files that `npm run generate` writes.
  'generated/{api.d.ts,openapi.json,validators.cjs,validators.d.cts}',
  BUDGET_PATH,
  '{,.github/}**/*.{md,png}',
  'test/**/*.gz',
  '{node_modules,package-lock.json,LICENSE,.gitignore,.dockerignore,.npmrc,.ci/run}',
  'test/judges/{package-lock.json,.npmrc}',
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

const sizeOf = async (root: string, path: string): Promise<Size> => {
  const content = await readFile(join(root, path))
  const ends = content.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0)
  return { lines: content.length > 0 && content.at(-1) !== 10 ? ends + 1 : ends, bytes: content.length }
}

const isCode = (path: string): boolean => matchesGlob(path, CODE)
const isUncounted = (path: string): boolean => UNCOUNTED.some((pattern) => matchesGlob(path, pattern))

/** Which files each section counts, and how. */
const SECTIONS = [
  { section: 'modules', counts: (path: string) => isCode(path) && !isUncounted(path), measure: sizeOf },
  { section: 'others', counts: (path: string) => !isCode(path) && !isUncounted(path), measure: sizeOf },
  { section: 'prose', counts: isProse, measure: measureProse },
] as const

const excessOf = (pattern: string, size: Size, row: Row): readonly string[] =>
  Object.keys(size).flatMap((unit) => {
    const [is, limit] = [size[unit] ?? 0, Number(row[unit] ?? Infinity)]
    return is > limit ? [`${pattern}: ${is} ${unit}, budget ${limit}`] : []
  })

export const checkBudget = async (root: string = projectRoot): Promise<BudgetCheck> => {
  const budget = JSON.parse(await readFile(join(root, BUDGET_PATH), 'utf8')) as Budget
  const files = await listFiles(root)
  const problems: string[] = []
  const sizes = { modules: {}, others: {}, prose: {} } as { [section in keyof Budget]: { [pattern: string]: Size } }
  for (const { section, counts, measure } of SECTIONS) {
    const [rows, sums] = [budget[section], sizes[section]]
    for (const pattern of Object.keys(rows)) sums[pattern] = {}
    for (const path of files.filter(counts)) {
      const row = Object.keys(rows).find((pattern) => matchesGlob(path, `${pattern}{,/**}`))
      if (row === undefined) {
        problems.push(`${path}: no row of ${BUDGET_PATH}`)
        continue
      }
      const [sum, size] = [sums[row] ?? {}, await measure(root, path)]
      sums[row] = Object.fromEntries(Object.entries(size).map(([unit, count]) => [unit, (sum[unit] ?? 0) + count]))
    }
    problems.unshift(...Object.entries(sums).flatMap(([pattern, size]) => excessOf(pattern, size, rows[pattern] ?? {})))
  }
  return { problems, sizes, budget }
}

/** The sum of one unit over the rows of a section. */
export const totalOf = ({ sizes }: BudgetCheck, section: keyof Budget, unit: string): number =>
  Object.values(sizes[section]).reduce((sum, size) => sum + (size[unit] ?? 0), 0)

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
  const lowered = ([pattern, row]: [string, Row], sizes: Sizes): [string, Row] => {
    const { sentences: _unlimited, ...size } = sizes[pattern] ?? {}
    return [pattern, row.isFixed === true ? row : size]
  }
  const rows = SECTIONS.map(({ section }) => {
    const sizes = check.sizes[section]
    for (const [pattern, size] of Object.entries(sizes)) console.log([...Object.values(size), pattern].join('\t'))
    return [section, Object.fromEntries(Object.entries(check.budget[section]).map((row) => lowered(row, sizes)))]
  })
  await writeFile(join(root, BUDGET_PATH), `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`)
  console.log(`${totalOf(check, 'modules', 'lines')} lines in modules`)
}

if (import.meta.main) await lowerBudget(process.argv[2] ?? projectRoot)
