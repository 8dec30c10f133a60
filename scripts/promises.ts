import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { projectRoot } from './contract/document.ts'

/**
 * Compares `test/PROMISES.md` with the titles of the tests. A test or a group of tests carries ids at the end of its title:
 * `status: reports refunded after the refund is confirmed [status-refunded]`. The runner of a promise of level `stress` is no test;
 * its source has the id.
 */

const LIST = 'test/PROMISES.md'
const ROW = /^\| `([a-z0-9-]+)` \| .+ \| ([a-z0-9]+) \| `([^`]+)` \|$/
const IDS = /(?: \[[a-z0-9]+(?:-[a-z0-9]+)+\])+$/
const RUNNERS = new Set(['it', 'test', 'describe'])
/** Functions of the tests that make a test of every key of a table. */
const TABLES = new Set(['scenes'])
const NOT_RUN = new Set(['skip', 'todo', 'fails'])

export type PromiseCheck = { readonly problems: readonly string[]; readonly promises: number; readonly carriers: number }

/** The ids at the end of a title. */
export const idsOf = (title: string): readonly string[] => IDS.exec(title)?.[0].match(/[a-z0-9-]+/g) ?? []

type Owner = { readonly level: string; readonly path: string }

/** The owner of every id. Rows are read below the first `##` heading. */
export const readPromises = (markdown: string) => {
  const lines = markdown.slice(markdown.indexOf('\n## ')).split('\n')
  const rows = lines.filter((line) => line.startsWith('| `')).map((line) => ({ line, found: ROW.exec(line) }))
  const problems = rows.filter(({ found }) => found === null).map(({ line }) => `${LIST}: cannot be read: ${line}`)
  const owners = new Map<string, Owner>()
  for (const { found } of rows) {
    const [, id = '', level = '', path = ''] = found ?? []
    if (owners.has(id)) problems.push(`${LIST}: ${id} has two rows`)
    if (found) owners.set(id, { level, path })
  }
  return { owners, problems }
}

/** The names of a call such as `it.skipIf(x).each(rows)('title')`: it, skipIf, each. */
const namesOf = (callee: ts.Expression): readonly string[] => {
  if (ts.isIdentifier(callee)) return [callee.text]
  if (ts.isPropertyAccessExpression(callee)) return [...namesOf(callee.expression), callee.name.text]
  return ts.isCallExpression(callee) || ts.isTaggedTemplateExpression(callee)
    ? namesOf(ts.isCallExpression(callee) ? callee.expression : callee.tag)
    : []
}

const titleOf = (title: ts.Expression | undefined): string => {
  if (title === undefined) return ''
  if (ts.isTemplateExpression(title)) return title.templateSpans.at(-1)?.literal.text ?? ''
  return ts.isStringLiteralLike(title) ? title.text : ''
}

/** The string literals below a node, of templates the last part. */
const textsIn = (node: ts.Node): readonly string[] => {
  const texts: string[] = ts.isExpression(node) ? [titleOf(node)] : []
  ts.forEachChild(node, (child) => void texts.push(...textsIn(child)))
  return texts
}

type Found = { readonly ids: readonly string[]; readonly hasTest: boolean }

/** Ids that tests of this source carry. A group counts if it has a test that runs. */
const carriedBy = (node: ts.Node): Found => {
  const inner: Found[] = []
  ts.forEachChild(node, (child) => void inner.push(carriedBy(child)))
  const found = { ids: inner.flatMap(({ ids }) => ids), hasTest: inner.some(({ hasTest }) => hasTest) }
  if (!ts.isCallExpression(node) || (ts.isCallExpression(node.parent) && node.parent.expression === node)) return found
  const [first = '', ...rest] = namesOf(node.expression)
  if (TABLES.has(first)) return { ids: textsIn(node).flatMap(idsOf), hasTest: true }
  if (!RUNNERS.has(first)) return found
  if (rest.some((name) => NOT_RUN.has(name))) return { ids: [], hasTest: false }
  const hasTest = first === 'describe' ? found.hasTest : true
  return { ids: hasTest ? [...idsOf(titleOf(node.arguments[0])), ...found.ids] : found.ids, hasTest }
}

export const carriedIds = (path: string, text: string): readonly string[] => [
  ...new Set(carriedBy(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)).ids),
]

/** True for test files, and for modules of the test folder that a test file imports. */
const runFiles = (sources: ReadonlyMap<string, string>): ReadonlySet<string> => {
  const reached = new Set([...sources.keys()].filter((path) => path.endsWith('.test.ts')))
  for (const path of reached)
    for (const [, target = ''] of (sources.get(path) ?? '').matchAll(/ from '(\.[^']+)'/g)) {
      const imported = join(dirname(path), target)
      if (sources.has(imported)) reached.add(imported)
    }
  return reached
}

const readSources = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const paths = (await readdir(join(root, 'test'), { recursive: true })).filter(
    (path) => path.endsWith('.ts') && !path.includes('node_modules/'),
  )
  const read = async (path: string) => [join('test', path), await readFile(join(root, 'test', path), 'utf8')] as const
  return new Map(await Promise.all(paths.map(read)))
}

/** The newest committed list that differs from the current one, or an empty string. */
const listBefore = async (root: string, current: string): Promise<string> => {
  const git = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout
  const commits = await git('log', '--format=%h', '--diff-filter=AM', '--', LIST).catch(() => '')
  for (const commit of commits.split('\n').filter(Boolean)) {
    const text = await git('show', `${commit}:./${LIST}`)
    if (text !== current) return text
  }
  return ''
}

/** Problems: an id without a test that runs, an unknown id, two owners, and an id that left without an entry in the changelog. */
export const checkPromises = async (root = projectRoot): Promise<PromiseCheck> => {
  const text = await readFile(join(root, LIST), 'utf8')
  const { owners, problems } = readPromises(text)
  const sources = await readSources(root)
  const carriers = new Map<string, string[]>()
  for (const path of runFiles(sources))
    for (const id of carriedIds(path, sources.get(path) ?? '')) carriers.set(id, [...(carriers.get(id) ?? []), path])
  for (const [id, { path, level }] of owners) {
    const isInRunner = level === 'stress' && (await readFile(join(root, path), 'utf8').catch(() => '')).includes(`[${id}]`)
    const paths = [...(carriers.get(id) ?? []), ...(isInRunner ? [path] : [])]
    if (paths.length === 0) problems.push(`${id}: no test that runs carries it`)
    else if (paths.length > 1) problems.push(`${id}: ${paths.length} files carry it: ${paths.join(', ')}`)
    else if (paths[0] !== path) problems.push(`${id}: ${paths[0]} carries it, ${LIST} names ${path}`)
  }
  for (const [id, paths] of carriers) if (!owners.has(id)) problems.push(`${id}: ${LIST} does not have it (${paths.join(', ')})`)
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  for (const id of readPromises(await listBefore(root, text)).owners.keys())
    if (!owners.has(id) && !changelog.includes(`\`${id}\``)) problems.push(`${id}: left ${LIST} without an entry in CHANGELOG.md`)
  return { problems, promises: owners.size, carriers: carriers.size }
}
