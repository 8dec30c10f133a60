import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBudget } from '../scripts/budget.ts'
import { projectRoot } from '../scripts/contract/document.ts'
import { checkImports, type ImportCheck, listCode } from '../scripts/importRules.ts'
import { judgesCommand } from '../scripts/judges.ts'
import { checkPromises } from '../scripts/promises.ts'
import { isExplained, NEEDS, type NeedName } from './support/needs.ts'

const { forbidden } = createRequire(import.meta.url)('../scripts/dependencyRules.cjs') as {
  forbidden: readonly { name: string }[]
}

/** A small tree in the layout of the project that keeps every rule. */
const lawful: Readonly<Record<string, string>> = {
  'engine/core/amount.ts': 'export const amount = 1n',
  'engine/errors.ts': 'export const failure = 1',
  'engine/engine.ts': "import { VENUES } from './venues/registry.ts'\nexport const engine = VENUES",
  'engine/net/client.ts': "import { Agent } from 'undici'\nexport const client = Agent",
  'engine/chains/evm.ts': "export const evm = () => import('viem')",
  'engine/store/database.ts': "import { Kysely } from 'kysely'\nexport const database = Kysely",
  'engine/venues/venue.ts': "import { amount } from '../core/amount.ts'\nexport const venue = amount",
  'engine/venues/registry.ts': "import { alpha } from './alpha/venue.ts'\nexport const VENUES = [alpha]",
  'engine/venues/kit/read.ts': "import { amount } from '../../core/amount.ts'\nexport const read = amount",
  'engine/venues/alpha/venue.ts':
    "import { venue } from '../venue.ts'\nimport { map } from './map.ts'\nexport const alpha = [venue, map]",
  'engine/venues/alpha/map.ts': "import { client } from '../../net/client.ts'\nexport const map = client",
  'engine/venues/alpha/protocol.ts': "import { amount } from '../../core/amount.ts'\nexport const layout = amount",
  'engine/simnet/venues/alpha/layout.ts':
    "import { layout } from '../../../venues/alpha/protocol.ts'\nexport const simLayout = layout",
  'engine/venues/beta/venue.ts': "import { amount } from '../../core/amount.ts'\nexport const beta = amount",
  'engine/simnet/simnet.ts': "import { amount } from '../core/amount.ts'\nexport const simnet = amount",
  'engine/simnet/kit/pay.ts': "import { amount } from '../../core/amount.ts'\nexport const pay = amount",
  'engine/simnet/venues/alpha/alpha.ts': "import { pay } from '../../kit/pay.ts'\nexport const simAlpha = pay",
  'engine/simnet/vm.ts': "export const vm = () => import('litesvm/dist/internal.js')",
  'generated/validators.cjs': 'exports.responses = {}',
  'engine/observe/observe.ts': 'export type Event = string',
  'handlers/requestLog.ts': "import type { Event } from '../engine/observe/observe.ts'\nexport type Told = Event",
  'handlers/app.ts':
    "import Koa from 'koa'\nimport { engine } from '../engine/engine.ts'\nimport * as validators from '../generated/validators.cjs'\n" +
    'export const app = [Koa, engine, validators]',
  'scripts/serve.ts':
    "import { app } from '../handlers/app.ts'\nimport type { simnet } from '../engine/simnet/simnet.ts'\n" +
    "export const serve = [app, (): Promise<{ simnet: typeof simnet }> => import('../engine/simnet/simnet.ts')]",
  'test/alpha.test.ts': "import { map } from '../engine/venues/alpha/map.ts'\nexport const tested = map",
}

type Plant = readonly [path: string, source: string]

/** For every rule one file that breaks it. */
const plants: Readonly<Record<string, Plant>> = {
  'no-cycles': [
    'engine/quoting/circle.ts',
    "import { circle } from './circle.ts'\nexport const other = () => circle\nexport const circle = other",
  ],
  resolvable: ['engine/quoting/lost.ts', "import { lost } from './nowhere.ts'\nexport const found = lost"],
  'engine-is-inner': ['engine/quoting/outward.ts', "import { app } from '../../handlers/app.ts'\nexport const outward = app"],
  'handlers-see-the-facade': [
    'handlers/deep.ts',
    "import { database } from '../engine/store/database.ts'\nexport const deep = database",
  ],
  'generated-is-a-leaf': ['generated/rooted.cjs', "exports.rooted = require('../engine/core/amount.ts')"],
  'pages-know-nothing': ['engine/pages/nosy.ts', "import { failure } from '../errors.ts'\nexport const nosy = failure"],
  'browsers-have-no-server': [
    'engine/pages/browser/deep.js',
    "import { amount } from '../../core/amount.ts'\nexport const deep = amount",
  ],
  'core-is-pure': ['engine/core/impure.ts', "import { failure } from '../errors.ts'\nexport const impure = failure"],
  'core-does-no-io': ['engine/core/file.ts', "import { readFileSync } from 'node:fs'\nexport const file = readFileSync"],
  'the-judge-only-judges': [
    'engine/execution/track/judge.ts',
    "import { database } from '../../store/database.ts'\nexport const judge = database",
  ],
  'venues-are-strangers': ['engine/venues/beta/copy.ts', "import { map } from '../alpha/map.ts'\nexport const copy = map"],
  'venues-only-adapt': [
    'engine/venues/beta/store.ts',
    "import { database } from '../../store/database.ts'\nexport const store = database",
  ],
  'venue-insides-are-private': [
    'engine/quoting/nosy.ts',
    "import type { map } from '../venues/alpha/map.ts'\nexport type Nosy = typeof map",
  ],
  'venues-come-from-the-registry': [
    'engine/quoting/special.ts',
    "import { beta } from '../venues/beta/venue.ts'\nexport const special = beta",
  ],
  'simnet-is-independent': [
    'engine/simnet/agreeing.ts',
    "import type { alpha } from '../venues/alpha/venue.ts'\nexport type Agreeing = typeof alpha",
  ],
  'simulators-are-strangers': [
    'engine/simnet/venues/beta/copy.ts',
    "import { simAlpha } from '../alpha/alpha.ts'\nexport const copy = simAlpha",
  ],
  'simulators-use-the-kit': ['engine/simnet/venues/beta/chain.ts', "import { vm } from '../../vm.ts'\nexport const chain = vm"],
  'protocols-are-facts': ['engine/venues/beta/protocol.ts', "import { read } from '../kit/read.ts'\nexport const layout = read"],
  'simnet-stays-outside': [
    'engine/quoting/fallback.ts',
    "import { simnet } from '../simnet/simnet.ts'\nexport const fallback = simnet",
  ],
  'kit-is-for-venues': ['engine/quoting/kitted.ts', "import { read } from '../venues/kit/read.ts'\nexport const kitted = read"],
  'no-http-framework-in-engine': ['engine/quoting/served.ts', "import Koa from 'koa'\nexport const served = Koa"],
  'chain-sdks-behind-chains': ['engine/quoting/slow.ts', "import { keccak256 } from 'viem'\nexport const slow = keccak256"],
  'database-behind-store': ['engine/quoting/sql.ts', "import { Kysely } from 'kysely'\nexport const sql = Kysely"],
  'metrics-library-behind-metrics': [
    'engine/quoting/counted.ts',
    "import { Counter } from 'prom-client'\nexport const counted = Counter",
  ],
  'outbound-http-behind-net': ['engine/quoting/wild.ts', "import { request } from 'undici'\nexport const wild = request"],
  'no-dev-dependencies-in-product': [
    'engine/quoting/heavy.ts',
    "import { importJWK } from 'jose'\nexport const heavy = importJWK",
  ],
  'simnet-needs-what-it-names': [
    'engine/simnet/unnamed.ts',
    "import { importJWK } from 'jose'\nexport const unnamed = importJWK",
  ],
  'product-loads-simnet-late': [
    'scripts/start.ts',
    "import { simnet } from '../engine/simnet/simnet.ts'\nexport const start = simnet",
  ],
  'nothing-depends-on-tests': [
    'scripts/tested.ts',
    "import { tested } from '../test/alpha.test.ts'\nexport const again = tested",
  ],
}

/** More ways to break some rules: only one of each stands for it above. */
const otherPlants: readonly (readonly [what: string, rule: string, ...Plant])[] = [
  [
    'SQL in a test of another folder',
    'database-behind-store',
    'test/sql.test.ts',
    "import { Kysely } from 'kysely'\nexport const sql = Kysely",
  ],
  [
    'SQL in a script',
    'database-behind-store',
    'scripts/sql.ts',
    "import SQLite from 'better-sqlite3'\nexport const sql = SQLite",
  ],
  [
    'an import of database.ts from quoting',
    'database-behind-store',
    'engine/quoting/behind.ts',
    "import { database } from '../store/database.ts'\nexport const behind = database",
  ],
  // What npm ci --omit=dev leaves out, or may.
  [
    'a package of the offline network',
    'no-dev-dependencies-in-product',
    'engine/chains/vm.ts',
    "export const vm = () => import('litesvm/dist/internal.js')",
  ],
  [
    'a development package in handlers',
    'no-dev-dependencies-in-product',
    'handlers/heavy.ts',
    "import { importJWK } from 'jose'\nexport const heavy = importJWK",
  ],
  [
    'a development package in scripts/serve.ts',
    'no-dev-dependencies-in-product',
    'scripts/serve.ts',
    "import { importJWK } from 'jose'\nexport const serve = importJWK",
  ],
  [
    'a package missing from package.json',
    'no-dev-dependencies-in-product',
    'engine/net/unlisted.ts',
    "import { parse } from 'lodash'\nexport const unlisted = parse",
  ],
  [
    'an import of a simulated venue in the kit',
    'simulators-are-strangers',
    'engine/simnet/kit/knows.ts',
    "import { simAlpha } from '../venues/alpha/alpha.ts'\nexport const knows = simAlpha",
  ],
]

const directories: string[] = []

const plantTree = async (files: readonly Plant[]): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'architecture-'))
  directories.push(root)
  for (const [path, source] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), `${source}\n`)
  }
  for (const path of ['package.json', 'tsconfig.json', 'scripts/dependencyRules.cjs', 'scripts/knip.ts'])
    await cp(join(projectRoot, path), join(root, path))
  // The rules look for packages below the root.
  await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
  return root
}

afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

describe('the project', () => {
  test('follows every import rule, and the checker reads every file', async () => {
    const { unread, readCount, violations } = await checkImports()
    expect(violations).toEqual([])
    expect(unread).toEqual([])
    const code = await listCode(projectRoot)
    expect(readCount).toBe(code.length)
    // Where the code is has not moved from under the list.
    expect(code).toEqual(
      expect.arrayContaining([
        'engine/engine.ts',
        'generated/validators.cjs',
        'handlers/app.ts',
        'scripts/serve.ts',
        'test/architecture.test.ts',
      ]),
    )
  })
})

describe('the import check [check-structure]', () => {
  let checked: ImportCheck
  let checkedOthers: ImportCheck

  beforeAll(async () => {
    const check = async (planted: readonly Plant[]) => checkImports(await plantTree([...Object.entries(lawful), ...planted]))
    checked = await check(Object.values(plants))
    checkedOthers = await check(otherPlants.map(([, , path, source]) => [path, source]))
  })

  test('accepts a tree that follows every rule', async () => {
    const { unread, violations } = await checkImports(await plantTree(Object.entries(lawful)))
    expect([unread, violations]).toEqual([[], []])
  })

  test('has a violating sample for every rule', () => {
    expect(Object.keys(plants).sort()).toEqual(forbidden.map(({ name }) => name).sort())
  })

  test.each(Object.entries(plants))('reports a violation of %s', (rule, [path]) => {
    const found = checked.violations.filter((violation) => violation.rule === rule && violation.from === path)
    expect(found, JSON.stringify(checked.violations.filter(({ from }) => from === path))).toHaveLength(1)
  })

  test.each(otherPlants)('reports %s as a violation of %s', (_what, rule, path) => {
    expect(checkedOthers.violations.filter(({ from }) => from === path).map((violation) => violation.rule)).toEqual([rule])
  })

  test('reports only the files that violate a rule', () => {
    const planted = new Set(
      [...Object.values(plants), ...otherPlants.map(([, , ...plant]): Plant => plant)].map(([path]) => path),
    )
    const violations = [...checked.violations, ...checkedOthers.violations]
    expect(violations.filter(({ from }) => !planted.has(from))).toEqual([])
  })
})

describe('the import check', () => {
  test('reports a file that it did not read', async () => {
    // dependency-cruiser drops what it has no compiler for in silence, and then finds no fault with it.
    const root = await plantTree(Object.entries(lawful))
    await writeFile(
      join(root, 'scripts/dependencyRules.cjs'),
      "module.exports = { forbidden: [], options: { doNotFollow: { path: 'node_modules' }, exclude: { path: '^engine/venues' } } }\n",
    )
    expect((await checkImports(root)).unread).toEqual(
      Object.keys(lawful)
        .filter((path) => path.startsWith('engine/venues'))
        .sort(),
    )
  })
})

describe('the budget of a module [check-structure]', () => {
  const rows = {
    modules: { engine: { lines: 3, bytes: 30 }, 'scripts/*.{mjs,cjs,ts}': { lines: 500, bytes: 50_000 } },
    others: {
      'test/recorded': { isFixed: true },
      'test/**/*.json': { lines: 2, isFixed: true },
      '*.json': { lines: 900, bytes: 90_000 },
    },
    prose: { 'README.md': { long: 1, overlong: 0, dialect: 0 }, '**/*.{md,ts}': {}, '.hidden': {} },
  }
  const plantBudget = (files: Readonly<Record<string, string>> = {}) =>
    plantTree(Object.entries({ 'scripts/budget.json': JSON.stringify(rows), 'engine/a.ts': '1\n2', ...files }))
  const problemsWith = async (files: Readonly<Record<string, string>>) => (await checkBudget(await plantBudget(files))).problems
  const lower = (root: string) =>
    spawnSync(process.execPath, [join(projectRoot, 'scripts/budget.ts'), root], { encoding: 'utf8' })
  const readRows = (root: string) => readFile(join(root, 'scripts/budget.json'), 'utf8')

  test.each([
    ['lines', '3\n4', ['engine: 4 lines, budget 3']],
    ['bytes', '-'.repeat(26), ['engine: 31 bytes, budget 30']],
  ])('fails when the module exceeds its %s', async (_unit, text, problems) => {
    expect(await problemsWith({ 'engine/deep/b.ts': text })).toEqual(problems)
  })

  test('passes when the module is exactly at its budget', async () => {
    expect(await problemsWith({ 'engine/deep/b.ts': '-'.repeat(25) })).toEqual([])
  })

  test.each(['lib/new.ts', 'new.js', 'engine/list.txt', 'engine/page.json', '.hidden/new.ts'])(
    'fails when no row counts %s',
    async (path) => {
      expect(await problemsWith({ [path]: '' })).toEqual([`${path}: no row of scripts/budget.json`])
    },
  )

  test('counts test cases, but no recordings, documentation, generated or installed files', async () => {
    const big = 'line\n'.repeat(2_000)
    const free = [
      'test/recorded/a.json',
      'engine/README.md',
      'generated/a.ts',
      'package-lock.json',
      'coverage/a.js',
      'engine/node_modules/b.js',
    ]
    const planted = Object.fromEntries([...free, 'test/cases.json'].map((path) => [path, big]))
    expect(await problemsWith(planted)).toEqual(['test/**/*.json: 2001 lines, budget 2'])
  })

  test('counts new files of a git checkout and skips ignored files', async () => {
    const root = await plantBudget({
      '.gitignore': 'node_modules\nignored.ts',
      'engine/ignored.ts': '1\n2\n3',
      'engine/b.ts': '3\n4',
    })
    expect(spawnSync('git', ['init', '--quiet'], { cwd: root }).status).toBe(0)
    expect((await checkBudget(root)).problems).toEqual(['engine: 4 lines, budget 3'])
  })

  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')
  test.each([
    ['a second sentence of more than 25 words', `${words(26)}.\n\n${words(26)}.`, ['README.md: 2 long, budget 1']],
    ['a sentence of more than 35 words', `${words(36)}.`, ['README.md: 1 overlong, budget 0']],
    [
      'a semicolon, a colon or a bracket inside',
      `${words(12)}; ${words(12)}: (${words(12)}).`,
      ['README.md: 1 overlong, budget 0'],
    ],
    ['cells of a table', `| a | b |\n| - | - |\n| ${words(18)} | ${words(18)} |`, ['README.md: 1 overlong, budget 0']],
    ['a phrase of the dialect', 'Nobody is told.', ['README.md: 1 dialect, budget 0']],
    ['code as no prose', `\`${words(40)} nobody\`\n\n\`\`\`\n${words(40)} nobody.\n\`\`\``, []],
    ['a list of short items as no long sentence', `- ${words(20)}\n- ${words(20)}`, []],
  ])('counts %s in prose', async (_case, markdown, problems) => {
    expect(await problemsWith({ 'README.md': markdown })).toEqual(problems)
  })

  test('npm run budget lowers it and leaves fixed rows alone', async () => {
    const root = await plantBudget({ 'test/cases.json': '{}' })
    expect(lower(root)).toMatchObject({ status: 0, stderr: '' })
    const lowered = JSON.parse(await readRows(root)) as typeof rows
    expect(lowered.modules.engine).toEqual({ lines: 2, bytes: 4 })
    expect(lowered.others['test/**/*.json']).toEqual({ lines: 2, isFixed: true })
    expect(lowered.prose['**/*.{md,ts}']).toMatchObject({ long: 0, overlong: 0 })
    expect((await checkBudget(root)).problems).toEqual([])
  })

  test('npm run budget never raises it: the command names the module and exits 1', async () => {
    const root = await plantBudget({ 'engine/b.ts': '3\n4' })
    const { status, stderr } = lower(root)
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^engine: 4 lines, budget 3\n.*edit scripts\/budget\.json/)])
    expect(await readRows(root)).toBe(`${JSON.stringify(rows)}\n`)
  })
})

describe('the check of promises', () => {
  const row = (id: string, owner = 'test/a.test.ts') => `| \`${id}\` | A promise. | api | \`${owner}\` |`
  const listOf = (...rows: readonly string[]) => ['# Promises', '', '## Quote', '', ...rows, ''].join('\n')
  const titled = (title: string, call = 'it') => `${call}('quote: returns ${title}', () => {})`
  const best = titled('x [quote-best]')
  const plantPromises = ([a, list, others]: Planted) =>
    plantTree(
      Object.entries({
        ...{ 'test/a.test.ts': a, 'test/PROMISES.md': listOf(...(list ?? [row('quote-best')])), 'CHANGELOG.md': '' },
        ...others,
      }),
    )
  const NOT_RUN = 'quote-best: no test that runs carries it'
  type Planted = readonly [test: string, list?: readonly string[] | undefined, others?: Readonly<Record<string, string>>]

  test.each<readonly [what: string, problem: string | null, planted: Planted]>([
    ['accepts a test', null, [best]],
    ['accepts a table of cases', null, [titled('%s [quote-best]', 'it.each([1])')]],
    ['accepts a group with a test', null, [`describe('x [quote-best]', () => { ${titled('x')} })`]],
    [
      'accepts a test in an imported module',
      null,
      ["import { x } from './x.ts'", [row('quote-best', 'test/x.ts')], { 'test/x.ts': best }],
    ],
    ['reports an id in a comment', NOT_RUN, [`// ${best}`]],
    ['reports a skipped test', NOT_RUN, [titled('x [quote-best]', 'it.skip')]],
    ['reports a skipped group', NOT_RUN, [`describe.skip('x', () => { ${best} })`]],
    ['reports a group without a test', NOT_RUN, ["describe('x [quote-best]', () => {})"]],
    ['reports a test in a module that no test imports', NOT_RUN, ['', undefined, { 'test/x.ts': best }]],
    [
      'reports an unknown id',
      'quote-worst: test/PROMISES.md does not have it (test/a.test.ts)',
      [titled('x [quote-best] [quote-worst]')],
    ],
    [
      'reports two owners',
      'quote-best: 2 files carry it: test/a.test.ts, test/b.test.ts',
      [best, undefined, { 'test/b.test.ts': best }],
    ],
    [
      'reports a foreign owner',
      'quote-best: test/b.test.ts carries it, test/PROMISES.md names test/a.test.ts',
      ['', undefined, { 'test/b.test.ts': best }],
    ],
    ['reports an unreadable row', 'test/PROMISES.md: cannot be read: | `quote` |', [best, [row('quote-best'), '| `quote` |']]],
    ['reports a second row', 'test/PROMISES.md: quote-best has two rows', [best, [row('quote-best'), row('quote-best')]]],
  ])('%s', async (_what, problem, planted) => {
    expect((await checkPromises(await plantPromises(planted))).problems).toEqual(problem === null ? [] : [problem])
  })

  test('reports a removed id until the changelog names it', async () => {
    const root = await plantPromises([best, [row('quote-best'), row('quote-old')]])
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'list'],
    ])
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root })
    await writeFile(join(root, 'test/PROMISES.md'), listOf(row('quote-best')))
    expect((await checkPromises(root)).problems).toEqual(['quote-old: left test/PROMISES.md without an entry in CHANGELOG.md'])
    await writeFile(join(root, 'CHANGELOG.md'), '- `quote-old` is gone.')
    expect((await checkPromises(root)).problems).toEqual([])
  })
})

test('test/support/needs.ts names each file whose tests are skipped without a program, and no file that is gone', async () => {
  const files = (await listCode(projectRoot)).filter((path) => /^test\/.*\.test\.ts$/.test(path))
  const skips = await Promise.all(
    files.map(async (path) => {
      const calls = (await readFile(join(projectRoot, path), 'utf8')).matchAll(/\blacks\(([^)]*)\)/g)
      const names = [...calls].flatMap(([, list = '']) =>
        [...list.matchAll(/'([a-z\d-]+)'/g)].map(([, name]) => name as NeedName),
      )
      return names.map((name) => ({ path, name }))
    }),
  )
  expect(skips.flat().length).toBeGreaterThan(20)
  expect(skips.flat().filter(({ path, name }) => !isExplained(path, [name]))).toEqual([])
  const named = Object.values(NEEDS).flatMap(({ suites }) => suites as readonly string[])
  expect(named.filter((suite) => !files.some((path) => path.startsWith(suite)))).toEqual([])
})

test('the check for unused code reports an unused export of the product and of the offline network [check-structure]', async () => {
  const unused = 'export const planted = 1\nexport const used = 2'
  const use = (path: string) => `import { used } from '${path}'\nprocess.exitCode = used`
  const root = await plantTree([
    ['engine/core/amount.ts', unused],
    ['engine/simnet/simnet.ts', unused],
    ['scripts/serve.ts', use('../engine/core/amount.ts')],
    ['scripts/start.ts', use('../engine/simnet/simnet.ts')],
    ['test/judges/package.json', '{ "dependencies": {} }'],
  ])
  const args = [judgesCommand('knip'), '--config', 'scripts/knip.ts', '--no-progress', '--include', 'files,exports']
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(stdout).toMatch(/planted +engine\/core\/amount\.ts/)
  expect(stdout).toMatch(/planted +engine\/simnet\/simnet\.ts/)
})
