import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { projectRoot } from '../../scripts/contract/document.ts'
import { idsOf, readPromises } from '../../scripts/promises.ts'
import { howToInstall, isExplained, missingNeeds } from './needs.ts'

type Ran = { readonly path: string; readonly skipped: number }

const ranBy = (module: TestModule): Ran => ({
  path: relative(projectRoot, module.moduleId),
  skipped: [...module.children.allTests('skipped')].length,
})

/** The ids in the titles of a test and of its groups. */
const idsAbove = (entity: TestCase | TestSuite | TestModule): readonly string[] =>
  entity.type === 'module' ? [] : [...idsOf(entity.name), ...idsAbove(entity.parent)]

/** Promises of the list without a test that ran and passed. The runners of long runs are no tests. */
const unprovedPromises = async (modules: readonly TestModule[]): Promise<readonly string[]> => {
  const { owners } = readPromises(await readFile(join(projectRoot, 'test/PROMISES.md'), 'utf8'))
  const proved = new Set(modules.flatMap(({ children }) => [...children.allTests('passed')].flatMap(idsAbove)))
  return [...owners].flatMap(([id, { level }]) => (level === 'stress' || proved.has(id) ? [] : [id]))
}

/**
 * Ends a run with what was skipped and why. A skipped test that `needs.ts` does not explain
 * fails the run. In a whole run (`SWAP_TEST_WHOLE`), so does a promise without a test that passed.
 */
export const createTierReport = (write: (line: string) => void): Reporter => {
  let isFiltered = false
  return {
    onInit: ({ config }) => {
      isFiltered = config.testNamePattern !== undefined
    },
    onTestRunEnd: async (modules) => {
      const ran = modules.map(ranBy)
      const missing = missingNeeds()
      for (const name of missing) {
        const paths = ran.map(({ path }) => path).filter((path) => isExplained(path, [name]))
        if (paths.length > 0) write(`Skipped without ${name} (${howToInstall(name)}): tests of ${[...new Set(paths)].join(', ')}`)
      }
      // A name pattern skips every other test.
      const unexplained = isFiltered ? [] : ran.filter(({ path, skipped }) => skipped > 0 && !isExplained(path, missing))
      for (const { path, skipped } of unexplained)
        write(`${path}: ${skipped} tests are skipped for no reason that test/support/needs.ts names`)
      const unproved = process.env['SWAP_TEST_WHOLE'] === undefined ? [] : await unprovedPromises(modules)
      for (const id of unproved) write(`${id}: no test of this promise ran and passed`)
      if (unexplained.length + unproved.length > 0) process.exitCode = 1
    },
  }
}
