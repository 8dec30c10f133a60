import type { AnyEvent } from '../engine/observe/observe.ts'
import type { Simnet } from '../engine/simnet/simnet.ts'

/** The receiver of the service's events on races and swaps: the offline network, for its page. */
export type Watcher = Pick<Simnet, 'watch'>

/** Forwards events to the offline network. */
export interface NetworkWatch {
  observe(event: AnyEvent): void
  /** Starts forwarding. Earlier events are dropped, since the network is not running yet. */
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
