import { readEventBy } from '../../chains/evm/eventLogs.ts'
import type { Movement, SeenLog, SeenTransaction } from '../../chains/seen.ts'
import { anchorEventsBy, isMovedFor, type ToldInstruction } from '../../chains/solana/anchor.ts'
import type { Address } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import type { PayoutEvent } from '../venue.ts'
import { CLAIMED_REFUND, EXECUTED_REFUND_ROOT } from './abi.ts'
import { addressOfWord } from './delivery.ts'
import type { OwnDeposit } from './ownDeposit.ts'
import { acrossChain, SVM_SPOKE } from './published.ts'
import { SVM_CLAIMED_REFUND, SVM_EXECUTED_REFUND_ROOT } from './svm.ts'

/** What a contract of Across says it gave back: whose it was, where it went and how much of which token. */
type Refund = { readonly of: Address; readonly to: Address; readonly token: Address; readonly amount: bigint }

/** Refunds with the money that moved while they were made. */
type Told = { readonly refunds: readonly Refund[]; readonly moved: readonly Movement[] }

type Root = {
  readonly l2TokenAddress: Address
  readonly refundAmounts: readonly bigint[]
  readonly refundAddresses: readonly Address[]
}

const refundsOfRoot = ({ l2TokenAddress: token, refundAmounts, refundAddresses }: Root): readonly Refund[] =>
  refundAddresses.length === refundAmounts.length
    ? refundAddresses.map((to, i) => ({ of: to, to, token, amount: refundAmounts[i] ?? 0n }))
    : []

/** Null for any other event. Of a root whose refunds were put off in part, those are claimed later by whom they are owed. */
const refundsOf = async (
  log: SeenLog,
  chainId: SeenTransaction['chainId'],
  spokePool: Address,
): Promise<readonly Refund[] | null> => {
  const root = await readEventBy(spokePool, EXECUTED_REFUND_ROOT, log)
  if (root !== null) return refundsOfRoot(root)
  const claimed = await readEventBy(spokePool, CLAIMED_REFUND, log)
  if (claimed === null) return null
  const [token, to] = [claimed.l2TokenAddress, claimed.refundAddress].map((word) => addressOfWord(chainId, word))
  return token && to ? [{ of: claimed.caller, to, token, amount: claimed.amount }] : []
}

/** A pool pays before it tells. */
const toldOnEvm = async ({ chainId, logs, movements }: SeenTransaction): Promise<readonly Told[]> => {
  const spokePool = acrossChain(chainId)?.spokePool
  if (spokePool === undefined) return []
  const byPool = new Map(movements.filter(({ from }) => from === spokePool).map((moved) => [moved.place, moved]))
  const told: Told[] = []
  let before: Movement[] = []
  for (const log of logs) {
    const moved = byPool.get(`log:${log.index}`)
    if (moved) before.push(moved)
    const refunds = await refundsOf(log, chainId, spokePool)
    if (refunds === null) continue
    told.push({ refunds, moved: before })
    before = []
  }
  return told
}

/** The program pays between the call and the event, or where no instruction explains a sum. */
const toldOnSolana = ({ instructions, movements }: SeenTransaction): readonly Told[] => {
  const toTold = (told: ToldInstruction<unknown>, refunds: readonly Refund[]): Told => ({
    refunds,
    moved: movements.filter((moved) => isMovedFor(moved, told) || moved.place.startsWith('balance:')),
  })
  return [
    ...anchorEventsBy(SVM_SPOKE, SVM_EXECUTED_REFUND_ROOT, instructions).map((told) => toTold(told, refundsOfRoot(told.event))),
    ...anchorEventsBy(SVM_SPOKE, SVM_CLAIMED_REFUND, instructions).map((told) => {
      const { l2TokenAddress: token, claimAmount: amount, refundAddress: to } = told.event
      return toTold(told, [{ of: to, to, token, amount }])
    }),
  ]
}

/**
 * What a transaction gives back to the depositor of a swap: refunds go out by roots, which name the address, the token and the
 * sum, and no deposit. Each is the money beside it, of that very sum.
 */
export const refundsIn = async (seen: SeenTransaction, own: OwnDeposit, refundTo: Address): Promise<readonly PayoutEvent[]> => {
  const { chainId } = seen
  const [depositor, token] = [addressOfWord(chainId, own.depositor), addressOfWord(chainId, own.inputToken)]
  const told = chainId === SOLANA ? toldOnSolana(seen) : await toldOnEvm(seen)
  return told.flatMap(({ refunds, moved }) => {
    const left = [...moved]
    return refunds.flatMap((refund) => {
      if (refund.of !== depositor || refund.to !== refundTo || refund.token !== token) return []
      const at = left.findIndex(({ to, amount, ...paid }) => to === refundTo && paid.token === token && amount === refund.amount)
      const [paid] = at < 0 ? [] : left.splice(at, 1)
      return paid ? [{ place: paid.place, amount: paid.amount }] : []
    })
  })
}
