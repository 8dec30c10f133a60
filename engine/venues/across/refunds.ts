import type { SeenTransaction } from '../../chains/seen.ts'
import { anchorEventsBy, isMovedFor, type ToldInstruction } from '../../chains/solana/anchor.ts'
import type { Address } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import { ownRefunds, type Refund, refundsOfRoot, refundsToldBy, type ToldRefunds } from '../kit/spokePoolEvents.ts'
import { addressOfWord } from '../kit/spokePools.ts'
import type { PayoutEvent } from '../venue.ts'
import type { OwnDeposit } from './ownDeposit.ts'
import { SVM_CLAIMED_REFUND, SVM_EXECUTED_REFUND_ROOT } from './protocol.ts'
import type { Pinned } from './published.ts'

/** The program pays between the call and the event, or where no instruction explains an amount. */
const toldOnSolana = ({ instructions, movements }: SeenTransaction, program: Address): readonly ToldRefunds[] => {
  const toTold = (told: ToldInstruction<unknown>, refunds: readonly Refund[]): ToldRefunds => ({
    refunds,
    moved: movements.filter((moved) => isMovedFor(moved, told) || moved.place.startsWith('balance:')),
  })
  return [
    ...anchorEventsBy(program, SVM_EXECUTED_REFUND_ROOT, instructions).map((told) => toTold(told, refundsOfRoot(told.event))),
    ...anchorEventsBy(program, SVM_CLAIMED_REFUND, instructions).map((told) => {
      const { l2TokenAddress: token, claimAmount: amount, refundAddress: to } = told.event
      return toTold(told, [{ of: to, to, token, amount }])
    }),
  ]
}

/** The refunds of a transaction to the depositor of a swap. */
export const refundsIn = async (
  seen: SeenTransaction,
  own: OwnDeposit,
  { refundTo, pinned: { on, svmSpokes } }: { readonly refundTo: Address; readonly pinned: Pinned },
): Promise<readonly PayoutEvent[]> => {
  const { chainId } = seen
  const [depositor = null, token = null] = [own.depositor, own.inputToken].map((word) => addressOfWord(chainId, word))
  const byPools = (on(chainId)?.spokePools ?? []).map((pool) => refundsToldBy(pool, seen))
  const told = chainId === SOLANA ? svmSpokes.map((program) => toldOnSolana(seen, program)) : await Promise.all(byPools)
  return ownRefunds(told.flat(), { depositor, token, refundTo })
}
