import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../engine/core/json.ts'
import type { Reply } from './servers/parent.ts'

/** A process of ours, made from one of the files in `servers/`. */
export type Child = {
  /** What it said when it was ready. */
  readonly ready: Json
  /** Asks it something over the channel between us. */
  ask<T>(question: Json): Promise<T>
}

const READY_MS = 30_000
const ANSWER_MS = 120_000
const EXIT_MS = 3_000

/** Rejects with what went wrong when the child ends, or says nothing for `ms`. */
const nextMessage = (process: ChildProcess, name: string, ms: number): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      process.off('message', onMessage)
      process.off('exit', onExit)
      finish()
    }
    const onMessage = (message: Reply) => settle(() => resolve(message))
    const onExit = (code: number | null) => settle(() => reject(new Error(`${name} ended with code ${code}`)))
    const timer = setTimeout(() => settle(() => reject(new Error(`${name} said nothing for ${ms} ms`))), ms)
    process.once('message', onMessage)
    process.once('exit', onExit)
  })

const unwrap = ({ answer, error }: Reply, name: string): Json => {
  if (error !== undefined) throw new Error(`${name}: ${error}`)
  return answer ?? null
}

/** Starts children and ends them: these, and no other processes. */
export const createChildren = () => {
  const running = new Set<ChildProcess>()

  const start = async (file: string, settings: Json = null, flags: readonly string[] = []): Promise<Child> => {
    const path = fileURLToPath(new URL(`servers/${file}`, import.meta.url))
    // Log lines go nowhere, at the price of writing them.
    const child = fork(path, [JSON.stringify(settings)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [...process.execArgv, ...flags],
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
    const ready = unwrap(await nextMessage(child, file, READY_MS), file)
    const ask = async <T>(question: Json): Promise<T> => {
      const reply = nextMessage(child, file, ANSWER_MS)
      child.send({ question })
      return unwrap(await reply, file) as T
    }
    return { ready, ask }
  }

  /** A child whose channel closes ends itself; one that does not is killed. */
  const close = async (): Promise<void> => {
    await Promise.all(
      [...running].map(async (child) => {
        const ended = once(child, 'exit')
        if (child.connected) child.disconnect()
        const isEnded = await Promise.race([ended.then(() => true), pause(EXIT_MS, false, { ref: false })])
        if (!isEnded) child.kill('SIGKILL')
      }),
    )
  }

  return { start, close }
}

export type Children = ReturnType<typeof createChildren>
