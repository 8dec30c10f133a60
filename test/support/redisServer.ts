import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './freePort.ts'

/** A Redis of the tests' own, in memory only. */
export type RedisServer = {
  readonly url: string
  readonly port: number
  /** Asks something of it as an operator does, and gives the answer. */
  ask(...command: readonly string[]): Promise<string>
  /** It hangs, its connections open, until it is resumed. */
  pause(): void
  resume(): void
  crash(): Promise<void>
  /** Empty again, on the same port. */
  restart(): Promise<void>
  close(): Promise<void>
}

const run = async (command: string, args: readonly string[]): Promise<string> => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  await once(child, 'close')
  return said.trimEnd()
}

const listening = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < 100_000) said += text
      if (said.includes('Ready to accept connections')) resolve()
    })
    child.once('error', () => reject(new Error('redis-server is not installed (Debian package redis-server)')))
    child.once('close', () => reject(new Error(`redis-server did not start:\n${said}`)))
  })

/** Starts one on a free port. `settings`: more of its options, such as `--requirepass`. */
export const startRedis = async (...settings: readonly string[]): Promise<RedisServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'))
  const port = await freePort()
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const start = async (): Promise<ChildProcess> => {
    const child = spawn('redis-server', [...own, ...settings], { stdio: ['ignore', 'pipe', 'ignore'] })
    await listening(child)
    return child
  }
  let child = await start()
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    ask: (...command) => run('redis-cli', ['-p', String(port), ...command]),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    crash: end,
    restart: async () => {
      await end()
      child = await start()
    },
    close: async () => {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
