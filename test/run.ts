import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { projectRoot } from '../scripts/contract/document.ts'
import { installJudges } from '../scripts/judges.ts'
import { isPass, judgeExchanges, readExchanges, tellJudgement } from './support/judgeExchanges.ts'
import { startPrism } from './support/prism.ts'

/**
 * Runs a tier of the tests: `node test/run.ts quick|system|all [arguments of vitest]`. `all` counts coverage, records what the
 * services under test answer, one answer of every shape, and has Prism judge the recorded answers.
 */

const TIERS: { readonly [tier: string]: readonly string[] } = {
  quick: ['quick', 'alone'],
  system: ['system', 'postgresql'],
  all: ['quick', 'alone', 'system', 'postgresql'],
}

/** Pairs of operation and status that a whole run is known to meet. */
const KINDS_MIN = 49

/** Where the suites of pages leave screenshots for a person to look at. */
const SCREENSHOTS = process.env['SWAP_TEST_SCREENSHOTS'] ?? join(projectRoot, 'coverage/screenshots')

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const runVitest = (args: readonly string[], env: { readonly [name: string]: string } = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const cli = join(projectRoot, 'node_modules/vitest/vitest.mjs')
    const all = [cli, 'run', '--config', 'test/vitest.config.ts', ...args]
    const child = spawn(process.execPath, all, {
      cwd: projectRoot,
      env: { ...process.env, SWAP_TEST_SCREENSHOTS: SCREENSHOTS, ...env },
      stdio: 'inherit',
    })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })

const runAll = async (projects: readonly string[], args: readonly string[]): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'swap-exchanges-'))
  try {
    const isWhole = args.length === 0
    const coverage = isWhole ? ['--coverage'] : []
    const exitCode = await runVitest([...projects, ...coverage, ...args], {
      SWAP_TEST_RECORD_TO: folder,
      ...(isWhole && { SWAP_TEST_WHOLE: '1' }),
    })
    const prism = await startPrism()
    const judgement = await judgeExchanges(prism, await readExchanges(folder)).finally(() => prism.close())
    say(tellJudgement(judgement))
    return exitCode === 0 && (isWhole ? isPass(judgement, KINDS_MIN) : judgement.violations.length === 0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const main = async (): Promise<void> => {
  const [tier = '', ...args] = process.argv.slice(2)
  const projects = TIERS[tier]?.map((project) => `--project=${project}`)
  if (!projects) throw new TypeError(`Name a tier: ${Object.keys(TIERS).join(', ')}.`)
  if (tier !== 'quick') installJudges()
  const isGreen = tier === 'all' ? await runAll(projects, args) : (await runVitest([...projects, ...args])) === 0
  if (tier === 'quick')
    say(
      'Suites that start Debian programs, browsers, PostgreSQL or several processes are not part of this run: npm run test:system',
    )
  else if (existsSync(SCREENSHOTS)) say(`Screenshots: ${relative(process.cwd(), SCREENSHOTS)}`)
  process.exitCode = isGreen ? 0 : 1
}

await main()
