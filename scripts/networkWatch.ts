import type { AnyEvent } from '../engine/observe/observe.ts'
import type { Simnet } from '../engine/simnet/simnet.ts'

/** Who wants to know what the service tells of races and swaps: the offline network, for its page. */
export type Watcher = Pick<Simnet, 'watch'>

/** Hands on to the offline network what it wants to know of. */
export interface NetworkWatch {
  observe(event: AnyEvent): void
  /** Until then nothing is handed on: there is no network yet. */
  follow(watcher: Watcher | null): void
}

export const createNetworkWatch = (): NetworkWatch => {
  let watcher: Watcher | null = null
  return {
    observe: (event) => {
      switch (event.event) {
        case 'quote.served':
        case 'quote.refused':
        case 'swap.executed':
        case 'signature.submitted':
        case 'transaction.submitted':
        case 'swap.tracked':
          watcher?.watch(event)
      }
    },
    follow: (found) => {
      watcher = found
    },
  }
}
