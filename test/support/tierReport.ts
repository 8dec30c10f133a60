import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { projectRoot } from '../../scripts/contract/document.ts'
import { howToInstall, isExplained, missingNeeds } from './needs.ts'

type Ran = { readonly path: string; readonly skipped: number }

const ranBy = (module: TestModule): Ran => ({
  path: relative(projectRoot, module.moduleId),
  skipped: [...module.children.allTests('skipped')].length,
})

/** Ends a run with what was skipped and why. A skipped test that `needs.ts` does not explain fails the run. */
export const createTierReport = (write: (line: string) => void): Reporter => {
  let isFiltered = false
  return {
    onInit: ({ config }) => {
      isFiltered = config.testNamePattern !== undefined
    },
    onTestRunEnd: (modules) => {
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
      if (unexplained.length > 0) process.exitCode = 1
    },
  }
}
