import type { Address } from '../../core/address.ts'
import type { Allowance } from '../../core/approval.ts'
import type { Order } from '../../core/order.ts'
import type { Chains } from '../chains.ts'

/** What the sender of an order allows a spender of its input. Throws ChainError. */
export const readAllowance = async (
  chains: Chains,
  { input: asset, sender: owner, inputAmount: amount }: Order,
  spender: Address,
  signal: AbortSignal,
): Promise<Allowance> => {
  const allowance = await chains.allowance({ asset, owner, spender }, signal)
  const isChange = allowance > 0n && allowance < amount
  const needsReset = isChange && (await chains.refusesReapproval({ asset, owner, spender, amount }, signal))
  return { allowance, needsReset }
}
