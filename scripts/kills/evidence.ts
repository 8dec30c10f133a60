import type { Store } from '../../engine/store/store.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'
import type { Journal } from './journal.ts'
import type { PartnerJobs } from './partners.ts'
import type { Stage } from './stage.ts'

/** Everything that is compared. */
export type Evidence = {
  readonly stage: Stage
  readonly journal: Journal
  readonly partners: PartnerJobs
  readonly records: Store
  /** By the id of the request that executed the swap. */
  readonly recordOf: ReadonlyMap<string, SwapRecord>
  readonly problem: (text: string) => void
  readonly count: (what: string, by?: number) => void
}
