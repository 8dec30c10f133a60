import { type Abi, parseAbi } from 'abitype'
import type { EventOf } from '../../chains/evm/abiFields.ts'
import { eventsBy, type ToldLog } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type Movement, type SeenTransaction } from '../../chains/seen.ts'
import { isAnchorCall } from '../../chains/solana/anchor.ts'
import type { Address } from '../../core/address.ts'
import { isNative, NATIVE } from '../../core/asset.ts'
import { isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { type OwnOrder, readOwnOrder, transactionIn } from './decode.ts'
import { orderHashes, pinned, tokenWord } from './protocol.ts'
import type { Contracts, ContractsOn } from './published.ts'
import { isSameCall, placingCalls, solanaOrderHash } from './svm.ts'

/** SwiftSource.sol and SwiftDest.sol of mayan-finance/swap-bridge: each logs after the transfer. */
const ORDER_CREATED = parseAbi(['event OrderCreated(bytes32 key)'])
const ORDER_FULFILLED = parseAbi(['event OrderFulfilled(bytes32 key, uint64 sequence, uint256 netAmount)'])
const ORDER_REFUNDED = parseAbi(['event OrderRefunded(bytes32 key, uint256 netAmount)'])
const ORDER_UNLOCKED = parseAbi(['event OrderUnlocked(bytes32 key)'])

const ownOrder = ({ execution }: Pick<ExecutedSwap, 'execution'>): Promise<OwnOrder | null> =>
  readOwnOrder(transactionIn(execution))

const namesOf = ({ chainId, placed, onSolana }: OwnOrder): ReadonlySet<string> => {
  if (onSolana !== null) return new Set([solanaOrderHash(onSolana)])
  const sourceId = pinned(chainId)?.wormholeId ?? 0
  return orderHashes(placed.order, { sourceId, tokenIn: tokenWord({ chainId, address: placed.tokenIn }) })
}

/** All possible ids of an execution's order. */
export const ownNames = async (swap: Pick<ExecutedSwap, 'execution'>): Promise<ReadonlySet<string> | null> => {
  const own = await ownOrder(swap)
  return own && namesOf(own)
}

/** The transfer of an event: the last one before it, and after the event before it. */
const movedBefore = (
  { before }: Pick<ToldLog<unknown>, 'before'>,
  { movements }: SeenTransaction,
  isIt: (movement: Movement) => boolean,
): Movement | null => {
  for (const { index } of before.toReversed()) {
    const moved = movements.find(({ place }) => place === `log:${index}`)
    if (moved !== undefined && isIt(moved)) return moved
  }
  return null
}

const placedOnEvm = async (seen: SeenTransaction, own: OwnOrder): Promise<readonly InputEvent[]> => {
  const { swift, paid, swap, tokenIn } = own.placed
  const told = await eventsBy(swift, ORDER_CREATED, seen.logs)
  const names = told.length > 0 ? namesOf(own) : null
  return told.flatMap((each): readonly InputEvent[] => {
    if (!names?.has(each.event.key)) return []
    // Coins arrive wrapped.
    const taken = movedBefore(each, seen, ({ token, to }) => token === (swap?.middle ?? tokenIn) && to === swift)
    const isEnough = taken !== null && (swap === null ? taken.amount === paid.amount : taken.amount >= swap.minMiddle)
    return isEnough ? [{ place: each.place, orderId: each.event.key, took: { token: tokenIn, amount: taken.amount } }] : []
  })
}

/** The order's own call, by every byte and account: its program takes the payment, or the transaction fails. */
const placedOnSolana = ({ instructions }: SeenTransaction, { onSolana }: OwnOrder): readonly InputEvent[] => {
  const call = onSolana && placingCalls(onSolana).at(-1)
  if (!onSolana || !call) return []
  const { mint: token, amount } = onSolana
  return instructions
    .filter(({ program: programId, ...seen }) => isSameCall(call, { programId, ...seen }))
    .map(({ index }) => ({ place: `instruction:${index}`, orderId: solanaOrderHash(onSolana), took: { token, amount } }))
}

const inputs: SwapEvents['inputs'] = async (seen, swap) => {
  if (!seen.isSuccess || seen.chainId !== swap.order.input.chainId) return []
  const own = await ownOrder(swap)
  if (own === null) return []
  return seen.chainId === SOLANA ? placedOnSolana(seen, own) : placedOnEvm(seen, own)
}

type Paid = EventOf<typeof ORDER_FULFILLED> | EventOf<typeof ORDER_REFUNDED>

/** The payment for one of these orders, where a transfer shows it. Coins leave no transfer, and the event follows the payment. */
const paidFor = (
  told: readonly ToldLog<Paid>[],
  seen: SeenTransaction,
  orderIds: readonly string[],
  {
    token,
    to,
    from,
    isOfCoins,
  }: { readonly token: Address; readonly to: Address; readonly from: Address; readonly isOfCoins: boolean },
): readonly PayoutEvent[] =>
  told.flatMap((each) => {
    const { key, netAmount: amount } = each.event
    if (!orderIds.includes(key)) return []
    if (isOfCoins) return [{ place: each.place, amount }]
    const moved = movedBefore(
      each,
      seen,
      (movement) => movement.token === token && movement.to === to && movement.from === from && movement.amount === amount,
    )
    return moved === null ? [] : [{ place: moved.place, amount }]
  })

/** The program on Solana has no published events: transfers must show deliveries and refunds there. */
const outputsBy =
  (on: ContractsOn): SwapEvents['outputs'] =>
  async (seen, { order: { output }, binding: { recipient: to } }, orderIds) => {
    if (!seen.isSuccess || seen.chainId !== output.chainId) return []
    if (!isEvmChainId(seen.chainId)) return null
    const paid = on(seen.chainId).fills.map(async (from) => {
      const told = await eventsBy(from, ORDER_FULFILLED, seen.logs)
      return paidFor(told, seen, orderIds, { token: output.address, to, from, isOfCoins: isNative(output) })
    })
    return (await Promise.all(paid)).flat()
  }

const refunds: SwapEvents['refunds'] = async (seen, swap, orderIds) => {
  if (!seen.isSuccess || seen.chainId !== swap.order.input.chainId) return []
  if (!isEvmChainId(seen.chainId)) return null
  const own = await ownOrder(swap)
  if (own === null) return []
  const { refundTo: to } = swap.binding
  const { tokenIn: token, swift: from } = own.placed
  const told = await eventsBy(from, ORDER_REFUNDED, seen.logs)
  return paidFor(told, seen, orderIds, { token, to, from, isOfCoins: token === NATIVE })
}

/**
 * The program publishes no event on Solana. In a transaction with another call than a placing one, all transfers belong to its
 * orders. The transfers of a placing call go to an account of its order, which no other venue pays.
 */
const namedOnSolana = ({ instructions, movements }: SeenTransaction, { programs }: Contracts): readonly string[] => {
  const isSettling = instructions.some(({ program, data }) => programs.includes(program) && !isAnchorCall(data, 'init_order'))
  return isSettling ? movements.map(({ place }) => place) : []
}

/** Payments of both contracts where they log an order. An order that is placed again for more also returns its earlier input. */
const named = async (seen: SeenTransaction, contracts: Contracts): Promise<readonly string[]> => {
  if (!seen.isSuccess || pinned(seen.chainId) === null) return []
  if (!isEvmChainId(seen.chainId)) return namedOnSolana(seen, contracts)
  const tellings = [
    ...contracts.fills.map((by) => ({ by, abi: ORDER_FULFILLED })),
    ...contracts.swifts.flatMap((by) => [ORDER_REFUNDED, ORDER_CREATED, ORDER_UNLOCKED].map((abi) => ({ by, abi }))),
  ]
  const told = await Promise.all(
    tellings.map(async ({ by, abi }) => ({ by, abi, all: await eventsBy(by, abi as Abi, seen.logs) })),
  )
  const paid = seen.movements.filter(({ from }) => told.some(({ by, all }) => by === from && all.length > 0))
  // Neither event names its token, and any token contract can log a transfer. So each event may report coins, which leave no log.
  const payments = told.flatMap(({ abi, all }) => (abi === ORDER_FULFILLED || abi === ORDER_REFUNDED ? all : []))
  return [...paid, ...payments].map(({ place }) => place).concat(payments.length > 0 ? [COINS_BY_CALLS] : [])
}

/** Payments, deliveries and refunds by the events of Swift's contracts. Both chains identify an order by one hash. */
export const createEvents = (on: ContractsOn): SwapEvents => {
  return { inputs, outputs: outputsBy(on), refunds, named: (seen) => named(seen, on(seen.chainId)) }
}
