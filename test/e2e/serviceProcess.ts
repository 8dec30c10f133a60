import { type ChildProcess, execFileSync, type IOType, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { projectRoot } from '../../scripts/contract/document.ts'

export const SERVE = join(projectRoot, 'scripts/start.ts')
/** What a busy machine needs. */
const READY_MS = 50_000

/** The service as a process of its own, started as `npm start` does it. */
export type ServiceProcess = {
  readonly child: ChildProcess
  /** Everything written to standard error so far. */
  stderr(): string
  stdout(): string
  /** How it ended: exit code, or the signal that ended it. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

/** Starts it with nothing in its environment but what is given, and what any process needs. */
export const spawnService = (
  env: Environment,
  nodeOptions: readonly string[] = [],
  stdout: IOType | number = 'pipe',
): ServiceProcess => spawnWith(env, process.execPath, [...nodeOptions, SERVE], stdout)

export const spawnWith = (
  env: Environment,
  command: string,
  args: readonly string[],
  stdout: IOType | number = 'pipe',
  cwd = projectRoot,
): ServiceProcess => {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(command, args, {
    cwd,
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), METRICS_PORT: 'off', ...env },
    stdio: ['ignore', stdout, 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.err += text
  })
  const ended: ServiceProcess['ended'] = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  return { child, stderr: () => said.err, stdout: () => said.out, ended }
}

/** A data folder for each test of a file, and the end of the processes it started. Call this once in a file. */
export const ownProcesses = () => {
  let folder = ''
  const started: ServiceProcess[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'swap-process-'))
  })
  afterEach(async () => {
    for (const { child, ended } of started.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  })
  return {
    dataDir: () => folder,
    own: (service: ServiceProcess): ServiceProcess => {
      started.push(service)
      return service
    },
  }
}

/** Waits for the ready line: where it listens, and where the offline network is controlled, if there is one. */
export const ready = async (
  { child, stderr }: ServiceProcess,
  timeout = READY_MS,
): Promise<{ readonly url: string; readonly controlUrl: string | null }> => {
  const line = /^Listening on (http:\/\/\S+)( \(\d+ processes\))?$/m
  await expect
    .poll(() => line.test(stderr()) || child.exitCode !== null, { timeout, interval: 20, message: 'the ready line' })
    .toBe(true)
  const url = line.exec(stderr())?.[1]
  if (!url) throw new Error(`the service did not start: ${stderr()}`)
  return { url, controlUrl: /^Offline network control: (http:\/\/\S+)$/m.exec(stderr())?.[1] ?? null }
}

/** Process ids and their parents, as the system has them now, without those that ended and were not reaped. */
const processTable = (): readonly (readonly [pid: number, parent: number])[] =>
  [...execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' }).matchAll(/^ *(\d+) +(\d+) +[^Z\s]/gm)].map(
    ([, pid, parent]) => [Number(pid), Number(parent)] as const,
  )

/** All processes it started, and those they started. */
export const descendantsOf = (pid: number): readonly number[] => {
  const table = processTable()
  const below = (parent: number): number[] =>
    table.filter(([, of]) => of === parent).flatMap(([found]) => [found, ...below(found)])
  return below(pid)
}

/** Those that are still there. */
export const stillRunning = (pids: readonly number[]): readonly number[] =>
  processTable()
    .map(([pid]) => pid)
    .filter((pid) => pids.includes(pid))
