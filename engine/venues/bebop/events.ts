import type { EventOf } from '../../chains/evm/abiFields.ts'
import { type Emitter, eventsBy, paidIn, type ToldLog } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type Movement, type SeenTransaction } from '../../chains/seen.ts'
import { anything, tells } from '../../chains/tells.ts'
import { type Address, addressOf } from '../../core/address.ts'
import { isNative, NATIVE } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { readMessage } from './jamOrder.ts'
import { type MakerOrder, readMakerOrder } from './makerOrder.ts'
import { BEBOP_ORDER, JAM_FILLED, ROUTER_SWAP, type RouterOrder } from './protocol.ts'
import { type Pinned, type PinnedOn, pathOf } from './published.ts'
import { routerOrderOf } from './routerOrder.ts'

type Told = Pick<ToldLog<unknown>, 'log' | 'place' | 'before'>
type Filled = ToldLog<EventOf<typeof JAM_FILLED>>
type Swapped = ToldLog<EventOf<typeof ROUTER_SWAP>>

/** The movement of money that an event states. */
type Moved = Pick<Movement, 'token' | 'amount'> & { readonly from?: Address; readonly to?: Address }

const allMoved = ({ movements }: SeenTransaction, moved: Moved): readonly Movement[] =>
  movements.filter(
    ({ token, from, to, amount }) =>
      token === moved.token &&
      amount === moved.amount &&
      (moved.from === undefined || from === moved.from) &&
      (moved.to === undefined || to === moved.to),
  )

/** The separate places where money moved before an event; null for coins, which leave no log, or where one did not move. */
const allMovedAt = ({ log, before }: Told, seen: SeenTransaction, all: readonly Moved[]): readonly string[] | null => {
  const places = new Set([...before, log].map(({ index }) => `log:${index}`))
  const found = all.flatMap((moved) => {
    const place = allMoved(seen, moved).findLast((movement) => places.has(movement.place))?.place
    return place !== undefined && places.delete(place) ? [place] : []
  })
  return found.length === all.length ? found : null
}

const movedAt = (told: Told, seen: SeenTransaction, moved: Moved): string | null => allMovedAt(told, seen, [moved])?.[0] ?? null

const filledIn = ({ logs }: SeenTransaction, by: Emitter): Promise<readonly Filled[]> => eventsBy(by, JAM_FILLED, logs)
const swappedIn = ({ logs }: SeenTransaction, by: Emitter): Promise<readonly Swapped[]> => eventsBy(by, ROUTER_SWAP, logs)

/** The fills of the signed order: by its nonce and taker, who signed the rest of it. */
const ownFills = async (seen: SeenTransaction, { order, execution: { payload } }: ExecutedSwap): Promise<readonly Filled[]> => {
  if (payload.executionType !== 'SIGNATURE') return []
  const contract = addressOf('evm', payload.typedData.domain.verifyingContract ?? '')
  const message = readMessage(payload.typedData)
  const [least] = message.buyAmounts.map(BigInt)
  return (await filledIn(seen, contract)).filter(({ event }) =>
    tells(event, {
      nonce: BigInt(message.nonce),
      user: order.sender,
      sellTokens: (told) => told.length === 1 && told[0] === order.input.address,
      buyTokens: (told) => told.length === 1 && told[0] === order.output.address,
      sellAmounts: (told) => told.length === 1 && told[0] === order.inputAmount,
      buyAmounts: (told) => told.length === 1 && least !== undefined && (told[0] ?? 0n) >= least,
    }),
  )
}

/**
 * The place where a JAM order's input moved. A batch takes all inputs in the order of its fills before it logs a fill. Equal
 * inputs therefore match equal fills by position.
 */
const takenAt = async ({ log, place }: Told, seen: SeenTransaction, moved: Moved): Promise<string | null> => {
  const equal = (await filledIn(seen, addressOf('evm', log.address))).filter(
    ({ event: { user, sellTokens, sellAmounts } }) =>
      user === moved.from && sellTokens[0] === moved.token && sellAmounts[0] === moved.amount,
  )
  const taken = allMoved(seen, moved)
  return taken.length === equal.length ? (taken[equal.findIndex((fill) => fill.place === place)]?.place ?? null) : null
}

/** The swaps of the router order that was handed out, by its nonce. */
const ownSwaps = (swaps: readonly Swapped[], routed: RouterOrder, { order }: ExecutedSwap): readonly Swapped[] =>
  swaps.filter(({ event }) =>
    tells(event, {
      eventId: anything,
      routerNonce: routed.routerNonce,
      receiver: routed.receiver,
      fromToken: order.input.address,
      toToken: order.output.address,
      fromAmount: order.inputAmount,
      toAmount: (told) => told >= routed.limitAmount,
      feeValue: anything,
      slippageValue: anything,
      unsignedFlags: routed.unsignedFlags,
    }),
  )

/** The fills of the maker order that was handed out, by its event id. */
const ownOrders = async ({ logs }: SeenTransaction, by: Address, { eventId }: MakerOrder): Promise<readonly Told[]> =>
  (await eventsBy(by, BEBOP_ORDER, logs)).filter(({ event }) => tells(event, { eventId }))

/** An event of the execution. `paid`: to the recipient. `legs`: of several makers. `wrapped`: sold coins, paid to the maker. */
type Own = Told & { readonly paid: bigint; readonly legs?: MakerOrder['legs']; readonly wrapped?: Moved | null }

const ownEvents = async (seen: SeenTransaction, swap: ExecutedSwap): Promise<readonly Own[]> => {
  const { order, execution } = swap
  const { payload } = execution
  if (!seen.isSuccess || seen.chainId !== order.input.chainId) return []
  if (payload.executionType !== 'TRANSACTION')
    return (await ownFills(seen, swap)).map((told) => ({ ...told, paid: told.event.buyAmounts[0] ?? 0n }))
  // The payload proof has compared the contract with the pinned ones.
  const { to, data } = payload.transaction
  const routed = await routerOrderOf(payload)
  const swaps = routed && ownSwaps(await swappedIn(seen, to), routed, swap)
  if (swaps !== null) return swaps.map((told) => ({ ...told, paid: told.event.toAmount }))
  const made = await readMakerOrder(data as Hex)
  if (!made?.legs) return []
  const legs = made.legs.length > 1 ? made.legs : null
  const [leg] = made.legs
  const wrapped = made.isPaidInCoins && leg ? { token: made.takerToken, amount: made.takerAmount, from: to, to: leg.maker } : null
  return (await ownOrders(seen, to, made)).map((told) => ({ ...told, paid: made.makerAmount, legs, wrapped }))
}

const inputs = async (seen: SeenTransaction, swap: ExecutedSwap): Promise<readonly InputEvent[]> => {
  const { input, inputAmount, sender } = swap.order
  const took = { token: input.address, amount: inputAmount }
  const moved = { ...took, from: sender }
  const isSigned = swap.execution.payload.executionType === 'SIGNATURE'
  const found = (await ownEvents(seen, swap)).map(async (own) => {
    if (isNative(input)) return own.wrapped && movedAt(own, seen, own.wrapped) === null ? null : own.place
    const taken = own.legs?.map(({ maker, takerAmount }) => ({ ...moved, amount: takerAmount, to: maker })) ?? [moved]
    return (isSigned ? await takenAt(own, seen, moved) : null) ?? allMovedAt(own, seen, taken)?.[0] ?? null
  })
  return (await Promise.all(found)).flatMap((place) => (place === null ? [] : [{ place, orderId: null, took }]))
}

const outputs = async (seen: SeenTransaction, swap: ExecutedSwap): Promise<readonly PayoutEvent[]> => {
  const { order, binding } = swap
  const token = order.output.address
  return (await ownEvents(seen, swap)).flatMap((own) => {
    const due = own.legs?.map(({ maker, makerAmount }) => ({ amount: makerAmount, from: maker })) ?? [{ amount: own.paid }]
    const all = due.map((each) => ({ ...each, token, to: binding.recipient }))
    // Coins leave no log, so the event itself is the place.
    const places = isNative(order.output) ? [own.place] : allMovedAt(own, seen, all)
    return (places ?? []).map((place, index) => {
      // For JAM the settlement or its solver pays both, before the event.
      const payer = seen.movements.find((movement) => movement.place === place)?.from ?? null
      return { place, amount: due[index]?.amount ?? 0n, paid: paidIn(own.before, seen, payer) }
    })
  })
}

/** Each of several makers pays the receiver, then takes from the taker: their payments at the end of these movements. */
const paidByLegs = (moved: readonly Movement[]): readonly string[] => {
  const [paid, took] = moved.slice(-2)
  const isLeg = (out: Movement, into = moved[moved.indexOf(out) + 1]) =>
    out.from === into?.to && out.to === paid?.to && out.token === paid.token && into.from === took?.from
  const pays = moved.filter((_, at) => (moved.length - at) % 2 === 0)
  return pays.slice(pays.findLastIndex((out) => !isLeg(out)) + 1).map(({ place }) => place)
}

/** Payments of the contracts where they log an order, and payments of solvers and makers right before that log. */
const namedBy = async ({ jam, routers, settlements }: Pinned, seen: SeenTransaction): Promise<readonly string[]> => {
  if (!seen.isSuccess || pathOf(seen.chainId) === null) return []
  const books = jam.map(([settlement]) => settlement)
  const [fills, swaps] = [await filledIn(seen, books), await swappedIn(seen, routers)]
  const paidBy = (contracts: readonly Address[], told: readonly unknown[]): readonly string[] =>
    told.length === 0 ? [] : seen.movements.filter(({ from }) => from && contracts.includes(from)).map(({ place }) => place)
  const bySolvers = fills.flatMap((fill) =>
    fill.event.buyTokens.flatMap((token, index) => {
      const place = movedAt(fill, seen, { token: token as Address, amount: fill.event.buyAmounts[index] ?? 0n })
      return place === null ? [] : [place]
    }),
  )
  const byMakers = (await eventsBy(settlements, BEBOP_ORDER, seen.logs)).flatMap(({ before }) => {
    const places = new Set(before.map(({ index }) => `log:${index}`))
    const moved = seen.movements.filter(({ place }) => places.has(place))
    const last = moved.at(-1)?.place
    return last === `log:${before.at(-1)?.index}` ? [last, ...paidByLegs(moved)] : []
  })
  const isInCoins =
    fills.some(({ event }) => event.buyTokens.some((token) => token === NATIVE)) ||
    swaps.some(({ event }) => event.toToken === NATIVE)
  const places = [...paidBy(books, fills), ...paidBy(routers, swaps), ...bySolvers, ...byMakers]
  return [...new Set(places), ...(isInCoins ? [COINS_BY_CALLS] : [])]
}

/** All three contracts log every order they fill, with a unique value of the order. They never pay refunds. */
export const createEvents = (pinned: PinnedOn): SwapEvents => ({
  ...{ inputs, outputs, refunds: async () => [] },
  named: (seen) => namedBy(pinned(seen.chainId), seen),
})
