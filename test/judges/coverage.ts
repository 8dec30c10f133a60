import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import istanbul from '@vitest/coverage-istanbul'
import type { CoverageProviderModule } from 'vitest/node'

/**
 * Counts lines as `@vitest/coverage-istanbul` does, and tells less of them: files of tests share a worker, and of each only
 * those modules are written in which something ran for the first time in that worker. The counts of all modules after every
 * file are some gigabytes, which one thread would add up at the end.
 */

type FileCoverage = {
  readonly s: { readonly [statement: string]: number }
  readonly f: { readonly [name: string]: number }
  readonly b: { readonly [branch: string]: readonly number[] }
}

type Worker = {
  /** Put there by the instrumented modules, which go on counting. */
  readonly __VITEST_COVERAGE__?: { readonly [path: string]: FileCoverage }
  /** How much of each module had run when it was told of last. */
  toldCoverage?: Map<string, number>
}

const howMuchRan = ({ s, f, b }: FileCoverage): number => {
  let ran = 0
  for (const counts of [Object.values(s), Object.values(f), ...Object.values(b)])
    for (const count of counts) if (count > 0) ran += 1
  return ran
}

/** Those of which more has run than was told; and what has not run at all once. */
const takeNews = (worker: Worker): { readonly [path: string]: FileCoverage } => {
  worker.toldCoverage ??= new Map()
  const told = worker.toldCoverage
  const news = Object.entries(worker.__VITEST_COVERAGE__ ?? {}).filter(([path, coverage]) => {
    const ran = howMuchRan(coverage)
    if (ran <= (told.get(path) ?? -1)) return false
    told.set(path, ran)
    return true
  })
  return Object.fromEntries(news)
}

const provider: CoverageProviderModule = {
  ...istanbul,
  // The counts go on from file to file.
  startCoverage: () => undefined,
  takeCoverage: async (options) => {
    if (options?.coverageFilesDirectory === undefined) throw new TypeError('Vitest names no folder for what was counted.')
    const file = join(options.coverageFilesDirectory, `coverage-${randomUUID()}.json`)
    await writeFile(file, JSON.stringify(takeNews(globalThis as Worker)))
    return file
  },
}

export default provider
