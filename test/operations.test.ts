import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../scripts/contract/document.ts'

/** How the service and the scripts are started. */

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: { readonly [name: string]: string } }

const run = (node: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(node, args, { cwd: projectRoot, encoding: 'utf8' })
  return { status, stdout, stderr }
}

it('the systemd unit starts what npm start does', () => {
  const [, command] = /^ExecStart=\S+\/node_modules\/\.bin\/(.+)$/m.exec(read('operations/swap.service')) ?? []
  expect(command).toBe(scripts['start'])
})

it('no page starts a TypeScript file with Node itself', () => {
  const pages = globSync(['*.md', '{engine,handlers,operations,scripts,test}/**/*.{md,service}'], { cwd: projectRoot })
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.filter((page) => /\bnode (--\S+ )*\S+\.ts\b/.test(read(page)))).toEqual([])
})

it('scripts/run.cjs starts a script as Node would, and nothing that is no script of package.json', () => {
  expect(run(process.execPath, 'scripts/run.cjs', 'scripts/slim.ts')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^Development packages are installed/),
  })
  expect(run(process.execPath, 'scripts/run.cjs', 'scripts/operator.ts', 'keys', 'list', '--help')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Usage: operator keys list /),
  })
  for (const args of [[], ['scripts/serve.ts']]) {
    const usage = expect.stringMatching(/^Usage: node scripts\/run\.cjs .+\n$/)
    expect(run(process.execPath, 'scripts/run.cjs', ...args)).toEqual({ status: 1, stdout: '', stderr: usage })
  }
})

/** Has every script start with this Node, and print one line instead. */
const expectRefusals = (version: string, ...node: readonly [string, ...string[]]): void => {
  for (const [name, command] of Object.entries(scripts)) {
    const [, flags = '', started = ''] = /^node ((?:--\S+ )*)(scripts\/run\.cjs \S+\.ts)$/.exec(command) ?? expect.fail(command)
    const args = [...node.slice(1), ...flags.split(' ').filter(Boolean), ...started.split(' '), '--flag', 'argument']
    const again = `npm run ${name} -- --flag argument`
    const stderr = `Node 24 or later is needed, and this is ${version}: run npm ci and then ${again}, or install Node 24\n`
    expect(run(node[0], ...args)).toEqual({ status: 1, stdout: '', stderr })
  }
}

it('every script prints which Node it needs when it starts with one that says it is older', () => {
  const values = { version: 'v23.11.0', versions: { node: '23.11.0' } }
  const claim = Object.entries(values).map(
    ([key, value]) => `Object.defineProperty(process,'${key}',{value:${JSON.stringify(value)}})`,
  )
  expectRefusals('v23.11.0', process.execPath, '--import', `data:text/javascript,${encodeURIComponent(claim.join(';'))}`)
})

/** An older Node of this machine, which may have none. */
const versionOf = (node: string): string => (spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '').trim()
const older = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => /^v(\d|1\d|2[0-3])\./.test(versionOf(node)))

it.skipIf(older === undefined)(`every script prints which Node it needs when it starts with an older one: ${older}`, () => {
  if (older !== undefined) expectRefusals(versionOf(older), older)
})
