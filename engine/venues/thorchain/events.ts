import type { EventOf } from '../../chains/evm/abiFields.ts'
import { eventsBy, type ToldLog } from '../../chains/evm/eventLogs.ts'
import { timesIn } from '../../chains/evm/standsIn.ts'
import { COINS_BY_CALLS, type Movement, paymentsTo, type SeenTransaction } from '../../chains/seen.ts'
import { tells } from '../../chains/tells.ts'
import type { Address } from '../../core/address.ts'
import { type Asset, isNative } from '../../core/asset.ts'
import { BITCOIN } from '../../core/chain.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent, SwapEvents, VenueProfile } from '../venue.ts'
import { DEPOSITED, fromRouterAsset, REFERENCES, readDepositCall, TRANSFERRED, toRouterAsset, toWireHash } from './protocol.ts'

type Transfer = ToldLog<EventOf<typeof TRANSFERRED>>

const bare = (hex: string): string => hex.slice(2).toLowerCase()

/** The router's deposits of exactly this call, identified by its expiry second: as many as the transaction has such calls. */
const inputsByRouter = async (seen: SeenTransaction, swap: ExecutedSwap): Promise<readonly InputEvent[]> => {
  const { order, execution } = swap
  if (execution.payload.executionType !== 'TRANSACTION') return []
  const { to, data } = execution.payload.transaction
  const call = await readDepositCall(data)
  if (call === null) return []
  const times = timesIn(bare(seen.call?.data ?? '0x'), bare(data))
  const due = { to: call.vault, asset: toRouterAsset(order.input), amount: order.inputAmount, memo: call.memo }
  const own = (await eventsBy(to, DEPOSITED, seen.logs)).filter(({ event }) => tells(event, due))
  const took = { token: order.input.address, amount: order.inputAmount }
  return own.slice(0, times).map(({ place }) => ({ place, orderId: toWireHash(seen.hash), took }))
}

/**
 * Payments of the vault in an amount with the digits of this swap. A deposit's own memo takes precedence over its digits, so a
 * payment with a note belongs to another swap, or to no swap.
 */
const inputsByDigits = (
  seen: SeenTransaction,
  { order: { input }, execution: { payload } }: ExecutedSwap,
): readonly InputEvent[] => {
  if (payload.executionType !== 'DEPOSIT' || seen.notes.length > 0) return []
  const { address, amount } = payload.deposit
  return paymentsTo(seen, { asset: input, recipient: address })
    .filter((paid) => paid.amount % REFERENCES === amount % REFERENCES)
    .map((paid) => ({ place: paid.place, orderId: toWireHash(seen.hash), took: { token: input.address, amount: paid.amount } }))
}

/** The transfer of a token before the router's event of it. */
const moneyOf = ({ before, event }: Transfer, asset: Asset, { movements }: SeenTransaction): Movement | null => {
  const places = new Set(before.map(({ index }) => `log:${index}`))
  const isIt = ({ place, token, to }: Movement) => places.has(place) && token === asset.address && to === event.to
  return movements.findLast(isIt) ?? null
}

type Way = { readonly kind: 'OUT' | 'REFUND'; readonly asset: Asset; readonly recipient: Address }

type Routers = VenueProfile['contracts']

const transfersIn = async ({ chainId, isSuccess, logs }: SeenTransaction, routers: Routers): Promise<readonly Transfer[]> => {
  const own = isSuccess ? (routers[chainId] ?? []) : []
  return (await Promise.all(own.map((router) => eventsBy(router, TRANSFERRED, logs)))).flat()
}

const paidByRouter = async (
  seen: SeenTransaction,
  memos: readonly string[],
  { asset, recipient }: Way,
  routers: Routers,
): Promise<readonly PayoutEvent[]> => {
  const own = (await transfersIn(seen, routers)).filter(
    ({ event }) => memos.includes(event.memo) && event.to === recipient && event.asset === toRouterAsset(asset),
  )
  return own.flatMap((told): readonly PayoutEvent[] => {
    // Coins that a recipient rejects return to the vault, with the same event.
    if (isNative(asset)) return [{ place: told.place, amount: told.event.amount, isToBeSeen: true }]
    const money = moneyOf(told, asset, seen)
    return money === null ? [] : [{ place: money.place, amount: money.amount }]
  })
}

/** A payment names its order: by the router's event, or in bitcoin by an output with the name. */
const paid = (seen: SeenTransaction, orderIds: readonly string[], way: Way, routers: Routers) => {
  if (!seen.isSuccess || seen.chainId !== way.asset.chainId) return []
  const memos = orderIds.map((orderId) => `${way.kind}:${orderId}`)
  if (seen.chainId !== BITCOIN) return paidByRouter(seen, memos, way, routers)
  const isNamed = seen.notes.some((note) => memos.includes(Buffer.from(note).toString('latin1')))
  return isNamed ? paymentsTo(seen, way).map(({ place, amount }) => ({ place, amount })) : []
}

/** All payments of the network's routers. In bitcoin anyone can write such a name, so it proves nothing. */
const namedBy = async (seen: SeenTransaction, routers: Routers): Promise<readonly string[]> => {
  const transfers = await transfersIn(seen, routers)
  const isOfCoins = ({ event }: Transfer) => isNative(fromRouterAsset(seen.chainId, event.asset))
  const places = transfers.flatMap((told) =>
    isOfCoins(told) ? told.place : (moneyOf(told, fromRouterAsset(seen.chainId, told.event.asset), seen)?.place ?? []),
  )
  return transfers.some(isOfCoins) ? [...places, COINS_BY_CALLS] : places
}

/** Payments by the routers' events, and by the network's notes on its payments. The hash of its payment identifies an order. */
export const createEvents = (routers: Routers): SwapEvents => ({
  inputs: async (seen, swap) => {
    if (!seen.isSuccess || seen.chainId !== swap.order.input.chainId) return []
    return seen.chainId === BITCOIN ? inputsByDigits(seen, swap) : inputsByRouter(seen, swap)
  },
  outputs: async (seen, { order, binding }, orderIds) =>
    paid(seen, orderIds, { kind: 'OUT', asset: order.output, recipient: binding.recipient }, routers),
  refunds: async (seen, { order, binding }, orderIds) =>
    paid(seen, orderIds, { kind: 'REFUND', asset: order.input, recipient: binding.refundTo }, routers),
  named: (seen) => namedBy(seen, routers),
})
