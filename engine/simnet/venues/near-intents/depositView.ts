import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import type { World } from '../../kit/world.ts'
import type { Order, Paid } from './orders.ts'

/** What a chain says about the deposits of an order. It is asked again each time: chains reorganise. */
export interface DepositView {
  /** Brings what is said about EVM chains up to date; about the others it always is. */
  look(order: Order): Promise<void>
  /** Those whose transactions exist, unconfirmed ones included. */
  seen(order: Order): readonly Paid[]
  /** What they come to. */
  seenAmount(order: Order): bigint
  /** What those in blocks come to. */
  confirmedAmount(order: Order): bigint
  /** When all of the deposit had arrived; null while it has not. */
  completedAt(order: Order): number | null
}

const sum = (paid: readonly Paid[]): bigint => paid.reduce((total, { amount }) => total + amount, 0n)

export const createDepositView = ({ evm, bitcoin }: Pick<World, 'evm' | 'bitcoin'>): DepositView => {
  const vanished = new Set<string>()
  const isOn = (chainId: number, ecosystem: 'evm' | 'bitcoin') => ecosystemOf(chainId as ChainId) === ecosystem
  const keyOf = (chainId: number, txHash: string) => `${chainId}:${txHash}`

  /** Null when there is no such transaction, or no more. */
  const confirmations = ({ input: { chainId } }: Order, { txHash }: Paid): number | null => {
    if (isOn(chainId, 'bitcoin')) return bitcoin.confirmations(txHash)
    return vanished.has(keyOf(chainId, txHash)) ? null : 1
  }

  const seen: DepositView['seen'] = (order) => order.paid.filter((paid) => confirmations(order, paid) !== null)

  return {
    look: async ({ input: { chainId }, paid }) => {
      if (!isOn(chainId, 'evm')) return
      for (const { txHash } of paid) {
        const receipt = await evm.receipt(chainId, txHash)
        if (receipt) vanished.delete(keyOf(chainId, txHash))
        else vanished.add(keyOf(chainId, txHash))
      }
    },
    seen,
    seenAmount: (order) => sum(seen(order)),
    confirmedAmount: (order) => sum(order.paid.filter((paid) => (confirmations(order, paid) ?? 0) > 0)),
    completedAt: (order) => {
      let total = 0n
      for (const { amount, at } of seen(order)) {
        total += amount
        if (total >= order.amountIn) return at
      }
      return null
    },
  }
}
