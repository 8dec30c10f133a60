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
import type { SwapRecord } from '../../store/swaps.ts'

/** Milliseconds. `patient`: for a settlement pass, so that a search over slow endpoints can use its budget of calls. */
const DEADLINE_MS = { request: 4_000, patient: 20_000 } as const

/**
 * How long every node keeps a transaction, in milliseconds. A node may have pruned an older one (Solana validators keep about two
 * days), so its absence reverts nothing.
 */
const REMEMBERED_MS = 86_400_000

/** The chain and hash of a transaction. */
export type Where = Pick<Payment, 'chainId' | 'txHash'>

const isUnfinished = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'isUnfinished' in answer && answer.isUnfinished === true

/**
 * Reads a chain within a deadline. Returns `unreadable` and logs the failure if the chain cannot be read. Searches of settlement
 * and of callers with a key have a separate budget. An unfinished search is logged.
 */
export const createReadEvidence =
  ({ observe, signal: left, caller, canWait }: CallContext) =>
  async <T>(chainId: ChainId, read: (signal: AbortSignal, budget: SearchBudget) => Promise<T>): Promise<T | 'unreadable'> => {
    const budget = canWait || caller.partnerId !== null ? 'partner' : 'anonymous'
    const work = () => withDeadline(DEADLINE_MS[canWait ? 'patient' : 'request'], (signal) => read(signal, budget), left)
    const answer = await readOr({ chainId, what: 'evidence', observe }, 'unreadable' as const, work)
    // After an abort the answer proves nothing.
    left.throwIfAborted()
    if (isUnfinished(answer)) observe({ event: 'search.unfinished', chainId })
    return answer
  }

export type ReadEvidence = ReturnType<typeof createReadEvidence>

/** The time of the execution by the clock of the chains, epoch ms: an earlier transaction is no evidence of the swap. */
export const executedAtOf = ({ swap, createdAt }: Pick<SwapRecord, 'swap' | 'createdAt'>): number =>
  Math.min(swap.chainsAt ?? createdAt, createdAt)

/** True for a transaction before the execution of the swap. */
export const isOlderThan = ({ at, chainId }: SeenTransaction, executedAt: number): boolean =>
  at !== null && at < executedAt - clocksApartMs(chainId)

/**
 * True for a payment that came too late to identify a swap at a shared address: another swap may have the same reference by then.
 * A payment outside a block counts as of now.
 */
export const isTooLate = ({ at, chainId }: SeenTransaction, { deadlineAt = null }: ExecutedSwap, clock: Clock): boolean =>
  deadlineAt !== null && (at ?? clock.now()) + clocksApartMs(chainId) > deadlineAt + PAYMENT_LATE_MS

/** True while the absence of a transaction of that time proves that it does not exist. */
export const isRemembered = (at: number, clock: Clock): boolean => clock.now() - at < REMEMBERED_MS

/** Milliseconds for nodes that lag behind the one that reported the chain's time: they may lack a transaction that landed. */
const GRACE_MS = 120_000

/** True if a payload is past its deadline at a time of its chain. Never true without a deadline. */
export const isPast = ({ deadlineAt = null }: Pick<ExecutedSwap, 'deadlineAt'>, time: number): boolean =>
  deadlineAt !== null && time > deadlineAt + GRACE_MS

export type EvidencePorts = { readonly evidence: ChainEvidence; readonly read: ReadEvidence }

export const readTransaction = ({ evidence, read }: EvidencePorts, { chainId, txHash }: Where) =>
  read(chainId, (signal) => evidence.transaction({ chainId, hash: txHash }, signal))
