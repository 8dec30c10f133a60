import { AsyncLocalStorage } from 'node:async_hooks'

/** One request to a venue and its answer as text, both without the venue's keys. */
export type Exchange = {
  readonly method: string
  readonly url: string
  readonly request: string | null
  readonly status: number
  readonly answer: string
}

type Recorder = { readonly exchanges: Exchange[]; readonly onRequest: (() => void) | undefined }

/** The recorders of the running call. Lists that an earlier call loaded are not among its exchanges. */
const running = new AsyncLocalStorage<readonly Recorder[]>()

/**
 * Runs one call of a venue. `exchanges` grows while it runs, and so do those of the calls that it is part of. `onRequest` runs before
 * each of its requests that is not for a list.
 */
export const recordExchanges = <T>(exchanges: Exchange[], call: () => T, onRequest?: () => void): T =>
  running.run([...(running.getStore() ?? []), { exchanges, onRequest }], call)

/** Reports a request that is about to be sent. */
export const startRequest = (): void => {
  for (const { onRequest } of running.getStore() ?? []) onRequest?.()
}

/** Does nothing outside of `recordExchanges`. */
export const addExchange = (read: () => Exchange): void => {
  const recorders = running.getStore()
  if (recorders === undefined) return
  const exchange = read()
  for (const { exchanges } of recorders) exchanges.push(exchange)
}
