import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { checkBudget, totalOf } from './budget.ts'
import { projectRoot } from './contract/document.ts'
import { checkImports, listCode } from './importRules.ts'
import { installJudges, judgesCommand } from './judges.ts'
import { mapAtOnce } from './mapAtOnce.ts'
import { checkPromises } from './promises.ts'

/**
 * All static checks of the project: `npm run check`. A check that reads no files fails, and so does one whose tool has unknown
 * output.
 */

type Verdict = {
  readonly isOk: boolean
  /** A short summary of the inputs that were read. */
  readonly read: string
  /** Shown when it failed. */
  readonly output: string
}

type Check = { readonly name: string; run(): Promise<Verdict> }

type Finished = { readonly exitCode: number; readonly output: string }

/** Switches off telemetry and update checks of the tools, as their documentation describes. */
const QUIET = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
  NO_COLOR: '1',
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

const AT_ONCE = 2

/** Runs a script with this very Node. */
const node = (...args: readonly string[]): Promise<Finished> =>
  new Promise((resolve) => {
    const options = { cwd: projectRoot, env: { ...process.env, ...QUIET }, maxBuffer: OUTPUT_BYTES_MAX }
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ exitCode, output: `${stdout}${stderr}` })
    })
  })

const tool = (name: string, ...args: readonly string[]): Promise<Finished> => node(judgesCommand(name), ...args)

const tsc = (...args: readonly string[]): Promise<Finished> => node('node_modules/.bin/tsc', ...args)

const types = async (): Promise<Verdict> => {
  const args = ['--noEmit', '--listFiles', '--pretty', 'false']
  const [server, browser] = [await tsc(...args), await tsc('-p', 'scripts/pages.tsconfig.json', ...args)]
  const exitCode = server.exitCode || browser.exitCode
  const lines = `${server.output}\n${browser.output}`.split('\n')
  const listed = new Set(lines.filter((line) => line.startsWith(projectRoot)))
  const typed = (await listCode(projectRoot)).filter((path) => !path.endsWith('.cjs'))
  const unread = typed.filter((path) => !listed.has(join(projectRoot, path))).map((path) => `not read: ${path}`)
  const errors = lines.filter((line) => line !== '' && !line.startsWith('/'))
  const isOk = exitCode === 0 && unread.length === 0
  return { isOk, read: `${typed.length - unread.length} files`, output: [...unread, ...errors].join('\n') }
}

const LINTED = ['engine', 'handlers', 'scripts', 'test']

const lint = async (): Promise<Verdict> => {
  const code = (await listCode(projectRoot)).filter((path) => LINTED.includes(path.split('/', 1)[0] ?? ''))
  const args = ['check', '--config-path', 'scripts/lintRules.json', '--max-diagnostics=200', ...LINTED]
  const { exitCode, output } = await tool('biome', ...args)
  const count = Number(/Checked (\d+) files?/.exec(output)?.[1] ?? 0)
  const complaint = count >= code.length ? '' : `read ${count} of at least ${code.length} files\n`
  return { isOk: exitCode === 0 && complaint === '', read: `${count} files`, output: complaint + output }
}

const imports = async (): Promise<Verdict> => {
  const { unread, readCount, violations } = await checkImports()
  const lines = [
    ...unread.map((path) => `not read: ${path}`),
    ...violations.map(({ rule, from, to }) => `${rule}: ${from} -> ${to}`),
  ]
  return { isOk: lines.length === 0 && readCount > 0, read: `${readCount} modules`, output: lines.join('\n') }
}

const drift = async (): Promise<Verdict> => {
  const { exitCode, output } = await node('scripts/generate.ts', '--check')
  return { isOk: exitCode === 0, read: 'generated/', output }
}

const contractLint = async (): Promise<Verdict> => {
  const { exitCode, output } = await tool('redocly', 'lint', 'openapi.yaml', '--config', 'scripts/redocly.yaml')
  const isRead = output.includes('openapi.yaml: validated in')
  const text = isRead ? output : `openapi.yaml was not read\n${output}`
  return { isOk: exitCode === 0 && isRead, read: 'openapi.yaml', output: text }
}

const contractDiff = async (): Promise<Verdict> => {
  const { exitCode, output } = await node('scripts/contractDiff.ts')
  const against = /^(?:Compared with (.+):|No earlier version.*)$/m.exec(output)
  return { isOk: exitCode === 0 && against !== null, read: against?.[1] ?? 'no earlier version', output }
}

const unused = async (): Promise<Verdict> => {
  // Only `--debug` lists the files that knip read; the findings follow.
  const { exitCode, output } = await tool('knip', '--config', 'scripts/knip.ts', '--no-progress', '--debug')
  const code = (await listCode(projectRoot)).filter((path) => !path.startsWith('generated/'))
  const unread = code.filter((path) => !output.includes(`'${join(projectRoot, path)}'`)).map((path) => `not read: ${path}`)
  const findings = output.split('\n').slice(output.split('\n').findLastIndex((line) => line.startsWith('[')) + 1)
  const isOk = exitCode === 0 && unread.length === 0
  return { isOk, read: `${code.length - unread.length} files`, output: [...unread, ...findings].join('\n') }
}

const budget = async (): Promise<Verdict> => {
  const check = await checkBudget()
  const [lines, sentences] = [totalOf(check, 'modules', 'lines'), totalOf(check, 'prose', 'sentences')]
  const [isRead, read] = [lines > 0 && sentences > 0, `${lines} lines, ${sentences} sentences`]
  return { isOk: check.problems.length === 0 && isRead, read, output: check.problems.join('\n') }
}

const promises = async (): Promise<Verdict> => {
  const { problems, promises: count, carriers } = await checkPromises()
  const isOk = problems.length === 0 && count > 0 && carriers > 0
  return { isOk, read: `${count} promises, ${carriers} of them in titles`, output: problems.join('\n') }
}

const CHECKS: readonly Check[] = [
  { name: 'types', run: types },
  { name: 'lint', run: lint },
  { name: 'import rules', run: imports },
  { name: 'generated files', run: drift },
  { name: 'contract lint', run: contractLint },
  { name: 'contract diff', run: contractDiff },
  { name: 'unused code', run: unused },
  { name: 'budget', run: budget },
  { name: 'promises', run: promises },
]

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const perform = async ({ name, run }: Check): Promise<boolean> => {
  const startedAt = performance.now()
  const verdict = await run().catch((error: unknown): Verdict => ({ isOk: false, read: 'nothing', output: String(error) }))
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  say(`${verdict.isOk ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds.padStart(5)} s  ${verdict.read}`)
  if (!verdict.isOk) say(verdict.output.trimEnd().replaceAll(/^/gm, '       '))
  return verdict.isOk
}

const main = async (): Promise<void> => {
  installJudges()
  const passed = await mapAtOnce(AT_ONCE, CHECKS, perform)
  const failed = CHECKS.filter((_check, at) => !passed[at]).map(({ name }) => name)
  const failures = `${failed.length} of ${CHECKS.length} checks failed: ${failed.join(', ')}`
  say(failed.length === 0 ? `${CHECKS.length} checks passed` : failures)
  process.exitCode = failed.length === 0 ? 0 : 1
}

if (import.meta.main) await main()
