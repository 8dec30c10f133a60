import type { Chains } from '../../chains/chains.ts'
import { readOr } from '../../chains/readOr.ts'
import { buildApproval } from '../../core/approval.ts'
import type { Approval, SealedOffer } from '../../core/swap.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { ObserveRequest } from '../../observe/observe.ts'

const ALLOWANCE_DEADLINE_MS = 3_000

/**
 * The approval a swap still needs; null when none. Where the chain cannot be read it is asked for: approving again costs
 * a little gas, not approving makes the swap revert.
 */
export const readApproval = async (
  chains: Chains,
  { order, offer }: SealedOffer,
  observe: ObserveRequest,
): Promise<Approval | null> => {
  const { spender } = offer
  if (spender === null) return null
  const { input: asset, sender: owner, inputAmount: amount } = order
  const approve = (needsReset: boolean) => buildApproval(asset, spender, amount, needsReset)
  return readOr({ chainId: asset.chainId, what: 'allowance', observe }, approve(false), () =>
    withDeadline(ALLOWANCE_DEADLINE_MS, async (signal) => {
      const allowance = await chains.allowance({ asset, owner, spender }, signal)
      if (allowance >= amount) return null
      return approve(allowance > 0n && (await chains.refusesReapproval({ asset, owner, spender, amount }, signal)))
    }),
  )
}
