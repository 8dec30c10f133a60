import type { Counted } from '../../engine/core/sharedCounts.ts'
import type { Change, Told } from '../../engine/shared/sharedStandings.ts'
import type { WatchedEvent } from '../../engine/simnet/watch/watched.ts'
import type { SimnetPlaces } from '../onSimnet.ts'

/** Calls of workers to the primary process, in place of Redis. */
export type Question =
  | { readonly ask: 'count' | 'look' | 'giveBack'; readonly key: string }
  | { readonly ask: 'enter'; readonly key: string; readonly member: string; readonly limit: number }
  | { readonly ask: 'leave'; readonly key: string; readonly member: string }
  | { readonly ask: 'exchange'; readonly changes: readonly Change[] }

export type Reply = Counted | number | boolean | readonly Told[] | null

export type FromWorker =
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'listening'; readonly url: string; readonly monitorUrl: string | null }
  /** An event for the page of the offline network. */
  | { readonly kind: 'watched'; readonly event: WatchedEvent }

export type ToWorker =
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Reply }
  /** The offline network's time jumped. */
  | { readonly kind: 'ahead'; readonly ms: number }
  | { readonly kind: 'stop' }

/** The variable with the task of a worker. Operators do not set it. */
export const WORKER_VARIABLE = 'CLUSTER_WORKER'

export type WorkerTask = {
  /** Null on mainnet. */
  readonly network: { readonly places: SimnetPlaces; readonly aheadMs: number } | null
}
