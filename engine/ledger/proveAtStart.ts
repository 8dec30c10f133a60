import type { Observe } from '../observe/observe.ts'
import type { Store } from '../store/store.ts'
import { proveBalance } from './proveBalance.ts'

/** How many mismatches are reported one by one. */
const TOLD_MAX = 20

/**
 * Proves the ledger beside a started service, and logs the result unless the ledger is empty. The operator must examine a
 * mismatch; it stops no swap. Never rejects; ends soon after its signal.
 */
export const proveAtStart = async (
  store: Pick<Store, 'ledger' | 'swaps'>,
  observe: Observe,
  signal: AbortSignal,
): Promise<void> => {
  try {
    const { isBalanced, entries, problemCount, problems } = await proveBalance(store, signal)
    if (entries === 0 && isBalanced) return
    observe({ event: 'ledger.proved', balanced: isBalanced, entries, problems: problemCount })
    for (const { entryId, key, what } of problems.slice(0, TOLD_MAX)) observe({ event: 'ledger.mismatch', entryId, key, what })
  } catch (error) {
    if (signal.aborted) return
    observe({ event: 'ledger.unproved', reason: error instanceof Error ? error.message : String(error) })
  }
}
