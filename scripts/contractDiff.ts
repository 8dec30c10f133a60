import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import ACCEPTED_CHANGES from './contract/acceptedChanges.json' with { type: 'json' }
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

/** The parts of redocly's JSON report that this script uses. */
type Side = { readonly pointer: string; readonly value?: unknown }
type ReportedChange = {
  readonly path: string
  readonly impact: string
  readonly property?: string
  readonly verdicts: readonly { readonly message: string }[]
  readonly base?: Side
  readonly revision?: Side
}
type Report = { readonly summary: Readonly<Record<string, number>>; readonly changes: readonly ReportedChange[] }

const readReport = async (path: string, output: string): Promise<Report> => {
  try {
    const { summary, changes } = JSON.parse(await readFile(path, 'utf8')) as Report
    if (typeof summary['major'] === 'number' && Array.isArray(changes)) return { summary, changes }
  } catch (cause) {
    throw new Error(`the contracts cannot be compared:\n${output}`, { cause })
  }
  throw new Error(`the report of redocly diff cannot be read:\n${output}`)
}

type AcceptedChange = {
  /** A JSON pointer to the keyword or its schema before the change. */
  readonly at: string
  readonly property: string
  readonly from?: unknown
  readonly to?: unknown
  readonly reason: string
}

/** test/clients/typescript.test.ts proves that a client of an earlier contract goes on working. */
const ACCEPTED: readonly AcceptedChange[] = ACCEPTED_CHANGES

const CODES_OF_PAID_503 = ['PAYMENT_PENDING', 'NOT_CONFIGURED', 'OVERLOADED'].join()

/**
 * Why a change that the diff rates as breaking breaks no client; null without a reason. A reason holds for one change of one
 * keyword from one value to another.
 */
const reasonFor = ({ path, property, base, revision }: ReportedChange): string | null => {
  const [at, from, to] = [base?.pointer ?? '', base?.value, revision?.value]
  // The service sends nothing differently: the response only no longer names the fields that it cannot have.
  const isOpened = path.includes('/responses/') && property === 'additionalProperties' && from === false && to === undefined
  if (isOpened) return 'responses are open: a client accepts unknown fields'
  // The contract states that later versions add codes.
  const isPaid503 = path.includes('/responses/503/') && at === '#/components/schemas/PaymentErrorCode/enum'
  if (isPaid503 && Array.isArray(to) && to.join() === CODES_OF_PAID_503)
    return 'a client treats an unknown code by its HTTP status, which says that the request can be repeated later'
  const accepted = ACCEPTED.find(
    (change) => change.at === at && change.property === property && change.from === from && change.to === to,
  )
  return accepted?.reason ?? null
}

const messageOf = ({ verdicts }: ReportedChange): string => verdicts.map(({ message }) => message).join(' ')

/** Lists breaking changes one by one, and accepted ones by their reason. */
const listChanges = (major: readonly ReportedChange[]): readonly string[] =>
  [...Map.groupBy(major, reasonFor)].flatMap(([reason, changes]) => {
    if (reason === null) return changes.map((change) => `breaking: ${messageOf(change)}\n  at ${change.path}`)
    return changes.length === 1
      ? changes.map((change) => `accepted: ${messageOf(change)} Reason: ${reason}.`)
      : [`accepted: ${changes.length} times, such as ${messageOf(changes[0] as ReportedChange)} Reason: ${reason}.`]
  })

/** Rates the changes from `base` to `revision`. Throws if they cannot be compared, so that a broken tool fails. */
export const diffContracts = async (base: string, revision: string): Promise<DiffResult> => {
  const directory = await mkdtemp(join(tmpdir(), 'contract-diff-'))
  try {
    const basePath = join(directory, 'base.json')
    const revisionPath = join(directory, 'revision.json')
    const reportPath = join(directory, 'report.json')
    await writeFile(basePath, base)
    await writeFile(revisionPath, revision)
    const options = ['--config', 'scripts/redoclyDiff.yaml', '--format', 'json', '-o', reportPath]
    const { exitCode, output } = await redocly(['diff', basePath, revisionPath, ...options])
    const { summary, changes } = await readReport(reportPath, output)
    const major = changes.filter(({ impact }) => impact === 'major')
    const isRated = summary['major'] === major.length && major.length > 0 === (exitCode !== 0)
    if (!isRated) throw new Error(`redocly diff contradicts itself (exit ${exitCode}):\n${output}`)
    const counts = Object.entries(summary).map(([impact, count]) => `${count} ${impact}`)
    const isBreaking = major.some((change) => reasonFor(change) === null)
    return { breaking: isBreaking, report: [...listChanges(major), counts.join(', ')].join('\n') }
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
