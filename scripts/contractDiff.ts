import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { type OpenApiDocument, projectRoot, redocly } from './contract/document.ts'

const contractPath = 'generated/openapi.json'

const run = promisify(execFile)

const git = async (...args: readonly string[]): Promise<string> =>
  (await run('git', args, { cwd: projectRoot, maxBuffer: 64 * 1024 * 1024 })).stdout

type Baseline = { readonly label: string; readonly text: string }

/** The newest committed contract that differs from the current one: on the commit of a change, the one before it. */
const committedBaseline = async (current: string): Promise<Baseline | null> => {
  // A repository without a first commit has no HEAD, and `git log` fails on it.
  const hasHistory = await git('rev-parse', '--verify', '--quiet', 'HEAD').then(
    () => true,
    () => false,
  )
  if (!hasHistory) return null
  const commits = (await git('log', '--format=%h', '--diff-filter=AM', '--', contractPath)).split('\n').filter(Boolean)
  for (const commit of commits) {
    const text = await git('show', `${commit}:./${contractPath}`)
    if (text !== current) return { label: `commit ${commit}`, text }
  }
  return null
}

const majorOf = (text: string): number => Number.parseInt((JSON.parse(text) as OpenApiDocument).info.version, 10)

export type DiffResult = { readonly breaking: boolean; readonly report: string }

/** Rates the changes from `base` to `revision`. Throws when they cannot be compared, so that a broken tool is no pass. */
export const diffContracts = async (base: string, revision: string): Promise<DiffResult> => {
  const directory = await mkdtemp(join(tmpdir(), 'contract-diff-'))
  try {
    const basePath = join(directory, 'base.json')
    const revisionPath = join(directory, 'revision.json')
    await writeFile(basePath, base)
    await writeFile(revisionPath, revision)
    const { exitCode, output } = await redocly(['diff', basePath, revisionPath, '--config', 'scripts/redoclyDiff.yaml'])
    const summary = /^(\d+) major, \d+ minor, \d+ patch\.$/m.exec(output)
    if (!summary) throw new Error(`the contracts cannot be compared:\n${output}`)
    const breaking = Number(summary[1]) > 0
    if (breaking !== (exitCode !== 0)) throw new Error(`redocly diff contradicts itself (exit ${exitCode}):\n${output}`)
    return { breaking, report: output }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { base: { type: 'string' } } })
  const current = await readFile(join(projectRoot, contractPath), 'utf8')
  const baseline = values.base
    ? { label: values.base, text: await readFile(values.base, 'utf8') }
    : await committedBaseline(current)
  if (!baseline) {
    console.log(`No earlier version of ${contractPath} in the history at hand: nothing to compare with.`)
    return
  }
  const { breaking, report } = await diffContracts(baseline.text, current)
  console.log(`Compared with ${baseline.label}:\n${report}`)
  if (!breaking) return
  if (majorOf(current) > majorOf(baseline.text)) {
    console.log('The change is breaking, and info.version says so.')
    return
  }
  console.error('Breaking change: keep the contract compatible, or raise the major number of info.version on purpose.')
  process.exitCode = 1
}

if (import.meta.main) await main()
