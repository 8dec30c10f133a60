import { BITCOIN } from '../../../core/chain.ts'
import type { World } from '../../kit/world.ts'
import { REFUND_MS } from './decideOutcome.ts'
import type { DepositView } from './depositView.ts'
import type { Order, Outcome } from './orders.ts'
import { payOut } from './payOut.ts'

export interface Conclude {
  /** Ends an order as decided, or gives a deposit back that is short of it. Rejects where a chain refuses. */
  conclude(order: Order): Promise<void>
  /** Sends back what is confirmed of the deposit beyond what the venue keeps, less the fee of sending it. Rejects likewise. */
  giveBack(order: Order, kept: bigint): Promise<void>
}

/** Less is not sent on Bitcoin: nodes would not relay it, whatever the kind of address. */
const LEAST_SATOSHI = 546n

export const createConclude = (world: World, view: DepositView): Conclude => {
  const giveBack: Conclude['giveBack'] = async (order, kept) => {
    const { input: token, refundTo: to, refundFee } = order
    const owed = view.confirmedAmount(order) - kept - order.returned
    if (owed <= 0n) return
    // Noted before it is tried, so that it is never sent twice.
    order.returned += owed
    const amount = owed - refundFee
    if (amount < (token.chainId === BITCOIN ? LEAST_SATOSHI : 1n)) return
    try {
      order.refunds.push({ amount, txHash: await payOut(world, { token, to, amount }) })
    } catch (error) {
      order.end ??= { status: 'FAILED' }
      throw error
    }
  }

  const refund = async (order: Order, reason: string): Promise<void> => {
    await giveBack(order, 0n)
    order.end = { status: 'REFUNDED', reason }
  }

  /** As it was seen: https://github.com/defuse-protocol/one-click-sdk-typescript/issues/20 */
  const lie = async (order: Order, amountOut: bigint): Promise<void> => {
    await giveBack(order, 0n)
    order.end = { status: 'SUCCESS', amountOut, txHash: order.inventedTxHash, kept: 0n }
  }

  const fill = async (order: Order, amountOut: bigint): Promise<void> => {
    const { output: token, recipient: to, amountIn: kept } = order
    try {
      const txHash = await payOut(world, { token, to, amount: amountOut })
      order.end = { status: 'SUCCESS', amountOut, txHash, kept }
    } catch (error) {
      const outcome: Outcome = { ends: 'REFUNDED', reason: 'UNKNOWN', at: world.clock.now() + REFUND_MS }
      if (order.decision) order.decision = { ...order.decision, outcome }
      throw error
    }
    await giveBack(order, kept)
  }

  const conclude: Conclude['conclude'] = async (order) => {
    const outcome = order.decision?.outcome
    if (!outcome) return refund(order, 'PARTIAL_DEPOSIT')
    switch (outcome.ends) {
      case 'SUCCESS':
        return outcome.isLie ? lie(order, outcome.amountOut) : fill(order, outcome.amountOut)
      case 'REFUNDED':
        return refund(order, outcome.reason)
      case 'FAILED':
        order.end = { status: 'FAILED' }
    }
  }
  return { conclude, giveBack }
}
