import { parseAbi } from 'abitype'
import type { EventOf } from '../../chains/evm/abiFields.ts'
import { eventsBy, paidIn, type ToldLog } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type Movement, type SeenTransaction } from '../../chains/seen.ts'
import { tells } from '../../chains/tells.ts'
import { type Address, addressOf } from '../../core/address.ts'
import { isNative } from '../../core/asset.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { readOrder, type SignedOrder } from './orders.ts'
import type { Reactors } from './published.ts'

/** src/base/ReactorEvents.sol of Uniswap/UniswapX: logged for each order once all its outputs were paid. */
const FILL = parseAbi(['event Fill(bytes32 indexed orderHash, address indexed filler, address indexed swapper, uint256 nonce)'])
type Fill = ToldLog<EventOf<typeof FILL>>

/** The order that was handed out, by its typed data. */
export const orderOf = async ({ execution: { payload } }: ExecutedSwap): Promise<SignedOrder | null> =>
  payload.executionType === 'SIGNATURE' ? readOrder(payload.typedData) : null

type OwnFill = { readonly order: SignedOrder; readonly fill: Fill; readonly among: readonly Fill[] }

const ownFill = async (seen: SeenTransaction, swap: ExecutedSwap): Promise<OwnFill | null> => {
  const order = await orderOf(swap)
  if (!seen.isSuccess || order === null || seen.chainId !== swap.order.input.chainId) return null
  // The payload proof compares it with the known ones.
  const among = await eventsBy(addressOf('evm', order.info.reactor), FILL, seen.logs)
  const due = { orderHash: order.orderId, filler: () => true, swapper: swap.order.sender, nonce: BigInt(order.nonce) }
  const fill = among.find(({ event }) => tells(event, due))
  return fill ? { order, fill, among } : null
}

type Moved = Pick<Movement, 'token' | 'from' | 'to'>

const isMove = ({ token, from, to }: Movement, moved: Moved): boolean =>
  token === moved.token && from === moved.from && to === moved.to

/** The matching transfers before a fill and after the previous one, in order. */
const movedBefore = ({ before }: Fill, { movements }: SeenTransaction, moved: Moved): readonly Movement[] => {
  const places = new Set(before.map(({ index }) => `log:${index}`))
  return movements.filter((movement) => places.has(movement.place) && isMove(movement, moved))
}

/**
 * A reactor first takes the inputs of all its orders, in their order, each to the filler. Inputs of one wallet are matched by all
 * its transfers to the filler, or by the only fitting ones; ambiguous ones are not reported.
 */
const inputs: SwapEvents['inputs'] = async (seen, swap): Promise<readonly InputEvent[]> => {
  const own = await ownFill(seen, swap)
  if (own === null) return []
  const { event } = own.fill
  const { input, inputAmount, sender: from } = swap.order
  const given = seen.movements.filter(
    (movement) => movement.from === from && movement.to === event.filler && movement.amount > 0n,
  )
  const taken = given.filter(({ token, amount }) => token === input.address && amount <= inputAmount)
  const alike = own.among.filter((fill) => fill.event.swapper === event.swapper && fill.event.filler === event.filler)
  const whole = [given, taken].find(({ length }) => length === alike.length)
  const inTurn = whole?.[alike.indexOf(own.fill)]
  const found = inTurn && taken.includes(inTurn) ? inTurn : taken.length === 1 ? taken[0] : undefined
  const took = found && { token: found.token, amount: found.amount }
  return found && took ? [{ place: found.place, orderId: own.order.orderId, isWhole: true, took }] : []
}

/**
 * The tokens that the filler pays, the last ones before the event. Coins come from a call without a log. For coins this reports
 * the signed minimum, because the event proves at least that amount.
 */
const outputs: SwapEvents['outputs'] = async (seen, swap): Promise<readonly PayoutEvent[]> => {
  const own = await ownFill(seen, swap)
  if (own === null) return []
  const { fill, order } = own
  const { recipient } = swap.binding
  const due = order.outputs.filter((output) => output.recipient === recipient)
  const least = due.reduce((sum, output) => sum + output.least, 0n)
  if (isNative(swap.order.output)) return [{ place: fill.place, amount: least }]
  const moved = { token: swap.order.output.address, from: fill.event.filler, to: recipient }
  const paid = movedBefore(fill, seen, moved).slice(-due.length)
  const isWhole = paid.length === due.length && paid.every(({ amount }, i) => amount >= (due[i]?.least ?? amount + 1n))
  const byFiller = paidIn(fill.before, seen, fill.event.filler)
  return isWhole ? paid.map(({ place, amount }) => ({ place, amount, paid: byFiller })) : []
}

/** All payments of a filler in a filling transaction, for any purpose. Coins count too, because no event states the payments. */
const namedBy = async (seen: SeenTransaction, reactors: readonly Address[]): Promise<readonly string[]> => {
  if (!seen.isSuccess || reactors.length === 0) return []
  const fills = (await Promise.all(reactors.map((reactor) => eventsBy(reactor, FILL, seen.logs)))).flat()
  const fillers = new Set<Address | null>(fills.map(({ event }) => event.filler))
  const paid = seen.movements.filter(({ from }) => fillers.has(from)).map(({ place }) => place)
  return fills.length > 0 ? [...paid, COINS_BY_CALLS] : []
}

/** By the hash of the order. No money leaves a wallet before its order is filled, so there are no refunds. */
export const createEvents = (reactorsOn: Reactors): SwapEvents => ({
  ...{ inputs, outputs, refunds: async () => [] },
  named: (seen) => namedBy(seen, reactorsOn(seen.chainId)),
})
