import type { SeenInstruction, SeenTransaction } from '../../chains/seen.ts'
import { anchorEventsBy, isMovedFor } from '../../chains/solana/anchor.ts'
import { hexOf } from '../../chains/solana/borsh.ts'
import type { SolanaInstruction } from '../../chains/solana/solanaCodec.ts'
import { SOLANA } from '../../core/chain.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import { addressOfWord } from '../kit/spokePools.ts'
import type { InputEvent, PayoutEvent } from '../venue.ts'
import { isDepositOf, isFillOf, type OwnDeposit } from './ownDeposit.ts'
import { SVM_FILLED_RELAY, SVM_FUNDS_DEPOSITED, WIRE_SOLANA } from './protocol.ts'
import type { Pinned } from './published.ts'

/** A call is this deposit when all its bytes and accounts match, whichever program called it. */
const isSameCall = (seen: SeenInstruction, { programId, data, accounts }: SolanaInstruction): boolean =>
  seen.program === programId &&
  hexOf(seen.data) === hexOf(data) &&
  seen.accounts.length === accounts.length &&
  accounts.every((account, i) => account !== null && account === seen.accounts[i])

/** The deposits of a transaction on Solana that are the payload's own. */
export const solanaDeposits = ({ instructions, at }: SeenTransaction, own: OwnDeposit): readonly InputEvent[] => {
  const { instruction, inputAmount } = own
  const token = addressOfWord(SOLANA, own.inputToken)
  if (instruction === null || token === null) return []
  const told = anchorEventsBy(instruction.programId, SVM_FUNDS_DEPOSITED, instructions)
  return instructions
    .filter((seen) => isSameCall(seen, instruction))
    .map(({ index }) => {
      const event = told.find(({ called }) => called === index)?.event
      const orderId = event && isDepositOf(event, own, at) ? `${WIRE_SOLANA}:${event.depositId}` : null
      return { place: `instruction:${index}`, orderId, took: { token, amount: inputAmount } }
    })
}

const fillsOn = ({ instructions }: SeenTransaction, { svmSpokes }: Pinned) =>
  svmSpokes.flatMap((program) => anchorEventsBy(program, SVM_FILLED_RELAY, instructions))

/** The fills of a transaction on Solana that deliver one of these deposits, in the places of their payments where the chain shows them. */
export const solanaFills = (
  seen: SeenTransaction,
  own: OwnDeposit,
  {
    swap: { order, binding },
    orderIds,
    pinned,
  }: { readonly swap: ExecutedSwap; readonly orderIds: readonly string[]; readonly pinned: Pinned },
): readonly PayoutEvent[] => {
  const [token, recipient] = [own.outputToken, own.recipient].map((word) => addressOfWord(SOLANA, word))
  if (token !== order.output.address || recipient !== binding.recipient) return []
  return fillsOn(seen, pinned)
    .filter(({ event }) => isFillOf(event, own, orderIds))
    .map((fill) => {
      const paid = seen.movements.find((moved) => isMovedFor(moved, fill) && moved.token === token && moved.to === recipient)
      return { place: paid?.place ?? fill.place, amount: paid?.amount ?? fill.event.relayExecutionInfo.updatedOutputAmount }
    })
}

/** See SwapEvents.named: a fill's transfers between its call and its event, and its recipient's gains without an instruction. */
export const paidOnSolana = (seen: SeenTransaction, pinned: Pinned): readonly string[] =>
  fillsOn(seen, pinned).flatMap((fill) => {
    const [token, recipient] = [fill.event.outputToken, fill.event.recipient].map((word) => addressOfWord(SOLANA, word))
    const sum = `balance:${token}:${recipient}`
    const own = seen.movements.filter((moved) => isMovedFor(moved, fill) || moved.place === sum)
    return own.map(({ place }) => place)
  })
