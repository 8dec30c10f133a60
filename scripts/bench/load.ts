import autocannon from 'autocannon'
import type { Child } from './children.ts'
import type { Usage } from './servers/parent.ts'

/** What a server did in one slice. */
export type Slice = {
  /** Requests per second of the processor time it used: comparable whatever else the machine was busy with. */
  readonly perCoreSecond: number
  /** Requests per second by the clock. */
  readonly perSecond: number
}

export type LoadRequest = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string }

const CONNECTIONS = 64
/** How often the load generator sees whether it is done. */
const CLOCK_LOOK_MS = 20

/**
 * Loads one server, again at each call. The first call goes by time and finds out how many requests that makes; the
 * later ones send as many and wait for every answer, so that no work is done that is not counted. Throws when any answer
 * was not a success: a failing server must not look fast.
 */
export const createLoad = (server: Child, { method, path, body }: LoadRequest, seconds: number): (() => Promise<Slice>) => {
  let amount: number | null = null
  return async () => {
    const before = await server.ask<Usage>('usage')
    const result = await autocannon({
      url: `${server.ready}${path}`,
      method,
      connections: CONNECTIONS,
      sampleInt: CLOCK_LOOK_MS,
      ...(amount === null ? { duration: seconds } : { amount }),
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    })
    const after = await server.ask<Usage>('usage')
    const answered = result['2xx']
    const failed = result.non2xx + result.errors
    if (failed > 0 || answered === 0) throw new Error(`${method} ${path}: ${failed} of ${failed + answered} requests failed`)
    amount ??= Math.max(answered, CONNECTIONS)
    return {
      perCoreSecond: (answered * 1_000) / (after.cpuMs - before.cpuMs),
      perSecond: (answered * 1_000) / (after.atMs - before.atMs),
    }
  }
}
