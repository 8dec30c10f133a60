import { allPaidBy } from '../../chains/payees.ts'
import type { Asset } from '../../core/asset.ts'
import type { Deposit } from '../../core/execution.ts'
import type { SwapKey } from '../../core/swap.ts'

/** The keys of a deposit with its own address: the address, and all others of the same key. */
export const addressKeys = (deposit: Deposit, input: Asset): readonly SwapKey[] => {
  const paid = new Set([deposit.address, ...allPaidBy(deposit, [input])])
  return [...paid].map((value) => ({ kind: 'address', value }))
}
