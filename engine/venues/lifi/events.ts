import type { Abi } from 'abitype'
import type { EventOf } from '../../chains/evm/abiFields.ts'
import { eventsBy, paidIn, type ToldLog } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type Movement, type SeenTransaction } from '../../chains/seen.ts'
import { tells } from '../../chains/tells.ts'
import { type Address, addressOf, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import {
  type Fill,
  isDepositOf,
  isFillOf,
  ownRefunds,
  type PoolDeposit,
  paidDirectly,
  refundsToldBy,
} from '../kit/spokePoolEvents.ts'
import { addressOfWord, FILLED_RELAY, FUNDS_DEPOSITED, wordOf, wrappedNative } from '../kit/spokePools.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { SWAP_COMPLETED, TRANSFER_STARTED } from './abi.ts'
import { type BridgeCall, type LifiCall, readCall, type SwapCall } from './calls.ts'
import { acrossOutput } from './decode.ts'
import { filledIn, filledFor as filledIntent, openedBy, refundedFor, type Settlers, toldBy } from './intents.ts'
import { spanOf } from './steps.ts'

const ownCall = async ({ execution: { payload } }: ExecutedSwap): Promise<LifiCall | null> =>
  payload.executionType === 'TRANSACTION' ? readCall(payload.transaction.data) : null

type Completed = ToldLog<EventOf<typeof SWAP_COMPLETED>> & { readonly by: Address }

const swapsIn = async ({ chainId, isSuccess, logs }: SeenTransaction, { diamonds }: Settlers): Promise<readonly Completed[]> =>
  isSuccess ? toldBy(diamonds[chainId] ?? [], SWAP_COMPLETED, logs) : []

/** The swaps of exactly this call, by its id and by all fields that the diamond logs. */
const ownSwaps = async (
  seen: SeenTransaction,
  call: SwapCall,
  { order }: ExecutedSwap,
  settlers: Settlers,
): Promise<readonly Completed[]> => {
  const read = seen.chainId === order.input.chainId ? spanOf(call.steps) : null
  if (read === null) return []
  const { transactionId, integrator, referrer, receiver, minAmountOut } = call
  const due = { fromAssetId: read.input.token, toAssetId: read.output, fromAmount: read.input.amount }
  return (await swapsIn(seen, settlers)).filter(({ event }) =>
    tells(event, { transactionId, integrator, referrer, receiver, ...due, toAmount: (amount: bigint) => amount >= minAmountOut }),
  )
}

/** The transfer of the output, the last one before the event; coins leave no transfer. */
const paymentOf = ({ event, before }: Completed, { movements }: SeenTransaction): Movement | null => {
  const places = new Set(before.map(({ index }) => `log:${index}`))
  const isPayment = ({ place, token, to, amount }: Movement) =>
    places.has(place) && token === event.toAssetId && to === event.receiver && amount === event.toAmount
  return movements.findLast(isPayment) ?? null
}

/** The diamond's payments in a call: after the end of the previous call, of either kind. */
const paidBefore = async ({ by, before }: Pick<Completed, 'by' | 'before'>, otherEnd: Abi, seen: SeenTransaction) =>
  paidIn((await eventsBy(by, otherEnd, before)).at(-1)?.after ?? before, seen, by)

/** The deposit of a call at Across's pool, as far as its bytes fix it. */
const depositOf = (call: Extract<BridgeCall, { readonly facet: 'across' }>, from: ChainId): PoolDeposit => {
  const { bridge, data, steps } = call
  const token = bridge.sendingAssetId === ZERO_EVM_ADDRESS ? (wrappedNative(from) ?? ZERO_EVM_ADDRESS) : bridge.sendingAssetId
  return {
    ...data,
    depositor: data.refundAddress,
    recipient: data.receiverAddress,
    inputToken: wordOf(token),
    outputToken: data.receivingAssetId,
    destinationChainId: bridge.destinationChainId,
    isInput: (told) => (steps === null ? told === bridge.minAmount : told >= bridge.minAmount),
    outputFor: (took) => acrossOutput(call, data, took),
  }
}

/** The diamond logs the start of a transfer after the bridge's own events. */
const startsIn = async (seen: SeenTransaction, { bridge, steps }: BridgeCall, { diamonds }: Settlers) => {
  const told = await toldBy(diamonds[seen.chainId] ?? [], TRANSFER_STARTED, seen.logs)
  const isAmount = (amount: bigint) => (steps === null ? amount === bridge.minAmount : amount >= bridge.minAmount)
  return told.filter(({ event }) => tells(event, { bridgeData: { ...bridge, minAmount: isAmount } }))
}

const bridgedBy = async (seen: SeenTransaction, call: BridgeCall, settlers: Settlers): Promise<readonly InputEvent[]> => {
  const { transactionId } = call.bridge
  const inputs: InputEvent[] = []
  for (const { event, place, before, by } of await startsIn(seen, call, settlers)) {
    const paid = await paidBefore({ by, before }, SWAP_COMPLETED, seen)
    const { sendingAssetId: token, minAmount: amount } = event.bridgeData
    if (call.facet === 'cctp') {
      inputs.push({ place, orderId: transactionId, took: { token, amount }, paid })
      continue
    }
    if (call.facet === 'intents') {
      const opened = await openedBy(before, call, { chainId: seen.chainId, amount, at: seen.at }, settlers)
      if (opened !== null) inputs.push({ ...opened, took: { token, amount }, paid })
      continue
    }
    const deposits = await eventsBy(settlers.spokePools[seen.chainId] ?? [], FUNDS_DEPOSITED, before)
    const own = deposits.at(-1)
    const taken = own && addressOfWord(seen.chainId, own.event.inputToken)
    if (!own || !taken || own.event.inputAmount !== amount) continue
    if (!isDepositOf(own.event, depositOf(call, seen.chainId), seen.at)) continue
    inputs.push({ place: own.place, orderId: `${seen.chainId}:${own.event.depositId}`, took: { token: taken, amount }, paid })
  }
  return inputs
}

const inputsIn = async (seen: SeenTransaction, swap: ExecutedSwap, settlers: Settlers): Promise<readonly InputEvent[]> => {
  const { order } = swap
  const call = seen.isSuccess && seen.chainId === order.input.chainId ? await ownCall(swap) : null
  if (call === null) return []
  if (call.does === 'bridge') return bridgedBy(seen, call, settlers)
  const took = { token: order.input.address, amount: order.inputAmount }
  const inputOf = async (told: Completed): Promise<InputEvent> => {
    const paid = await paidBefore(told, TRANSFER_STARTED, seen)
    return { place: told.place, orderId: call.transactionId, took, paid }
  }
  return Promise.all((await ownSwaps(seen, call, swap, settlers)).map(inputOf))
}

const boughtBy = async (seen: SeenTransaction, call: SwapCall, swap: ExecutedSwap, settlers: Settlers) =>
  (await ownSwaps(seen, call, swap, settlers)).flatMap((told): readonly PayoutEvent[] => {
    const { place, event } = told
    if (event.toAssetId === ZERO_EVM_ADDRESS) return [{ place, amount: event.toAmount }]
    const paid = paymentOf(told, seen)
    return paid === null ? [] : [{ place: paid.place, amount: paid.amount }]
  })

/** The fill of an Across deposit, by the deposit number of the payment's event. */
const filledFor = async (
  { chainId, logs, movements }: SeenTransaction,
  deposit: PoolDeposit,
  swap: ExecutedSwap,
  orderIds: readonly string[],
  { spokePools }: Settlers,
): Promise<readonly PayoutEvent[]> => {
  const token = addressOfWord(chainId, deposit.outputToken)
  if (token === null) return []
  const byPlace = new Map(movements.map((movement) => [movement.place, movement]))
  const outputs: PayoutEvent[] = []
  for (const told of await eventsBy(spokePools[chainId] ?? [], FILLED_RELAY, logs)) {
    if (!isFillOf(told.event, deposit, orderIds)) continue
    const fill: Fill = { ...told, moved: ({ index }) => byPlace.get(`log:${index}`) }
    const paid = await paidDirectly(fill, token, addressOf('evm', told.log.address), swap)
    if (paid !== null) outputs.push(paid)
  }
  return outputs
}

const outputsIn = async (seen: SeenTransaction, swap: ExecutedSwap, orderIds: readonly string[], settlers: Settlers) => {
  const { input, output } = swap.order
  const call = seen.isSuccess && seen.chainId === output.chainId ? await ownCall(swap) : null
  if (call === null) return []
  if (call.does === 'swap') return boughtBy(seen, call, swap, settlers)
  if (call.facet === 'intents') return filledIntent(seen, call, orderIds, settlers)
  // Circle names no order in its mint: the transfer itself must show it.
  return call.facet === 'cctp' ? null : filledFor(seen, depositOf(call, input.chainId), swap, orderIds, settlers)
}

/** Swaps within one chain and CCTP transfers have no refunds. Unfilled orders have. */
const refundsIn = async (seen: SeenTransaction, swap: ExecutedSwap, orderIds: readonly string[], settlers: Settlers) => {
  const { chainId } = swap.order.input
  const call = seen.isSuccess && seen.chainId === chainId ? await ownCall(swap) : null
  if (call === null || call.does === 'swap' || call.facet === 'cctp') return []
  if (call.facet === 'intents') return refundedFor(seen, call, orderIds, settlers)
  const told = await Promise.all((settlers.spokePools[chainId] ?? []).map((pool) => refundsToldBy(pool, seen)))
  const { depositor: owner, inputToken } = depositOf(call, chainId)
  const [depositor = null, token = null] = [owner, inputToken].map((word) => addressOfWord(chainId, word))
  return ownRefunds(told.flat(), { depositor, token, refundTo: swap.binding.refundTo })
}

const namedIn = async (seen: SeenTransaction, settlers: Settlers): Promise<readonly string[]> => {
  const swaps = await swapsIn(seen, settlers)
  const fills = seen.isSuccess ? await filledIn(seen, settlers) : []
  // An escrow pays only for its orders: refunds, and solvers.
  const escrowed = seen.movements.filter(({ from }) => settlers.inputSettlers[seen.chainId]?.some((settler) => settler === from))
  const tokens = swaps.flatMap((told) => paymentOf(told, seen)?.place ?? [])
  const coins = swaps.filter(({ event }) => event.toAssetId === ZERO_EVM_ADDRESS)
  const places = [...tokens, ...[...coins, ...fills, ...escrowed].map(({ place }) => place)]
  return [...places, ...(coins.length > 0 || fills.some(({ isCoins }) => isCoins) ? [COINS_BY_CALLS] : [])]
}

/**
 * Payments and deliveries by the diamond's events of its calls, each with its own id. To another chain the bridge logs the rest.
 * Across's pools identify a deposit by `<number of its chain>:<deposit id>`, in its deposit and its fill. The settlers of LI.FI
 * Intents identify an order by its hash. Payments of the diamond for a swap within a chain, and of those settlers, are no CCTP
 * delivery.
 */
export const createEvents = (settlers: Settlers): SwapEvents => {
  const named: SwapEvents['named'] = (seen) => namedIn(seen, settlers)
  return {
    inputs: (seen, swap) => inputsIn(seen, swap, settlers),
    outputs: (seen, swap, orderIds) => outputsIn(seen, swap, orderIds, settlers),
    refunds: (seen, swap, orderIds) => refundsIn(seen, swap, orderIds, settlers),
    named,
    namedApart: named,
  }
}
