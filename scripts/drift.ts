import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { HttpClient } from '../engine/net/httpClient.ts'
import { createHttpClient } from '../engine/net/undiciClient.ts'
import { list, object, shape, text } from '../engine/venues/kit/shapes.ts'
import { projectRoot } from './contract/document.ts'
import { COMPARATORS, HOST_COMPARATORS } from './published/comparators.ts'
import { type Comparison, describeComparison, isUpToDate } from './published/comparison.ts'

/**
 * Holds our tables of the venues against the newest packages the venues publish, and against what their hosts tell:
 * `npm run drift`, online and by hand, as `npm test` does with the pinned packages. Ends with 1 where anything differs, with 2 where it could not be found out.
 */

const run = promisify(execFile)

/** For one package. */
const FETCH_MS = 2 * 60_000

const packShape = shape('npm pack', list(object({ filename: text({ pattern: '^[^/\\\\]+\\.tgz$' }) }), { minItems: 1 }))

const tarballIn = (stdout: string): string => packShape.read(JSON.parse(stdout))[0]?.filename ?? ''

/**
 * Unpacks the newest of each package, and nothing that it depends on: the tables need none of it, and what a package
 * loads all the same is found in our own node_modules, inside which `folder` is. No script of theirs is run by that.
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
    // What the pinned one has of its own beside ours, of another age, the newest has to be able to load as well.
    const own = join(projectRoot, 'node_modules', name, 'node_modules')
    if (existsSync(own)) await symlink(own, join(target, 'node_modules'))
  }
  return packagesDir
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A package whose newest form cannot be read any more, or a host that does not answer, tells nothing about the others. */
const compareAll = async (
  packagesDir: string,
  http: HttpClient,
): Promise<{ comparisons: readonly Comparison[]; isComplete: boolean }> => {
  const all = [
    ...COMPARATORS.map(({ packages, compare }) => ({ of: packages.join(', '), outcome: compare(packagesDir) })),
    ...HOST_COMPARATORS.map(({ host, compare }) => ({ of: host, outcome: compare(http, host) })),
  ]
  const outcomes = await Promise.allSettled(all.map(({ outcome }) => outcome))
  const comparisons = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  for (const comparison of comparisons) say(describeComparison(comparison))
  outcomes.forEach((outcome, i) => {
    if (outcome.status === 'rejected') say(`not compared: ${all[i]?.of}: ${reasonOf(outcome.reason)}`)
  })
  return { comparisons, isComplete: comparisons.length === outcomes.length }
}

const main = async (): Promise<number> => {
  const folder = await mkdtemp(join(projectRoot, 'node_modules', '.drift-'))
  const http = createHttpClient()
  try {
    const names = [...new Set(COMPARATORS.flatMap(({ packages }) => packages))]
    const { comparisons, isComplete } = await compareAll(await fetchNewest(folder, names), http)
    if (!isComplete) return 2
    return isUpToDate(comparisons) ? 0 : 1
  } catch (error) {
    say(`the newest packages could not be fetched: ${reasonOf(error)}`)
    return 2
  } finally {
    await http.close()
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) process.exitCode = await main()
