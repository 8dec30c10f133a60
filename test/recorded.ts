import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { projectRoot } from '../scripts/contract/document.ts'
import { isPass, judgeExchanges, readExchanges, tellJudgement } from './support/judgeExchanges.ts'
import { startPrism } from './support/prism.ts'

/**
 * Runs the suites, records what the services under test answer, one answer of every shape, and then has Prism judge all of
 * them. Arguments are passed on to vitest.
 */

/** What the whole run is known to meet, operation by status. */
const KINDS_MIN = 49

/** What the pages looked like, for a person to see. */
const SCREENSHOTS = process.env['SWAP_TEST_SCREENSHOTS'] ?? join(projectRoot, 'coverage/screenshots')

const runVitest = (folder: string, args: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const cli = join(projectRoot, 'node_modules/.bin/vitest')
    const env = { ...process.env, SWAP_TEST_RECORD_TO: folder, SWAP_TEST_SCREENSHOTS: SCREENSHOTS }
    const all = [cli, 'run', '--config', 'test/vitest.config.ts', '--coverage', ...args]
    const child = spawn(process.execPath, all, { cwd: projectRoot, env, stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })

const main = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'swap-exchanges-'))
  try {
    const args = process.argv.slice(2)
    const exitCode = await runVitest(folder, args)
    const prism = await startPrism()
    const judgement = await judgeExchanges(prism, await readExchanges(folder)).finally(() => prism.close())
    process.stdout.write(`${tellJudgement(judgement)}\n`)
    if (existsSync(SCREENSHOTS)) process.stdout.write(`The pages as they looked: ${relative(process.cwd(), SCREENSHOTS)}\n`)
    process.exitCode = exitCode === 0 && isPass(judgement, args.length > 0 ? 1 : KINDS_MIN) ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

await main()
