import type { ChainEvidence } from '../../chains/chainEvidence.ts'
import type { SearchBudget } from '../../chains/evm/searchCalls.ts'
import { clocksApartMs } from '../../chains/oneChain.ts'
import { readOr } from '../../chains/readOr.ts'
import type { SeenTransaction } from '../../chains/seen.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Payment } from '../../core/payment.ts'
import { type ExecutedSwap, PAYMENT_LATE_MS } from '../../core/swap.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { CallContext } from '../../observe/callContext.ts'

/** `patient`: of a settlement pass, so that a search over slow endpoints spends its budget of calls. */
const DEADLINE_MS = { request: 4_000, patient: 20_000 } as const

/**
 * How long every node still has a transaction. One that shows none which is older may have forgotten it (Solana's validators
 * keep about two days), and nothing that old is taken back.
 */
const REMEMBERED_MS = 86_400_000

/** Where a transaction is, and what of it is whose. */
export type Where = Pick<Payment, 'chainId' | 'txHash'>

const isUnfinished = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'isUnfinished' in answer && answer.isUnfinished === true

/**
 * Asks the chains, within a deadline each; `unreadable`, and the log is told, where they cannot be asked. Searches of settlement and
 * of callers with a key have a budget of their own; one that is to go on is reported.
 */
export const createReadEvidence =
  ({ observe, signal: left, caller, canWait }: CallContext) =>
  async <T>(chainId: ChainId, read: (signal: AbortSignal, budget: SearchBudget) => Promise<T>): Promise<T | 'unreadable'> => {
    const budget = canWait || caller.partnerId !== null ? 'partner' : 'anonymous'
    const work = () => withDeadline(DEADLINE_MS[canWait ? 'patient' : 'request'], (signal) => read(signal, budget), left)
    const answer = await readOr({ chainId, what: 'evidence', observe }, 'unreadable' as const, work)
    // Nothing can be concluded from what nobody waited for.
    left.throwIfAborted()
    if (isUnfinished(answer)) observe({ event: 'search.unfinished', chainId })
    return answer
  }

export type ReadEvidence = ReturnType<typeof createReadEvidence>

/** True for a transaction that cannot be of a swap which was executed only afterwards. */
export const isOlderThan = ({ at, chainId }: SeenTransaction, executedAt: number): boolean =>
  at !== null && at < executedAt - clocksApartMs(chainId)

/**
 * True for a payment by which a swap that shares its address may be told no more: another may have the same reference by then.
 * One in no block is of now.
 */
export const isTooLate = ({ at, chainId }: SeenTransaction, { deadlineAt = null }: ExecutedSwap, clock: Clock): boolean =>
  deadlineAt !== null && (at ?? clock.now()) + clocksApartMs(chainId) > deadlineAt + PAYMENT_LATE_MS

/** True while a chain that shows no transaction of that time shows that there is none. */
export const isRemembered = (at: number, clock: Clock): boolean => clock.now() - at < REMEMBERED_MS

/** For a node that is behind the one which told the chain's time: what it has not seen yet may have landed. */
const GRACE_MS = 120_000

/** Whether a payload can do nothing any more at a time of its chain; one without a deadline always may. */
export const isPast = ({ deadlineAt = null }: Pick<ExecutedSwap, 'deadlineAt'>, time: number): boolean =>
  deadlineAt !== null && time > deadlineAt + GRACE_MS

export type EvidencePorts = { readonly evidence: ChainEvidence; readonly read: ReadEvidence }

export const readTransaction = ({ evidence, read }: EvidencePorts, { chainId, txHash }: Where) =>
  read(chainId, (signal) => evidence.transaction({ chainId, hash: txHash }, signal))
