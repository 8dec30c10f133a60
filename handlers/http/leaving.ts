import type { ServerResponse } from 'node:http'

/** Aborts when the client has left before the answer was written. */
export type Leaving = () => AbortSignal

/** Created at its first use: most requests are answered before a client can leave. */
export const leavingOf = (res: ServerResponse): Leaving => {
  let controller: AbortController | null = null
  return () => {
    if (controller) return controller.signal
    const made = new AbortController()
    controller = made
    const leave = () => {
      if (!res.writableFinished) made.abort()
    }
    if (res.destroyed) leave()
    else res.once('close', leave)
    return made.signal
  }
}
