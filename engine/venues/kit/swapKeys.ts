import { allPaidBy } from '../../chains/payees.ts'
import type { Asset } from '../../core/asset.ts'
import type { Deposit } from '../../core/execution.ts'
import type { SwapKey } from '../../core/swap.ts'

/** What tells a deposit apart that goes to an address of its own: the address, and whatever else is its key's. */
export const addressKeys = (deposit: Deposit, input: Asset): readonly SwapKey[] => {
  const paid = new Set([deposit.address, ...allPaidBy(deposit, [input])])
  return [...paid].map((value) => ({ kind: 'address', value }))
}
