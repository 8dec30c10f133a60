import { eventsBy, type EventOf, type ToldLog } from '../../chains/evm/eventLogs.ts'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { COINS_BY_CALLS, type Movement, type SeenTransaction } from '../../chains/seen.ts'
import { anything, tells } from '../../chains/tells.ts'
import type { Address } from '../../core/address.ts'
import { isNative, NATIVE } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { JAM_FILLED, ROUTER_ABI, ROUTER_SWAP, type RouterOrder } from './abi.ts'
import { readMessage } from './jamOrder.ts'
import { JAM_SETTLEMENT, pathOf, ROUTER } from './published.ts'

type Filled = ToldLog<EventOf<typeof JAM_FILLED>>
type Swapped = ToldLog<EventOf<typeof ROUTER_SWAP>>

/** What an event tells of money that moved. */
type Moved = Pick<Movement, 'token' | 'amount'> & { readonly from?: Address; readonly to?: Address }

/** Where money moved as an event tells that came after it; null where coins leave no log, or nothing such moved. */
const movedAt = ({ log, before }: Pick<Filled, 'log' | 'before'>, { movements }: SeenTransaction, moved: Moved): string | null => {
  const places = new Set([...before, log].map(({ index }) => `log:${index}`))
  const found = movements.filter(
    ({ place, token, from, to, amount }) =>
      places.has(place) &&
      token === moved.token &&
      amount === moved.amount &&
      (moved.from === undefined || from === moved.from) &&
      (moved.to === undefined || to === moved.to),
  )
  return found.at(-1)?.place ?? null
}

const filledIn = ({ logs }: SeenTransaction): Promise<readonly Filled[]> => eventsBy(JAM_SETTLEMENT, JAM_FILLED, logs)
const swappedIn = ({ logs }: SeenTransaction): Promise<readonly Swapped[]> => eventsBy(ROUTER, ROUTER_SWAP, logs)

/** The order of the router that a payload calls; null for any other payload. */
const routerOrderOf = async ({ execution: { payload } }: ExecutedSwap): Promise<RouterOrder | null> => {
  if (payload.executionType !== 'TRANSACTION' || payload.transaction.to !== ROUTER) return null
  const args = await readExactCall(ROUTER_ABI, payload.transaction.data as Hex)
  return args === null ? null : (args[1] as RouterOrder)
}

/** The fills of the order that was signed: by its nonce and taker, who signed for the rest of it. */
const ownFills = async (seen: SeenTransaction, { order, execution: { payload } }: ExecutedSwap): Promise<readonly Filled[]> => {
  if (payload.executionType !== 'SIGNATURE') return []
  const message = readMessage(payload.typedData)
  const [least] = message.buyAmounts.map(BigInt)
  return (await filledIn(seen)).filter(({ event }) =>
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

/** The swaps of the order of the router that was handed out, by its nonce. */
const ownSwaps = async (seen: SeenTransaction, routed: RouterOrder, { order }: ExecutedSwap): Promise<readonly Swapped[]> =>
  (await swappedIn(seen)).filter(({ event }) =>
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

const isSeenOn = ({ isSuccess, chainId }: SeenTransaction, { order }: ExecutedSwap): boolean =>
  isSuccess && chainId === order.input.chainId

const inputs: SwapEvents['inputs'] = async (seen, swap) => {
  const { order, execution } = swap
  const routed = await routerOrderOf(swap)
  // Makers take what they sell for straight from the wallet, and the contract names no order for it.
  if (execution.payload.executionType === 'TRANSACTION' && routed === null) return null
  if (!isSeenOn(seen, swap)) return []
  const told = routed === null ? await ownFills(seen, swap) : await ownSwaps(seen, routed, swap)
  const took = { token: order.input.address, amount: order.inputAmount }
  return told.flatMap((own): InputEvent[] => {
    const place = isNative(order.input) ? own.place : movedAt(own, seen, { ...took, from: order.sender })
    return place === null ? [] : [{ place, orderId: null, took }]
  })
}

const outputs: SwapEvents['outputs'] = async (seen, swap) => {
  const { order, execution, binding } = swap
  const routed = await routerOrderOf(swap)
  if (execution.payload.executionType === 'TRANSACTION' && routed === null) return null
  if (!isSeenOn(seen, swap)) return []
  const paid = (own: Filled | Swapped, amount: bigint): PayoutEvent => {
    const place = movedAt(own, seen, { token: order.output.address, amount, to: binding.recipient })
    return { place: place ?? own.place, amount }
  }
  if (routed !== null) return (await ownSwaps(seen, routed, swap)).map((own) => paid(own, own.event.toAmount))
  return (await ownFills(seen, swap)).map((own) => paid(own, own.event.buyAmounts[0] ?? 0n))
}

/** What the two contracts pay out where they tell of an order. The makers of the third pay their takers themselves. */
const named: SwapEvents['named'] = async (seen) => {
  if (!seen.isSuccess || pathOf(seen.chainId) === null) return []
  const [fills, swaps] = [await filledIn(seen), await swappedIn(seen)]
  const paidBy = (contract: Address, told: readonly unknown[]): readonly string[] =>
    told.length === 0 ? [] : seen.movements.filter(({ from }) => from === contract).map(({ place }) => place)
  const bySolvers = fills.flatMap((fill) =>
    fill.event.buyTokens.flatMap((token, index) => {
      const place = movedAt(fill, seen, { token: token as Address, amount: fill.event.buyAmounts[index] ?? 0n })
      return place === null ? [] : [place]
    }),
  )
  const isInCoins =
    fills.some(({ event }) => event.buyTokens.some((token) => token === NATIVE)) || swaps.some(({ event }) => event.toToken === NATIVE)
  const places = [...paidBy(JAM_SETTLEMENT, fills), ...paidBy(ROUTER, swaps), ...bySolvers]
  return [...new Set(places), ...(isInCoins ? [COINS_BY_CALLS] : [])]
}

/** JAM tells of every order it fills, and the router of every swap, by their nonces. Nothing is ever given back. */
export const events: SwapEvents = { inputs, outputs, refunds: async () => [], named }
