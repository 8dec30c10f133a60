import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ForksPoolWorker, type PoolOptions, startVitest } from 'vitest/node'
import { projectRoot } from '../contract/document.ts'
import { instrument, type Mutant } from './findMutants.ts'
import { readSettings } from './jobs.ts'

/** Starts Vitest with the settings of the `quick` project, the mutants in the product, and a worker that asks for its jobs. */

class Worker extends ForksPoolWorker {
  protected override readonly entrypoint = join(import.meta.dirname, 'worker.ts')
}

const [plan = '', first = ''] = process.argv.slice(2)
const mutants: readonly Mutant[] = JSON.parse(readFileSync(plan, 'utf8')).mutants
const byFile = Map.groupBy(
  mutants.map((mutant, id) => ({ ...mutant, id })),
  ({ file }) => file,
)

const plugin = {
  name: 'mutants',
  enforce: 'pre' as const,
  transform: (code: string, id: string) => {
    const chosen = byFile.get(relative(projectRoot, id.split('?')[0] ?? ''))
    return chosen ? { code: instrument(code, chosen), map: null } : null
  },
}

const pool = { name: 'mutants', createPoolWorker: (options: PoolOptions) => new Worker(options) }
const overrides = { root: projectRoot, coverage: { enabled: false }, fsModuleCache: false, reporters: [{}], maxWorkers: 1, pool }
const test = { ...(await readSettings()), ...overrides }
const vitest = await startVitest('test', [first], { config: false, watch: false }, { plugins: [plugin], test })
await vitest.close()
