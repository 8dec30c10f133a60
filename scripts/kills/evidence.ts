import type { Store } from '../../engine/store/store.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'
import type { Run } from './journal.ts'

/** Everything that is compared. */
export type Evidence = Run & {
  readonly records: Store
  /** By the id of the request that executed the swap. */
  readonly recordOf: ReadonlyMap<string, SwapRecord>
  readonly problem: (text: string) => void
  readonly count: (what: string, by?: number) => void
}
