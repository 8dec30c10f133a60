import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../engine/config/config.ts'
import type { Order, Point } from './points.ts'

const PRELOAD = fileURLToPath(new URL('./preload.ts', import.meta.url))
const START = fileURLToPath(new URL('../start.ts', import.meta.url))
const OPERATOR = fileURLToPath(new URL('../operator.ts', import.meta.url))

/** A process of the service, from its start to its death. */
export type Life = {
  /** Rejects where it died before it listened. */
  readonly url: Promise<string>
  readonly ended: Promise<void>
  isOver(): boolean
  /** Resolves once the order is taken, or the process is gone. */
  order(order: Order): Promise<void>
  kill(): void
  stderr(): string
}

/** The service in one process after another, over the same records; and, where there are replicas, beside others. */
export type Lives = {
  /** Starts the next one, with as many others as are missing; the one before is to be over. */
  start(env?: Environment): Life
  /** One that listens, as soon as one does: of several each in its turn. */
  listening(): Promise<{ readonly url: string; readonly life: Life }>
  /** The one that is to die next. */
  current(): Life | null
  /** Gives an order to all. */
  order(order: Order): Promise<void>
  close(): Promise<void>
}

const spawnWith = (env: Environment, args: readonly string[]): ChildProcess => {
  const { PATH, HOME, TMPDIR } = process.env
  return spawn(process.execPath, ['--import', PRELOAD, ...args], {
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

const textOf = (stream: ChildProcess['stderr']): (() => string) => {
  let text = ''
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text = `${text}${chunk}`.slice(-20_000)
  })
  return () => text
}

const live = (env: Environment): Life => {
  const child = spawnWith(env, [START])
  const stderr = textOf(child.stderr)
  child.stdout?.resume()
  let isOver = false
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      isOver = true
      resolve()
    })
  })
  const url = new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const line = /^Listening on (http:\/\/\S+)$/m.exec(stderr())
      if (line?.[1]) resolve(line[1])
    })
    void ended.then(() => reject(new Error(`it ended before it listened: ${stderr()}`)))
  })
  url.catch(() => undefined)
  return {
    url,
    ended,
    isOver: () => isOver,
    order: async (order) => {
      if (isOver || !child.connected) return
      const taken = new Promise<void>((resolve) => void child.once('message', () => resolve()))
      child.send(order, () => undefined)
      await Promise.race([taken, ended])
    },
    kill: () => void child.kill('SIGKILL'),
    stderr,
  }
}

export const createLives = (envNow: () => Environment, replicas = 1): Lives => {
  /** The one that is to die next comes last. */
  let all: readonly Life[] = []
  let turn = 0
  let wake: (() => void)[] = []
  const living = (): readonly Life[] => all.filter((life) => !life.isOver())
  const current = () => all.at(-1) ?? null
  return {
    start: (env = {}) => {
      const others = living()
      const missing = Array.from({ length: Math.max(0, replicas - 1 - others.length) }, () => live(envNow()))
      const life = live({ ...envNow(), ...env })
      all = [...others, ...missing, life]
      for (const resolve of wake.splice(0)) resolve()
      wake = []
      return life
    },
    listening: async () => {
      for (;;) {
        const able = living()
        const life = able[turn % Math.max(1, able.length)]
        turn += 1
        if (life === undefined) {
          await new Promise<void>((resolve) => void wake.push(resolve))
          continue
        }
        const url = await life.url.catch(() => null)
        if (url !== null) return { url, life }
      }
    },
    current,
    order: async (order) => {
      await Promise.all(living().map((life) => life.order(order)))
    },
    close: async () => {
      for (const life of all) life.kill()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}

export type ToolEnd = {
  readonly code: number | null
  readonly wasKilled: boolean
  readonly stdout: string
  readonly stderr: string
}

/** The operator's tool, which dies at a point, or so long after its start. */
export const runTool = (
  env: Environment,
  args: readonly string[],
  death: Point | { readonly ms: number } | null,
): Promise<ToolEnd> =>
  new Promise((resolve) => {
    const at = death !== null && 'on' in death ? { KILLS_DIE_AT: JSON.stringify(death) } : {}
    const child = spawnWith({ ...env, ...at }, [OPERATOR, ...args])
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
    const timer = death !== null && 'ms' in death ? setTimeout(() => child.kill('SIGKILL'), death.ms) : null
    child.once('close', (code, signal) => {
      if (timer !== null) clearTimeout(timer)
      resolve({ code, wasKilled: signal === 'SIGKILL', stdout: stdout(), stderr: stderr() })
    })
  })
