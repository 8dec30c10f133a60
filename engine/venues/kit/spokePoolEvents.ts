import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { EventOf } from '../../chains/evm/abiFields.ts'
import { isBy, readEvent, readEventBy, type ToldLog } from '../../chains/evm/eventLogs.ts'
import type { Movement, SeenLog, SeenTransaction } from '../../chains/seen.ts'
import { anything, tells } from '../../chains/tells.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { isNative } from '../../core/asset.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { PayoutEvent } from '../venue.ts'
import {
  addressOfWord,
  CLAIMED_REFUND,
  type DepositTimes,
  EXECUTED_REFUND_ROOT,
  type FILLED_RELAY,
  type FUNDS_DEPOSITED,
  PERIOD_SECONDS_MAX,
  UNWRAPPED,
} from './spokePools.ts'

/** The fields of a deposit that a payload fixes. Words of 32 bytes in lower case. */
export type PoolDeposit = DepositTimes & {
  readonly depositor: Hex
  readonly recipient: Hex
  readonly inputToken: Hex
  readonly outputToken: Hex
  readonly destinationChainId: bigint
  readonly message: Hex
  /** Whether the deposit may have this amount: after a swap it may exceed the least. */
  isInput(told: bigint): boolean
  /** The least output for this input. */
  outputFor(took: bigint): bigint
}

/** The terms that both the deposit event and the fill event repeat. */
const termsDue = (own: PoolDeposit, took: bigint) => ({
  depositor: own.depositor,
  recipient: own.recipient,
  inputToken: own.inputToken,
  outputToken: own.outputToken,
  exclusiveRelayer: own.exclusiveRelayer,
  fillDeadline: own.fillDeadline,
  inputAmount: (told: bigint) => own.isInput(told),
  outputAmount: own.outputFor(took),
})

/** Whether a deposit made `at` (epoch ms) has this deadline. Without a time, a deadline that depends on it is accepted. */
const isExclusivity = (
  deadline: number,
  { exclusivityParameter: parameter }: DepositTimes,
  at: number | 'any' | null,
): boolean => {
  const isRelative = parameter > 0 && parameter <= PERIOD_SECONDS_MAX
  if (!isRelative) return deadline === parameter
  if (at === 'any') return deadline > parameter
  return at !== null && deadline === Math.floor(at / 1_000) + parameter
}

/**
 * Deposits by the calls that we hand out have a counted id. Others have a hash (SpokePool.sol, `getUnsafeDepositId`), which two
 * of them may share.
 */
const DEPOSIT_IDS_END = 1n << 32n

/** Whether an event of a SpokePool, on either chain, is this deposit, made `at` (epoch ms). */
export const isDepositOf = (event: EventOf<typeof FUNDS_DEPOSITED>, own: PoolDeposit, at: number | null): boolean =>
  tells(event, {
    ...termsDue(own, event.inputAmount),
    destinationChainId: own.destinationChainId,
    quoteTimestamp: own.quoteTimestamp,
    message: own.message,
    depositId: (id) => id < DEPOSIT_IDS_END,
    exclusivityDeadline: (deadline) => isExclusivity(deadline, own, at),
  })

/** SpokePool.sol, `_hashNonEmptyMessage`. */
const messageHash = (message: Hex): Hex =>
  message === '0x' ? `0x${'0'.repeat(64)}` : `0x${bytesToHex(keccak_256(hexToBytes(message.slice(2))))}`

/**
 * Whether a fill is one of this deposit, under one of these ids (`<number of its chain>:<deposit id>`). The depositor may sign an
 * update, but only the output amount may differ, as in a slow fill.
 */
export const isFillOf = (event: EventOf<typeof FILLED_RELAY>, own: PoolDeposit, orderIds: readonly string[]): boolean => {
  const hash = messageHash(own.message)
  return tells(event, {
    ...termsDue(own, event.inputAmount),
    originChainId: (chainId) => orderIds.includes(`${chainId}:${event.depositId}`),
    depositId: anything,
    exclusivityDeadline: (deadline) => isExclusivity(deadline, own, 'any'),
    messageHash: hash,
    repaymentChainId: anything,
    relayer: anything,
    relayExecutionInfo: {
      updatedRecipient: own.recipient,
      updatedMessageHash: hash,
      updatedOutputAmount: anything,
      fillType: anything,
    },
  })
}

/** A fill with the logs up to the next fill: the SpokePool logs a fill before it pays. */
export type Fill = Pick<ToldLog<EventOf<typeof FILLED_RELAY>>, 'place' | 'event' | 'after'> & {
  readonly moved: (log: SeenLog) => Movement | undefined
}

const toPayout = ({ place, amount }: Movement): PayoutEvent => ({ place, amount })

export const paymentIn = (
  logs: readonly SeenLog[],
  { moved }: Fill,
  isIt: (movement: Movement) => boolean,
): PayoutEvent | null => {
  const paid = logs.map(moved).find((movement) => movement !== undefined && isIt(movement))
  return paid === undefined ? null : toPayout(paid)
}

/** The wrapped coins that a contract unwrapped in this log; 0n for none. */
export const unwrappedBy = async (log: SeenLog, token: Address, by: Address, { moved }: Fill): Promise<bigint> => {
  if (!isBy(log, token)) return 0n
  const movement = moved(log)
  if (movement?.from === by && movement.to === ZERO_EVM_ADDRESS) return movement.amount
  const event = await readEvent(UNWRAPPED, log)
  return event?.from === by ? event.value : 0n
}

/** Without a message the SpokePool or the relayer pays exactly the amount of the event. */
export const paidDirectly = async (
  fill: Fill,
  token: Address,
  spokePool: Address,
  { order: { output }, binding: { recipient } }: ExecutedSwap,
): Promise<PayoutEvent | null> => {
  const { place, event, after } = fill
  const isPaid = (moved: Movement) => moved.token === token && moved.to === recipient
  if (!isNative(output)) return paymentIn(after, fill, isPaid)
  // The wrapped coins are paid out as they are, or unwrapped: never both.
  if (paymentIn(after, fill, (moved) => isPaid(moved) && moved.from === spokePool) !== null) return null
  const amount = event.relayExecutionInfo.updatedOutputAmount
  for (const log of after) if ((await unwrappedBy(log, token, spokePool, fill)) === amount) return { place, amount }
  return null
}

/** A refund that a pool logs: its owner, its recipient, token and amount. */
export type Refund = { readonly of: Address; readonly to: Address; readonly token: Address; readonly amount: bigint }

/** Refunds with the transfers that the pool made for them. */
export type ToldRefunds = { readonly refunds: readonly Refund[]; readonly moved: readonly Movement[] }

type Root = {
  readonly l2TokenAddress: Address
  readonly refundAmounts: readonly bigint[]
  readonly refundAddresses: readonly Address[]
}

export const refundsOfRoot = ({ l2TokenAddress: token, refundAmounts, refundAddresses }: Root): readonly Refund[] =>
  refundAddresses.length === refundAmounts.length
    ? refundAddresses.map((to, i) => ({ of: to, to, token, amount: refundAmounts[i] ?? 0n }))
    : []

/** Null for any other event. A root may defer refunds; their owners claim those later. */
const refundsOf = async (log: SeenLog, chainId: ChainId, spokePool: Address): Promise<readonly Refund[] | null> => {
  const root = await readEventBy(spokePool, EXECUTED_REFUND_ROOT, log)
  if (root !== null) return refundsOfRoot(root)
  const claimed = await readEventBy(spokePool, CLAIMED_REFUND, log)
  if (claimed === null) return null
  const [token, to] = [claimed.l2TokenAddress, claimed.refundAddress].map((word) => addressOfWord(chainId, word))
  return token && to ? [{ of: claimed.caller, to, token, amount: claimed.amount }] : []
}

/** A pool pays a refund before it logs it. */
export const refundsToldBy = async (
  spokePool: Address,
  { chainId, logs, movements }: SeenTransaction,
): Promise<readonly ToldRefunds[]> => {
  const byPool = new Map(movements.filter(({ from }) => from === spokePool).map((moved) => [moved.place, moved]))
  const told: ToldRefunds[] = []
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

/**
 * The refunds of one depositor's deposit. Pools refund by roots, which name the address, the token and the sum, but no deposit.
 * Each refund is the transfer beside its event, of exactly that sum.
 */
export const ownRefunds = (
  told: readonly ToldRefunds[],
  {
    depositor,
    token,
    refundTo,
  }: { readonly depositor: Address | null; readonly token: Address | null; readonly refundTo: Address },
): readonly PayoutEvent[] =>
  told.flatMap(({ refunds, moved }) => {
    const left = [...moved]
    return refunds.flatMap((refund) => {
      if (refund.of !== depositor || refund.to !== refundTo || refund.token !== token) return []
      const at = left.findIndex(({ to, amount, ...paid }) => to === refundTo && paid.token === token && amount === refund.amount)
      const [paid] = at < 0 ? [] : left.splice(at, 1)
      return paid ? [toPayout(paid)] : []
    })
  })
