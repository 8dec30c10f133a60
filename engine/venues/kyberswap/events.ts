import type { EventOf } from '../../chains/evm/abiFields.ts'
import { eventsBy, paidIn, readEventBy, type ToldLog } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type Movement, type SeenTransaction } from '../../chains/seen.ts'
import { tells } from '../../chains/tells.ts'
import type { Address } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent, SwapEvents, VenueProfile } from '../venue.ts'
import { swapName } from './decode.ts'
import { CLIENT_DATA, SWAPPED } from './protocol.ts'
import { readSwapCall } from './router.ts'

/** A swap of any user, by the router's events. */
type ToldSwap = ToldLog<EventOf<typeof SWAPPED>> & { readonly router: Address; readonly clientData: Hex | null }
type Contracts = VenueProfile['contracts']

const swapsIn = async ({ chainId, isSuccess, logs }: SeenTransaction, contracts: Contracts): Promise<readonly ToldSwap[]> => {
  const swaps: ToldSwap[] = []
  for (const router of isSuccess ? (contracts[chainId] ?? []) : [])
    for (const told of await eventsBy(router, SWAPPED, logs)) {
      const said = await Promise.all(told.after.map((log) => readEventBy(router, CLIENT_DATA, log)))
      swaps.push({ ...told, router, clientData: said.find((event) => event !== null)?.clientData ?? null })
    }
  return swaps
}

/** The swaps of exactly this execution: same caller, same fields of the call, same clientData. */
const ownSwaps = async (seen: SeenTransaction, swap: ExecutedSwap, contracts: Contracts): Promise<readonly ToldSwap[]> => {
  const { order, offer, binding, execution } = swap
  if (execution.payload.executionType !== 'TRANSACTION' || seen.chainId !== order.input.chainId) return []
  const call = await readSwapCall(execution.payload.transaction.data)
  const least = offer.slippage?.guaranteedMin ?? 1n
  const due = {
    sender: order.sender,
    srcToken: order.input.address,
    dstToken: order.output.address,
    dstReceiver: binding.recipient,
    spentAmount: order.inputAmount,
    returnAmount: (amount: bigint) => amount >= least,
  }
  const isOwn = ({ event, clientData }: ToldSwap) => clientData === call?.clientData && tells(event, due)
  return (await swapsIn(seen, contracts)).filter(isOwn)
}

/** The transfers of the output, which precede the swap's event; coins leave no transfer. */
const paymentsOf = ({ before, event }: ToldSwap, { movements }: SeenTransaction): readonly Movement[] => {
  const places = new Set(before.map(({ index }) => `log:${index}`))
  const isPayment = ({ place, token, to }: Movement) => places.has(place) && token === event.dstToken && to === event.dstReceiver
  return movements.filter(isPayment)
}

const inputs = async (seen: SeenTransaction, swap: ExecutedSwap, contracts: Contracts): Promise<readonly InputEvent[]> => {
  const { order, execution } = swap
  const call = execution.payload.executionType === 'TRANSACTION' ? await readSwapCall(execution.payload.transaction.data) : null
  if (call === null) return []
  const orderId = swapName({ chainId: order.input.chainId, sender: order.sender }, call)
  const took = { token: order.input.address, amount: order.inputAmount }
  return (await ownSwaps(seen, swap, contracts)).map(({ place }) => ({ place, orderId, took }))
}

/** The transfers are the payment only if their sum equals the router's count. */
const outputs = async (seen: SeenTransaction, swap: ExecutedSwap, contracts: Contracts): Promise<readonly PayoutEvent[]> => {
  const own = await ownSwaps(seen, swap, contracts)
  return own.flatMap((told): readonly PayoutEvent[] => {
    const { place, event } = told
    if (event.dstToken === NATIVE) return [{ place, amount: event.returnAmount }]
    const paid = paymentsOf(told, seen)
    const [largest] = paid.toSorted((a, b) => (a.amount < b.amount ? 1 : -1))
    const sum = paid.reduce((all, { amount }) => all + amount, 0n)
    if (largest === undefined || sum < event.returnAmount) return []
    // The router itself pays the fee, before it emits the event.
    return [{ place: largest.place, amount: event.returnAmount, paid: paidIn(told.before, seen, told.router) }]
  })
}

const named = async (seen: SeenTransaction, contracts: Contracts): Promise<readonly string[]> => {
  const swaps = await swapsIn(seen, contracts)
  const tokens = swaps.flatMap((told) => paymentsOf(told, seen).map(({ place }) => place))
  const coins = swaps.filter(({ event }) => event.dstToken === NATIVE)
  return [...tokens, ...coins.map(({ place }) => place), ...(coins.length > 0 ? [COINS_BY_CALLS] : [])]
}

/** Payments and deliveries by the router's events, identified by the payload's clientData. There are no refunds. */
export const createEvents = (contracts: Contracts): SwapEvents => ({
  inputs: (seen, swap) => inputs(seen, swap, contracts),
  outputs: (seen, swap) => outputs(seen, swap, contracts),
  refunds: async () => [],
  named: (seen) => named(seen, contracts),
})
