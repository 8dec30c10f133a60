import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../../../engine/core/json.ts'

export type Reply = { readonly answer?: Json; readonly error?: string }

/** What a process has used so far. */
export type Usage = { readonly cpuMs: number; readonly residentBytes: number }

const usage = (): Usage => {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1_000, residentBytes: process.memoryUsage.rss() }
}

/** The settings this process was started with. */
export const settingsOf = <T>(): T => JSON.parse(process.argv[2] ?? 'null') as T

/** Reports that this process is ready, answers the benchmark's questions one at a time, and ends with it. */
export const answerParent = (ready: Json, answer: (question: Json) => Promise<Json> = async () => null): void => {
  const reply = (message: Reply): void => void process.send?.(message)
  process.on('message', ({ question }: { question: Json }) => {
    const answering: Promise<Json> = question === 'usage' ? Promise.resolve(usage()) : answer(question)
    answering.then(
      (value) => reply({ answer: value }),
      (error: unknown) => reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.once('disconnect', () => process.exit(0))
  reply({ answer: ready })
}

/** Listens on a free port of loopback. Returns the URL. */
export const listenOnLoopback = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })

/** Serves on loopback; the URL is the ready message. */
export const serveParent = async (server: Server, answer?: (question: Json) => Promise<Json>): Promise<void> =>
  answerParent(await listenOnLoopback(server), answer)
