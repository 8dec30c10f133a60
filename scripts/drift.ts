import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError, parseConfig } from '../engine/config/config.ts'
import { systemClock } from '../engine/core/clock.ts'
import { checkPins, describeCheck } from '../engine/venues/checkPins.ts'
import { list, object, shape, text } from '../engine/venues/kit/shapes.ts'
import { installJudges, JUDGES } from './judges.ts'
import { connect } from './operator/network.ts'
import { printable } from './operator/printing.ts'
import { compareVenue, describeComparison, isUpToDate } from './published/compare.ts'
import { ROWS } from './published/rows.ts'

/**
 * `npm run drift`: compares the tables of the venues' adapters with the newest packages that the venues publish, and their pinned
 * values with live hosts and chains. Exits with 1 where anything differs, with 2 where anything could not be compared.
 */

const run = promisify(execFile)

/** Time limit of one package, ms. */
const FETCH_MS = 2 * 60_000
const HOSTS_MS = 60_000

type Outcome = 'asPublished' | 'differs' | 'unread'

const packShape = shape('npm pack', list(object({ filename: text({ pattern: '^[^/\\\\]+\\.tgz$' }) }), { minItems: 1 }))

const tarballIn = (stdout: string): string => packShape.read(JSON.parse(stdout))[0]?.filename ?? ''

/**
 * Unpacks the newest version of each package without its dependencies, which the tables do not need. Imports of a package resolve
 * to the packages of test/judges, whose folder contains `folder`, and then to the project's. Runs no install scripts.
 */
const fetchNewest = async (folder: string, names: readonly string[]): Promise<string> => {
  const packagesDir = join(folder, 'node_modules')
  for (const name of names) {
    const target = join(packagesDir, name)
    await mkdir(target, { recursive: true })
    const args = ['pack', `${name}@latest`, '--json', '--ignore-scripts', '--loglevel=error', `--pack-destination=${folder}`]
    const { stdout } = await run('npm', args, { cwd: folder, timeout: FETCH_MS })
    const tarball = join(folder, tarballIn(stdout))
    await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], { timeout: FETCH_MS })
    // The newest version must also find the nested dependencies of the pinned one, whose versions differ from the project's.
    const own = join(JUDGES, name, 'node_modules')
    if (existsSync(own)) await symlink(own, join(target, 'node_modules'))
  }
  return packagesDir
}

/** Escapes control characters in texts of venues and packages. */
export const printedLines = (lines: readonly string[]): string => lines.map((line) => `${printable(line)}\n`).join('')

const say = (...lines: readonly string[]): void => {
  process.stdout.write(printedLines(lines))
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Runs all comparisons: one that fails does not hide the differences of the others. */
const comparePackages = async (packagesDir: string): Promise<readonly Outcome[]> => {
  const venues = Object.entries(ROWS)
  const outcomes = await Promise.allSettled(venues.map(([venue, rows]) => compareVenue(venue, rows, packagesDir)))
  return outcomes.map((outcome, i) => {
    if (outcome.status === 'rejected') {
      say(`not compared: ${venues[i]?.[0]}: ${reasonOf(outcome.reason)}`)
      return 'unread'
    }
    say(...describeComparison(outcome.value).split('\n'))
    return isUpToDate(outcome.value) ? 'asPublished' : 'differs'
  })
}

/** The comparison that the running service makes, with the live hosts and chains that the environment names. */
const compareHosts = async (): Promise<readonly Outcome[]> => {
  const config = parseConfig({ ...process.env, NETWORK: 'mainnet' })
  const { venues, close } = connect(config, { clock: systemClock, observe: () => undefined })
  try {
    const checks = await Promise.all([...venues.values()].map((venue) => checkPins(venue, AbortSignal.timeout(HOSTS_MS))))
    return checks.flat().map((check) => {
      say(...describeCheck(check))
      return check.failure !== null ? 'unread' : check.differences.length > 0 ? 'differs' : 'asPublished'
    })
  } finally {
    await close()
  }
}

const main = async (): Promise<number> => {
  installJudges()
  const folder = await mkdtemp(join(JUDGES, '.drift-'))
  try {
    const hosts = await compareHosts()
    const names = [...new Set(Object.values(ROWS).flatMap((rows) => rows.map((row) => row.package)))]
    const outcomes = [...hosts, ...(await comparePackages(await fetchNewest(folder, names)))]
    if (outcomes.includes('unread')) return 2
    return outcomes.includes('differs') ? 1 : 0
  } catch (error) {
    if (error instanceof ConfigError) say(...error.message.split('\n'))
    else say(`the newest packages could not be fetched: ${reasonOf(error)}`)
    return 2
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) process.exitCode = await main()
