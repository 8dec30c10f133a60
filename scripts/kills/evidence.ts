import type { PartnerEvent } from '../../engine/store/partnerEvents.ts'
import type { Store } from '../../engine/store/store.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'
import type { PartnerJobs } from './partnerJobs.ts'
import type { Tale } from './records.ts'
import type { Stage } from './stage.ts'

export type Counts = { [what: string]: number }

/** All that is held against each other. */
export type Evidence = {
  readonly stage: Stage
  readonly tale: Tale
  readonly records: Store
  readonly partners: PartnerJobs
  /** By the request that executed it. */
  readonly recordOf: ReadonlyMap<string, SwapRecord>
  readonly problem: (what: string) => void
  readonly counts: Counts
}

const PAGE = 500

export const allEvents = async ({ partnerEvents }: Store, partnerId: string): Promise<readonly PartnerEvent[]> => {
  const all: PartnerEvent[] = []
  for (let afterPlace = 0; ; ) {
    const page = await partnerEvents.ofPartner(partnerId, { afterPlace, limit: PAGE })
    all.push(...page)
    if (page.length < PAGE) return all
    afterPlace = page.at(-1)?.place ?? 0
  }
}
