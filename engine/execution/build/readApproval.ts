import type { Chains } from '../../chains/chains.ts'
import { readAllowance } from '../../chains/evm/readAllowance.ts'
import { readOr } from '../../chains/readOr.ts'
import { missingApproval } from '../../core/approval.ts'
import type { Approval, SealedOffer } from '../../core/swap.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { ObserveRequest } from '../../observe/observe.ts'

const ALLOWANCE_DEADLINE_MS = 3_000

/** The approval that a swap still needs; null if none. */
export const readApproval = async (
  chains: Chains,
  { order, offer: { spender } }: SealedOffer,
  observe: ObserveRequest,
): Promise<Approval | null> => {
  if (spender === null) return null
  const { input, inputAmount } = order
  const known = await readOr({ chainId: input.chainId, what: 'allowance', observe }, null, () =>
    withDeadline(ALLOWANCE_DEADLINE_MS, (signal) => readAllowance(chains, order, spender, signal)),
  )
  return missingApproval(input, spender, inputAmount, known)
}
