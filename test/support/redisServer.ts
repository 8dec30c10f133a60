import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './freePort.ts'

/** A Redis of a test's own, in memory only. */
export type RedisServer = {
  readonly url: string
  readonly port: number
  /** Runs a command by redis-cli and returns the answer. */
  ask(...command: readonly string[]): Promise<string>
  /** Stops its process with all connections open, until `resume`. */
  pause(): void
  resume(): void
  crash(): Promise<void>
  /** Empty again, on the same port. */
  restart(): Promise<void>
  close(): Promise<void>
}

const start = (args: readonly string[]): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 100_000) output += text
      if (output.includes('Ready to accept connections')) resolve(child)
    })
    child.once('error', () => reject(new Error('redis-server is not installed (Debian package redis-server)')))
    child.once('close', () => reject(new Error(`redis-server did not start:\n${output}`)))
  })

/** Starts one on a free port. `settings`: more of its options, such as `--requirepass`. */
export const startRedis = async (...settings: readonly string[]): Promise<RedisServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'))
  const port = await freePort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  let child = await start([...options, ...settings])
  const crash = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    ask: async (...command) => (await promisify(execFile)('redis-cli', ['-p', String(port), ...command])).stdout.trimEnd(),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    crash,
    restart: async () => {
      await crash()
      child = await start([...options, ...settings])
    },
    close: async () => {
      await crash()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
