/**
 * Mutation testing of the modules that handle money and status. It changes the product in one place at a time, and runs the tests
 * that reach the place. `npm run mutate` writes test/mutation.json, and fails if a module lost more than one point since its first score.
 * `--module ledger` judges one module, `--minutes 60` stops in time; the same command continues. See scripts/mutation/README.md.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { projectRoot } from './contract/document.ts'
import { findMutants, type Mutant } from './mutation/findMutants.ts'
import { createJobs, type DryRun, type Job, type Judgement, listTests, TESTS } from './mutation/jobs.ts'
import { record, survivorsOf, UNTRIED } from './mutation/record.ts'
import { createSessions } from './mutation/sessions.ts'

/** `parts`: the first group of the path, of which each gets a sample of its own. A name stays when its folder is renamed. */
const MODULES: { readonly [name: string]: { readonly files: string; readonly holds?: RegExp; readonly parts?: RegExp } } = {
  execution: { files: 'engine/execution/**/*.ts' },
  quoting: { files: 'engine/quoting/**/*.ts' },
  ledger: { files: 'engine/ledger/**/*.ts' },
  venues: { files: 'engine/venues/*/{decode,track,events}*.ts', parts: /^engine\/venues\/([^/]+)\// },
  // The writes.
  store: { files: 'engine/store/*.ts', holds: /\.(insertInto|updateTable|deleteFrom)\(/ },
  x402: { files: 'engine/x402/**/*.ts' },
}

/** A change of these begins a new run. The scores themselves are no change. */
const JUDGED = ['engine', 'handlers', 'generated', 'openapi.yaml', 'package-lock.json', 'test', ':!test/mutation.json']

const FOLDER = join(projectRoot, 'coverage/mutation')

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim()

type Planned = Mutant & { readonly module: string }

/** Ranked by a digest of seed and key: a mutant stays in the sample whatever happens to other code. */
const sample = (module: string, seed: string, count: number): readonly Planned[] => {
  const { files, holds, parts } = MODULES[module] ?? { files: '' }
  const paths = globSync(files, { cwd: projectRoot }).sort()
  const found = paths.flatMap((path) => {
    const text = readFileSync(join(projectRoot, path), 'utf8')
    return holds?.test(text) === false ? [] : findMutants(path, text)
  })
  const seen = new Map<string, number>()
  const keyed = found.map((mutant): Planned => {
    const base = `${parts?.exec(mutant.file)?.[1] ?? ''} ${mutant.key}`.trim()
    const ordinal = (seen.get(base) ?? 0) + 1
    seen.set(base, ordinal)
    return { ...mutant, module, key: ordinal === 1 ? base : `${base} #${ordinal}` }
  })
  const ranked = keyed.toSorted((a, b) => (digest(seed + a.key) < digest(seed + b.key) ? -1 : 1))
  const groups = Map.groupBy(ranked, ({ file }) => parts?.exec(file)?.[1] ?? '')
  return [...groups.values()].flatMap((group) => group.slice(0, count))
}

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      module: { type: 'string', multiple: true, default: Object.keys(MODULES) },
      mutants: { type: 'string', default: '300' },
      'mutants-venue': { type: 'string', default: '40' },
      seed: { type: 'string', default: '33' },
      minutes: { type: 'string', default: '120' },
      seconds: { type: 'string', default: '20' },
      tests: { type: 'string', default: TESTS },
      'killed-only': { type: 'boolean', default: false },
    },
  })
  const unknown = values.module.find((name) => MODULES[name] === undefined)
  if (unknown !== undefined) throw new RangeError(`--module takes ${Object.keys(MODULES).join(', ')}`)
  return values
}

const main = async (): Promise<void> => {
  const options = readOptions()
  const mutants = Object.keys(MODULES).flatMap((name) => {
    const chosen = sample(name, options.seed, Number(options[MODULES[name]?.parts ? 'mutants-venue' : 'mutants']))
    if (chosen.length === 0) throw new Error(`${name}: no mutants found`)
    return chosen
  })
  const changes = git('diff', '--', ...JUDGED) + git('ls-files', '--others', '--exclude-standard', '--', ...JUDGED)
  const state = digest(git('ls-files', '--stage', '--', ...JUDGED) + changes)
  const commit = git('rev-parse', 'HEAD')
  const rule = `${options.tests}, at most ${options.seconds} s a mutant`
  const plan = JSON.stringify({ state, rule, mutants })
  const [planPath, resultsPath] = [join(FOLDER, 'plan.json'), join(FOLDER, 'results.jsonl')]
  mkdirSync(FOLDER, { recursive: true })
  if (!existsSync(planPath) || readFileSync(planPath, 'utf8') !== plan) {
    writeFileSync(planPath, plan)
    writeFileSync(resultsPath, '')
  }
  const lines = readFileSync(resultsPath, 'utf8').trim().split('\n').filter(Boolean)
  const results: (DryRun | Judgement)[] = lines.map((line) => JSON.parse(line))
  const tests = await listTests(options.tests)
  const endsAt = Date.now() + Number(options.minutes) * 60_000
  const sessions = createSessions({ planPath, firstTest: tests[0] ?? '', endsAt }, (answer) => {
    results.push(answer)
    appendFileSync(resultsPath, `${JSON.stringify(answer)}\n`)
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  process.once('exit', sessions.close)
  try {
    // A file that fails is tried once more: without a mutant all must be green.
    for (const _attempt of [1, 2]) {
      const passed = new Set(results.flatMap((result) => (result.kind === 'dry' && result.isGreen ? [result.path] : [])))
      await sessions.run(tests.filter((path) => !passed.has(path)).map((path): Job => ({ kind: 'dry', path })))
    }
    if (Date.now() > endsAt) throw new Error('the time was over before all test files ran: the same command continues')
    const green = results.filter((result): result is DryRun => result.kind === 'dry' && result.isGreen)
    const red = tests.filter((test) => !green.some(({ path }) => path === test))
    if (red.length > 0 || green.length === 0) throw new Error(`fail without a mutant: ${red.join(', ') || 'no test files'}`)
    const jobFor = createJobs(mutants, green, Number(options.seconds) * 1_000)
    const judged = new Set(results.flatMap((result) => (result.kind === 'mutant' ? [result.id] : [])))
    const open = mutants.flatMap(({ module }, id) => (options.module.includes(module) && !judged.has(id) ? [id] : []))
    const known = new Map(options['killed-only'] ? options.module.map((name) => [name, survivorsOf(name)]) : [])
    const isUntried = (id: number): boolean => known.get(mutants[id]?.module ?? '')?.has(mutants[id]?.key ?? '') === true
    const ids = open.filter((id) => !isUntried(id))
    results.push(
      ...open
        .filter(isUntried)
        .map((id): Judgement => ({ kind: 'mutant', id, verdict: 'survived', by: UNTRIED, failure: '', ms: 0 })),
    )
    say(`${green.length} test files, ${mutants.length} mutants, ${ids.length} to judge`)
    await sessions.run(ids.map(jobFor))
  } finally {
    sessions.close()
  }
  const judgements = new Map(results.flatMap((result) => (result.kind === 'mutant' ? [[result.id, result]] : [])))
  for (const name of options.module) {
    const own = mutants.flatMap((mutant, id) => (mutant.module === name ? [{ mutant, judgement: judgements.get(id) }] : []))
    const open = own.filter(({ judgement }) => judgement === undefined).length
    if (open > 0) say(`${name}: ${open} of ${own.length} mutants are left, the same command continues`)
    const isKept = record(name, { rule, seed: options.seed, commit, isClean: changes === '' }, own, say)
    if (open > 0 || !isKept) process.exitCode = 1
  }
}

await main()
