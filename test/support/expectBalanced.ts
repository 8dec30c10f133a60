import { expect } from 'vitest'
import { proveBalance } from '../../engine/ledger/proveBalance.ts'
import type { Store } from '../../engine/store/store.ts'

/** Fails the test where the ledger does not add up. Answers with how many entries it has. */
export const expectBalanced = async (store: Pick<Store, 'ledger' | 'swaps'>): Promise<number> => {
  const { entries, ...proof } = await proveBalance(store)
  expect(proof).toEqual({ isBalanced: true, problemCount: 0, problems: [] })
  return entries
}
