import { ChainError, type Chains } from '../../chains/chains.ts'
import { buildApproval } from '../../core/approval.ts'
import type { Approval } from '../../core/quote.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { SealedOffer } from '../../venues/venue.ts'

const ALLOWANCE_DEADLINE_MS = 3_000

/**
 * The approval a swap still needs; null when none. A chain that cannot be read is reported, and the approval is then
 * asked for: approving again costs a little gas, not approving makes the swap revert.
 */
export const readApproval = async (
  chains: Chains,
  { order, offer }: SealedOffer,
  reportUnread: (error: ChainError) => void,
): Promise<Approval | null> => {
  const { spender } = offer
  if (spender === null) return null
  const { input: asset, sender: owner, inputAmount: amount } = order
  try {
    return await withDeadline(ALLOWANCE_DEADLINE_MS, async (signal) => {
      const allowance = await chains.allowance({ asset, owner, spender }, signal)
      if (allowance >= amount) return null
      const needsReset = allowance > 0n && (await chains.refusesReapproval({ asset, owner, spender, amount }, signal))
      return buildApproval(asset, spender, amount, needsReset)
    })
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    reportUnread(error)
    return buildApproval(asset, spender, amount, false)
  }
}
