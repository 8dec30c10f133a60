import type { EventOf } from '../../chains/evm/abiFields.ts'
import { eventsBy, isBy, readEvent, readEventBy, type ToldLog } from '../../chains/evm/eventLogs.ts'
import type { Movement, SeenLog, SeenTransaction } from '../../chains/seen.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { isNative, isSameAsset } from '../../core/asset.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { PayoutEvent } from '../venue.ts'
import { CALLS_FAILED, DRAINED_TOKENS, FILLED_RELAY, UNWRAPPED } from './abi.ts'
import { addressOfWord, type CodeOf, readDelivery } from './delivery.ts'
import { isFillOf, type OwnDeposit } from './ownDeposit.ts'
import { acrossChain, wrappedNative } from './published.ts'

/** A fill with the logs that followed it, up to the next: the SpokePool tells of a fill before it pays. */
type Fill = Pick<ToldLog<EventOf<typeof FILLED_RELAY>>, 'place' | 'event' | 'after'> & {
  readonly moved: (log: SeenLog) => Movement | undefined
}

const toPayout = ({ place, amount }: Movement): PayoutEvent => ({ place, amount })

const paymentIn = (logs: readonly SeenLog[], { moved }: Fill, isIt: (movement: Movement) => boolean): PayoutEvent | null => {
  const paid = logs.map(moved).find((movement) => movement !== undefined && isIt(movement))
  return paid === undefined ? null : toPayout(paid)
}

/** How many wrapped coins a contract gave for coins in this log; 0n for none. */
const unwrappedBy = async (log: SeenLog, token: Address, by: Address, { moved }: Fill): Promise<bigint> => {
  if (!isBy(log, token)) return 0n
  const movement = moved(log)
  if (movement?.from === by && movement.to === ZERO_EVM_ADDRESS) return movement.amount
  const event = await readEvent(UNWRAPPED, log)
  return event?.from === by ? event.value : 0n
}

/** Without a message the SpokePool itself pays, or has the relayer pay, what its event says. */
const directly = async (
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

/** Where only the message decides what arrives. */
const CODELESS: CodeOf = async () => '0x'

/** With a message the handler pays, and its event names whom; coins it pays without a word, out of what it unwrapped. */
const byHandler = async (
  fill: Fill,
  token: Address,
  handler: Address,
  { swap: { order, binding }, own }: { readonly swap: ExecutedSwap; readonly own: OwnDeposit },
): Promise<PayoutEvent | null> => {
  const { place, event, after } = fill
  const outputAmount = event.relayExecutionInfo.updatedOutputAmount
  const { output, recipient, unread } = await readDelivery({ ...own, chainId: order.output.chainId, outputAmount }, CODELESS)
  if (unread.length > 0 || recipient !== binding.recipient || !isSameAsset(output, order.output)) return null
  for (const [at, log] of after.entries()) {
    if (isNative(output)) {
      // All calls of the message were undone, and the wrapped coins went to the fallback recipient.
      if ((await readEventBy(handler, CALLS_FAILED, log)) !== null) return null
      if ((await unwrappedBy(log, token, handler, fill)) >= outputAmount) return { place, amount: output.amount }
      continue
    }
    const drained = await readEventBy(handler, DRAINED_TOKENS, log)
    if (drained?.recipient !== recipient || drained.token !== token) continue
    const isPaid = (moved: Movement) => moved.token === token && moved.from === handler && moved.to === recipient
    return paymentIn(after.slice(0, at).toReversed(), fill, isPaid)
  }
  return null
}

/** The fills of a transaction that deliver one of these deposits, where the chain shows the money beside them. */
export const evmFills = async (
  { chainId, logs, movements }: SeenTransaction,
  own: OwnDeposit,
  { swap, orderIds }: { readonly swap: ExecutedSwap; readonly orderIds: readonly string[] },
): Promise<readonly PayoutEvent[]> => {
  const deployed = acrossChain(chainId)
  const [token, recipient] = [own.outputToken, own.recipient].map((word) => addressOfWord(chainId, word))
  if (!deployed || !token || !recipient) return []
  const { spokePool, multicallHandler: handler } = deployed
  const { order, binding } = swap
  const isDirect =
    own.message === '0x' &&
    recipient === binding.recipient &&
    token === (isNative(order.output) ? wrappedNative(chainId) : order.output.address)
  const isHandled = own.message !== '0x' && recipient === handler
  const byPlace = new Map(movements.map((movement) => [movement.place, movement]))
  const outputs: PayoutEvent[] = []
  for (const told of await eventsBy(spokePool, FILLED_RELAY, logs)) {
    if (!isFillOf(told.event, own, orderIds)) continue
    const fill: Fill = { ...told, moved: ({ index }) => byPlace.get(`log:${index}`) }
    const direct = isDirect ? await directly(fill, token, spokePool, swap) : null
    const delivered = direct ?? (isHandled && handler ? await byHandler(fill, token, handler, { swap, own }) : null)
    if (delivered !== null) outputs.push(delivered)
  }
  return outputs
}
