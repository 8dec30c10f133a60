import { allPaidBy } from '../../chains/payees.ts'
import type { Asset } from '../../core/asset.ts'
import type { Deposit } from '../../core/execution.ts'
import type { SwapKey } from '../../core/swap.ts'

/** What tells a deposit apart that goes to an address of its own: the address, in whatever form its key is paid. */
export const addressKeys = (deposit: Deposit, input: Asset): readonly SwapKey[] =>
  allPaidBy(deposit, [input]).map((value) => ({ kind: 'address', value }))
