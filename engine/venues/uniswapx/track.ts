import { toAmount } from '../../core/amount.ts'
import type { Clock } from '../../core/clock.ts'
import type { Hex } from '../../core/execution.ts'
import type { SwapStatus } from '../../core/swapStatus.ts'
import { isSameAddress } from '../kit/addresses.ts'
import { NOT_FOUND, swapStatus, type Tracked } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import type { UniswapXClient } from './client.ts'
import { orderOf } from './events.ts'
import { tokenOf } from './published.ts'
import { carryShape, offerCarryShape, settledShape, type WireOrder } from './wire.ts'

const ORDER_ID = /^0x[0-9a-f]{64}$/

/** Whether the fields of the venue's record are those of the swap. Absent fields count as equal. */
const fits = ({ chainId, swapper, input }: WireOrder, { order }: Tracked): boolean =>
  (chainId ?? order.input.chainId) === order.input.chainId &&
  isSameAddress(swapper ?? order.sender, order.sender) &&
  isSameAddress(input?.token ?? order.input.address, order.input.address)

/**
 * A filled order. The record lacks the recipients of its amounts: with a fee only the chain can show the delivery. The reactor
 * cannot pay less than the signed minimum, so a smaller reported amount leaves the swap open.
 */
const filled = ({ settledAmounts, orderStatus, ...found }: WireOrder, { order, offer, executed }: Tracked): SwapStatus => {
  const txHash = found.txHash || null
  const settled = settledShape.readOrNull(settledAmounts) ?? []
  const paid = settled.filter(({ tokenOut }) => isSameAddress(tokenOut, tokenOf(order.output)))
  const [only] = paid
  if (only === undefined || paid.length > 1 || offer.fee.amount > 0n) return swapStatus('success', orderStatus, { txHash })
  const deliveredAmount = toAmount(BigInt(only.amountOut))
  const least = executed?.execution.slippage?.guaranteedMin ?? offer.slippage?.guaranteedMin ?? 1n
  if (deliveredAmount < least) return swapStatus('processing', orderStatus)
  return swapStatus('success', orderStatus, { txHash, deliveredAmount })
}

const judge = (found: WireOrder, tracked: Tracked, isOver: boolean): SwapStatus => {
  const { orderStatus } = found
  switch (orderStatus) {
    case 'open':
    case 'unverified':
      return swapStatus('pending', orderStatus)
    case 'filled':
      return filled(found, tracked)
    case 'expired':
    case 'error':
    case 'cancelled':
      return swapStatus('failed', orderStatus)
    // Until its end it can still be filled, once the wallet has the funds again.
    case 'insufficient-funds':
      return swapStatus(isOver ? 'failed' : 'pending', orderStatus)
    default:
      return swapStatus('unknown', orderStatus)
  }
}

export const createTracker = (client: UniswapXClient, clock: Clock): StatusTracker => ({
  track: async (ref, tracked, signal) => {
    const { executed, offer } = tracked
    const orderId = ref.toLowerCase() as Hex
    const own = executed && (await orderOf(executed))
    const { routing } = executed ? carryShape.read(executed.execution.carry) : offerCarryShape.read(offer.carry)
    if (!ORDER_ID.test(orderId) || (own !== null && own.orderId !== orderId)) return NOT_FOUND
    const found = await client.order(orderId, routing, signal)
    if (found === null || !fits(found, tracked)) return NOT_FOUND
    return judge(found, tracked, own !== null && clock.now() > Number(own.deadline) * 1_000)
  },
})
