import type { Abi } from 'abitype'
import type { EventOf } from '../../chains/evm/abiFields.ts'
import { eventsBy } from '../../chains/evm/eventLogs.ts'
import type { Movement, SeenLog, SeenTransaction } from '../../chains/seen.ts'
import { anything, type Due, tells } from '../../chains/tells.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { addressOfWord } from '../kit/spokePools.ts'
import type { InputEvent, PayoutEvent } from '../venue.ts'
import { OPEN, OUTPUT_FILLED, REFUNDED } from './abi.ts'
import type { DecodePorts, Delivery, IntentCall, IntentData } from './calls.ts'
import type { Pinned } from './published.ts'

/**
 * Orders of LI.FI Intents, which LiFiIntentEscrowFacetV2 opens at the escrow: the fixed values of a call, and the events of
 * either chain's contracts. Sources: lifinance/contracts and openintentsframework/oif-contracts.
 */

export type Settlers = Pick<Pinned, 'diamonds' | 'spokePools' | 'inputSettlers' | 'outputSettlers'>

/** Below a year, a time counts from the block of the call: facet 1.1.0. An older facet rejects such times. */
const RELATIVE_SECONDS_MAX = 31_536_000
const isRelative = (seconds: number): boolean => seconds < RELATIVE_SECONDS_MAX
const timeOf = (seconds: number, at: number): number => (isRelative(seconds) ? at + seconds : seconds)

/** LI.FI allows 44 hours to fill, and 48 until any account may return the input: lifinance/lintent, commit 93d8951d. */
const REFUND_SECONDS_MAX = 72 * 3_600
export const FILL_SECONDS_MAX = 45 * 3_600
const FILL_SECONDS_MIN = 300

/** The longest time for one solver alone; the others need `FILL_SECONDS_MIN` after it. */
const EXCLUSIVE_SECONDS_MAX = 3_600

const MULTIPLIER_BASE = 10n ** 18n
const amountDue = ({ outputAmountMultiplier }: IntentData, taken: bigint): bigint =>
  (taken * outputAmountMultiplier) / MULTIPLIER_BASE

/** FulfilmentLib.sol: an order at one price, open to all or at first to one solver, until the time of its last four bytes. */
const [LIMIT, EXCLUSIVE_LIMIT] = [/^0x(?:00)?$/, /^0xe0(?!0{64})[0-9a-f]{72}$/]
const exclusiveUntil = (context: Hex): number => Number.parseInt(context.slice(-8), 16)
const isOpenOrder = (context: Hex, now: number, filledBy: number): boolean => {
  const until = timeOf(exclusiveUntil(context), now)
  const isExclusive = EXCLUSIVE_LIMIT.test(context) && until <= now + EXCLUSIVE_SECONDS_MAX
  return LIMIT.test(context) || (isExclusive && until + FILL_SECONDS_MIN <= filledBy)
}

/** The delivery that a call fixes. Any account may return the input once the order has expired: `refund` of the escrow. */
export const deliverIntent = (
  { bridge, data }: IntentCall,
  [from, to]: readonly [ChainId, ChainId],
  { now, pinned }: DecodePorts,
): Delivery => {
  const [token, recipient, settler, oracle] = [data.outputToken, data.recipient, data.outputSettler, data.outputOracle].map(
    (word) => addressOfWord(to, word),
  )
  const seconds = now / 1_000
  const [filledBy, expires] = [timeOf(data.fillDeadline, seconds), timeOf(data.expires, seconds)]
  const isPinned = (found: Address | null | undefined, all: readonly Address[]) => found != null && all.includes(found)
  return {
    output: {
      asset: { chainId: to, address: token === ZERO_EVM_ADDRESS ? NATIVE : (token ?? ZERO_EVM_ADDRESS) },
      minimum: amountDue(data, bridge.minAmount),
    },
    recipient: recipient ?? ZERO_EVM_ADDRESS,
    refundTo: data.depositAndRefundAddress,
    deadlineAt: isRelative(data.fillDeadline) ? null : data.fillDeadline * 1_000,
    unread: failing({
      'an address of the other chain': token != null && recipient != null,
      'another receiver': recipient === bridge.receiver,
      'coins that the facet does not take': bridge.sendingAssetId !== ZERO_EVM_ADDRESS,
      'swaps after the delivery': data.dstCallSwapData.length === 0,
      'an unknown settler': isPinned(settler, pinned.outputSettlers[to] ?? []),
      'an unknown oracle':
        isPinned(data.inputOracle, pinned.intentOracles[from] ?? []) && isPinned(oracle, pinned.intentOracles[to] ?? []),
      'another kind of order': isOpenOrder(data.outputContext, seconds, filledBy),
      'time to fill it': filledBy >= seconds + FILL_SECONDS_MIN && filledBy <= expires && filledBy <= seconds + FILL_SECONDS_MAX,
      'a refund within three days': expires <= seconds + REFUND_SECONDS_MAX,
    }),
  }
}

/** A time of an order opened in a block of `at` (unix seconds). Without `at`, a relative time matches any later one. */
const isTime = (stated: number, told: number, at: number | null): boolean =>
  at === null && isRelative(stated) ? told > stated : told === timeOf(stated, at ?? 0)

const isContext = (stated: Hex, told: Hex, at: number | null): boolean =>
  EXCLUSIVE_LIMIT.test(stated)
    ? told.slice(0, -8) === stated.slice(0, -8) && isTime(exclusiveUntil(stated), exclusiveUntil(told), at)
    : told === stated

type Output = EventOf<typeof OUTPUT_FILLED>['output']

const outputDue = ({ bridge, data }: IntentCall, isAmount: (amount: bigint) => boolean, at: number | null): Due<Output> => ({
  oracle: data.outputOracle,
  settler: data.outputSettler,
  chainId: bridge.destinationChainId,
  token: data.outputToken,
  amount: isAmount,
  recipient: data.recipient,
  callbackData: '0x',
  context: (told: Hex) => isContext(data.outputContext, told, at),
})

/** The events of any of these contracts. */
export const toldBy = async <const A extends Abi>(settlers: readonly Address[], abi: A, logs: readonly SeenLog[]) => {
  const told = settlers.map(async (by) => (await eventsBy(by, abi, logs)).map((one) => ({ ...one, by })))
  return (await Promise.all(told)).flat()
}

type Opening = { readonly chainId: ChainId; readonly amount: bigint; readonly at: number | null }

/** The order that a call opened for this amount, by the escrow's event in these logs. `at`: of its block, epoch ms. */
export const openedBy = async (
  logs: readonly SeenLog[],
  call: IntentCall,
  { chainId, amount, at: blockAt }: Opening,
  { inputSettlers }: Settlers,
): Promise<Pick<InputEvent, 'place' | 'orderId'> | null> => {
  const { bridge, data } = call
  const at = blockAt === null ? null : Math.floor(blockAt / 1_000)
  const due = {
    user: data.depositAndRefundAddress,
    nonce: data.nonce,
    originChainId: BigInt(chainId),
    expires: (told: number) => isTime(data.expires, told, at),
    fillDeadline: (told: number) => isTime(data.fillDeadline, told, at),
    inputOracle: data.inputOracle,
    inputs: [[BigInt(bridge.sendingAssetId), amount]] as const,
    outputs: [outputDue(call, (told) => told === amountDue(data, amount), at)],
  }
  const told = await toldBy(inputSettlers[chainId] ?? [], OPEN, logs)
  const own = told.findLast(({ event }) => tells(event, { orderId: anything, order: due }))
  return own ? { place: own.place, orderId: own.event.orderId } : null
}

/** The last matching payment in these logs. */
const paidIn = (logs: readonly SeenLog[], { movements }: SeenTransaction, due: Partial<Movement>) => {
  const places = new Set(logs.map(({ index }) => `log:${index}`))
  const isDue = (one: Movement) => Object.entries(due).every(([field, value]) => one[field as keyof Movement] === value)
  return movements.findLast((one) => places.has(one.place) && isDue(one))
}

/**
 * All payments of a transaction for orders, with the event that reports each. Coins leave no log of their own. The callback of an
 * order runs between its payment and its event, and may fill others. Each event takes the last payment that is still free.
 */
export const filledIn = async (seen: SeenTransaction, { outputSettlers }: Settlers) => {
  const told = await toldBy(outputSettlers[seen.chainId] ?? [], OUTPUT_FILLED, seen.logs)
  const taken = new Set<string>()
  const inOrder = told.toSorted((a, b) => a.log.index - b.log.index)
  return inOrder.flatMap(({ event, log, place, by }) => {
    const [token, to] = [event.output.token, event.output.recipient].map((word) => addressOfWord(seen.chainId, word))
    if (!token || !to) return []
    const isCoins = token === ZERO_EVM_ADDRESS
    const before = seen.logs.filter(({ index }) => index < log.index && !taken.has(`log:${index}`))
    const paid = isCoins ? place : paidIn(before, seen, { token, to, amount: event.finalAmount })?.place
    if (paid === undefined) return []
    taken.add(paid)
    return [{ event, by, isCoins, place: paid, amount: event.finalAmount }]
  })
}

/** Fills of the orders that a call opened. The escrow accepts a proof of exactly the opened output. */
export const filledFor = async (
  seen: SeenTransaction,
  call: IntentCall,
  orderIds: readonly string[],
  settlers: Settlers,
): Promise<readonly PayoutEvent[]> => {
  const least = amountDue(call.data, call.bridge.minAmount)
  const due = outputDue(call, (amount) => (call.steps === null ? amount === least : amount >= least), null)
  return (await filledIn(seen, settlers)).flatMap(({ event, by, place, amount }) => {
    const isOwn = orderIds.includes(event.orderId) && by === addressOfWord(seen.chainId, event.output.settler)
    return isOwn && amount >= event.output.amount && tells(event.output, due) ? [{ place, amount }] : []
  })
}

/** Refunds of these orders by the escrow. It may keep its governance fee: see `refundKeeps`. */
export const refundedFor = async (
  seen: SeenTransaction,
  { bridge, data }: IntentCall,
  orderIds: readonly string[],
  { inputSettlers }: Settlers,
): Promise<readonly PayoutEvent[]> => {
  const told = await toldBy(inputSettlers[seen.chainId] ?? [], REFUNDED, seen.logs)
  return told.flatMap(({ event, before, by }) => {
    const paid = paidIn(before, seen, { from: by, token: bridge.sendingAssetId, to: data.depositAndRefundAddress })
    return orderIds.includes(event.orderId) && paid ? [{ place: paid.place, amount: paid.amount }] : []
  })
}
