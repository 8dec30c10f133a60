import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from './contract/document.ts'

/**
 * Generates clients from the contract in each language, compiles them and has them swap, pay and be refused: `npm run clients`.
 * What the machine lacks for one of them is said, and that one left out. Arguments are passed on to vitest.
 */
const SUITES = ['guide', 'typescript', 'otherLanguages'].map((name) => `test/clients/${name}.test.ts`)

const args = ['run', '--config', 'test/vitest.config.ts', '--reporter', 'verbose', ...SUITES, ...process.argv.slice(2)]
const child = spawn(process.execPath, [join(projectRoot, 'node_modules/.bin/vitest'), ...args], {
  cwd: projectRoot,
  stdio: 'inherit',
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
