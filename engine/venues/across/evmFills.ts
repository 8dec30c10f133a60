import { eventsBy, paidIn, readEventBy } from '../../chains/evm/eventLogs.ts'
import type { Movement, SeenTransaction } from '../../chains/seen.ts'
import { type Address, addressOf } from '../../core/address.ts'
import { isNative, isSameAsset } from '../../core/asset.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import { type Fill, paidDirectly, paymentIn, unwrappedBy } from '../kit/spokePoolEvents.ts'
import { addressOfWord, type CodeOf, FILLED_RELAY, wrappedNative } from '../kit/spokePools.ts'
import type { PayoutEvent } from '../venue.ts'
import { readDelivery } from './delivery.ts'
import { isFillOf, type OwnDeposit } from './ownDeposit.ts'
import { CALLS_FAILED, DRAINED_TOKENS } from './protocol.ts'
import type { Pinned } from './published.ts'

/** Used where only the message decides the delivery. */
const CODELESS: CodeOf = async () => '0x'

/** With a message the handler pays, and its event names the recipient. It pays coins from unwrapped ones, without an event. */
const byHandler = async (
  fill: Fill,
  token: Address,
  handler: Address,
  {
    swap: { order, binding },
    own,
    seen,
    pinned,
  }: { readonly swap: ExecutedSwap; readonly own: OwnDeposit; readonly seen: SeenTransaction; readonly pinned: Pinned },
): Promise<PayoutEvent | null> => {
  const { place, event, after } = fill
  const outputAmount = event.relayExecutionInfo.updatedOutputAmount
  const stated = { ...own, chainId: order.output.chainId, outputAmount }
  const { output, recipient, unread } = await readDelivery(stated, { codeOf: CODELESS, pinned })
  if (unread.length > 0 || recipient !== binding.recipient || !isSameAsset(output, order.output)) return null
  for (const [at, log] of after.entries()) {
    if (isNative(output)) {
      // All calls of the message were reverted, and the wrapped coins went to the fallback recipient.
      if ((await readEventBy(handler, CALLS_FAILED, log)) !== null) return null
      if ((await unwrappedBy(log, token, handler, fill)) >= outputAmount) return { place, amount: output.amount }
      continue
    }
    const drained = await readEventBy(handler, DRAINED_TOKENS, log)
    if (drained?.recipient !== recipient || drained.token !== token) continue
    const isPaid = (moved: Movement) => moved.token === token && moved.from === handler && moved.to === recipient
    const delivery = paymentIn(after.slice(0, at).toReversed(), fill, isPaid)
    return delivery && { ...delivery, paid: paidIn(after.slice(0, at), seen, handler) }
  }
  return null
}

/** The fills of a transaction that deliver one of these deposits, where the chain shows their transfers. */
export const evmFills = async (
  seen: SeenTransaction,
  own: OwnDeposit,
  { swap, orderIds, pinned }: { readonly swap: ExecutedSwap; readonly orderIds: readonly string[]; readonly pinned: Pinned },
): Promise<readonly PayoutEvent[]> => {
  const { chainId, logs, movements } = seen
  const deployed = pinned.on(chainId)
  const [token, recipient] = [own.outputToken, own.recipient].map((word) => addressOfWord(chainId, word))
  if (!deployed || !token || !recipient) return []
  const { order, binding } = swap
  const isDirect =
    own.message === '0x' &&
    recipient === binding.recipient &&
    token === (isNative(order.output) ? wrappedNative(chainId) : order.output.address)
  const isHandled = own.message !== '0x' && deployed.handlers.includes(recipient)
  const byPlace = new Map(movements.map((movement) => [movement.place, movement]))
  const outputs: PayoutEvent[] = []
  for (const told of await eventsBy(deployed.spokePools, FILLED_RELAY, logs)) {
    if (!isFillOf(told.event, own, orderIds)) continue
    const fill: Fill = { ...told, moved: ({ index }) => byPlace.get(`log:${index}`) }
    const direct = isDirect ? await paidDirectly(fill, token, addressOf('evm', told.log.address), swap) : null
    const delivered = direct ?? (isHandled ? await byHandler(fill, token, recipient, { swap, own, seen, pinned }) : null)
    if (delivered !== null) outputs.push(delivered)
  }
  return outputs
}
