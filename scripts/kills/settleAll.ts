import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../engine/store/store.ts'
import { isEnd, type Swap, type Tale } from './records.ts'
import type { Stage } from './stage.ts'
import type { SwapJobs } from './swapJobs.ts'

/** So far that every order and refund is over, and everything final. */
const STEP_MS = 1_200_000
const ROUNDS_MAX = 30
const PASS_MS = 1_500
/** Of a machine that has much else to do. */
const PASSES_MAX = 40
/** Passes after which nothing may be left to do. */
const QUIET_ROUNDS = 2

const isToEnd = ({ isPaid, intent, told }: Swap): boolean => isPaid && intent !== 'never' && !isEnd(told?.status)

/** Waits until the job has looked at all that was due by then. False where it does not come to it. */
const areLookedAt = async ({ operator }: Store, dueBy: number): Promise<boolean> => {
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    await sleep(PASS_MS)
    if ((await operator.backlog(dueBy)).looks.due === 0) return true
  }
  return false
}

/** Lets everything that was begun come to its end: time runs ahead until all swaps have, their fees are booked and everybody is told. */
export const settleAll = async ({ stage, tale, swaps }: { stage: Stage; tale: Tale; swaps: SwapJobs }): Promise<void> => {
  const records = await stage.openRecords()
  try {
    let quiet = 0
    for (let round = 0; round < ROUNDS_MAX && quiet < QUIET_ROUNDS; round += 1) {
      await stage.advance(STEP_MS)
      const now = stage.now()
      for (const swap of tale.swaps) if (isToEnd(swap)) await swaps.status(swap)
      // Whoever was not followed by the job is looked at once more when it is final.
      for (const swap of tale.swaps) if (swap.partner === null && swap.isPaid) await swaps.status(swap)
      const isLookedAt = await areLookedAt(records, now)
      const { deliveries } = await records.operator.backlog(0)
      quiet = isLookedAt && deliveries.due === 0 && !tale.swaps.some(isToEnd) ? quiet + 1 : 0
    }
  } finally {
    await records.close()
  }
}
