import { AsyncLocalStorage } from 'node:async_hooks'

/** One request to a venue and its answer as text, both without the venue's keys. */
export type Exchange = {
  readonly method: string
  readonly url: string
  readonly request: string | null
  readonly status: number
  readonly answer: string
}

/** The exchanges of the call that is running now. Lists that an earlier call loaded are not among them. */
const running = new AsyncLocalStorage<Exchange[]>()

/** Runs one call of a venue. `exchanges` grows while it runs. */
export const recordExchanges = <T>(exchanges: Exchange[], call: () => T): T => running.run(exchanges, call)

/** Does nothing outside of `recordExchanges`. */
export const addExchange = (read: () => Exchange): void => void running.getStore()?.push(read())
