import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Reply, Usage } from './servers/parent.ts'

/** A program that says `Listening on <url>` once it does. */
export type Program = {
  /** From spawning it to its first success, milliseconds. */
  readonly startMs: number
  readonly residentBytes: () => Promise<number>
  readonly stop: () => Promise<void>
}

const START_MS = 60_000
const STOP_MS = 15_000
const ATTACH = new URL('servers/attach.ts', import.meta.url).href

const statusOf = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    }).once('error', reject)
  })

/** The URL it says it listens on. Rejects with all it said when it ends without. */
const listeningUrl = async (child: ChildProcess, signal: AbortSignal): Promise<string> => {
  if (!child.stderr) throw new Error('the standard error is not piped')
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr, signal })) {
    const url = /^Listening on (\S+)/.exec(line)?.[1]
    if (url !== undefined) return url
    said.push(line)
  }
  throw new Error(`it did not start: ${said.join('\n')}`)
}

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit').then(() => true)
  child.kill('SIGTERM')
  if (!(await Promise.race([ended, pause(STOP_MS, false, { ref: false })]))) child.kill('SIGKILL')
  await ended
}

/** Starts a TypeScript file of this project with exactly this environment and waits for its first success at `path`. */
export const startProgram = async (
  file: URL,
  {
    env,
    path,
    isAsked,
    flags = [],
  }: {
    readonly env: { readonly [name: string]: string }
    readonly path: string
    readonly isAsked: boolean
    readonly flags?: readonly string[]
  },
): Promise<Program> => {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...flags, ...(isAsked ? ['--import', ATTACH] : []), fileURLToPath(file)], {
    env,
    stdio: ['ignore', 'ignore', 'pipe', ...(isAsked ? (['ipc'] as const) : [])],
  })
  const endWithUs = () => child.kill('SIGTERM')
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  // Whoever can be asked says first of all that it is ready for it.
  const ready = isAsked ? once(child, 'message') : Promise.resolve()
  try {
    await ready
    const url = await listeningUrl(child, AbortSignal.timeout(START_MS))
    const status = await statusOf(`${url}${path}`)
    const startMs = performance.now() - startedAt
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    child.stderr?.resume()
    const residentBytes = async (): Promise<number> => {
      const replied = once(child, 'message', { signal: AbortSignal.timeout(START_MS) })
      child.send({ question: 'usage' })
      const [{ answer }] = (await replied) as [Reply]
      return (answer as Usage).residentBytes
    }
    return { startMs, residentBytes, stop: () => stop(child) }
  } catch (error) {
    await stop(child)
    throw error
  }
}
