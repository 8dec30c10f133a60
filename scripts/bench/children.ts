import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../engine/core/json.ts'
import type { Reply, Usage } from './servers/parent.ts'

/** A process of one of the files in `servers/`. */
export type Child = {
  /** Its first message. A server sends its URL. */
  readonly ready: Json
  ask<T>(question: Json): Promise<T>
  usage(): Promise<Usage>
}

const ANSWER_MS = 120_000
const EXIT_MS = 3_000

/** Rejects with the reason when the child ends, or sends no answer in time. */
const nextAnswer = async (child: ChildProcess, name: string): Promise<Json> => {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(ANSWER_MS)])
  const onExit = (code: number | null) => over.abort(new Error(`${name} ended with code ${code}`))
  child.once('exit', onExit)
  try {
    const [{ answer, error }] = (await once(child, 'message', { signal })) as [Reply]
    if (error !== undefined) throw new Error(`${name}: ${error}`)
    return answer ?? null
  } finally {
    child.off('exit', onExit)
  }
}

/** Starts children and ends them: these, and no other processes. */
export const createChildren = () => {
  const running = new Set<ChildProcess>()

  const start = async (file: string, settings: Json = null, flags: readonly string[] = []): Promise<Child> => {
    const path = fileURLToPath(new URL(`servers/${file}`, import.meta.url))
    // Log lines are written, and go nowhere.
    const child = fork(path, [JSON.stringify(settings)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [...process.execArgv, ...flags],
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
    const ready = await nextAnswer(child, file)
    const ask = async <T>(question: Json): Promise<T> => {
      const answer = nextAnswer(child, file)
      child.send({ question })
      return (await answer) as T
    }
    return { ready, ask, usage: () => ask<Usage>('usage') }
  }

  /** A child ends itself when its channel closes. One that does not is killed. */
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
