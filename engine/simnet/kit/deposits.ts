import { type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { World } from './world.ts'

/** A payment of a deposit, as the venue was told of it. */
export type Payment = { readonly txHash: string; readonly amount: bigint; readonly at: number }

/** A chain, by something on it. */
export type OnChain = { readonly chainId: number }

type Paid = { readonly input: OnChain; readonly amountNeeded: bigint; readonly paid: readonly Payment[] }

/** What the chains say of deposits. They are asked again each time: chains reorganise. */
export interface Deposits {
  /** Brings what is said about EVM chains up to date; about the others it always is. */
  look(order: Paid): Promise<void>
  /** The payments whose transactions exist, unconfirmed ones included. */
  seen(order: Paid): readonly Payment[]
  /** What those in blocks come to. */
  confirmed(order: Paid): bigint
  /** When all of the deposit had arrived; null while it has not. */
  completedAt(order: Paid): number | null
}

export const sumOf = (payments: readonly { readonly amount: bigint }[]): bigint =>
  payments.reduce((total, { amount }) => total + amount, 0n)

export const createDeposits = ({ evm, bitcoin }: Pick<World, 'evm' | 'bitcoin'>): Deposits => {
  const vanished = new Set<string>()
  const isOn = ({ chainId }: OnChain, ecosystem: 'evm' | 'bitcoin') => ecosystemOf(chainId as ChainId) === ecosystem
  const keyOf = ({ chainId }: OnChain, { txHash }: Payment) => `${chainId}:${txHash}`

  /** 0 in the mempool of Bitcoin; null when there is no such transaction, or no more. */
  const confirmations = (token: OnChain, payment: Payment): number | null => {
    if (isOn(token, 'bitcoin')) return bitcoin.confirmations(payment.txHash)
    return vanished.has(keyOf(token, payment)) ? null : 1
  }

  const seen: Deposits['seen'] = ({ input, paid }) => paid.filter((payment) => confirmations(input, payment) !== null)

  return {
    look: async ({ input, paid }) => {
      if (!isOn(input, 'evm')) return
      for (const payment of paid) {
        const receipt = await evm.receipt(input.chainId, payment.txHash)
        if (receipt?.status === 'success') vanished.delete(keyOf(input, payment))
        else vanished.add(keyOf(input, payment))
      }
    },
    seen,
    confirmed: ({ input, paid }) => sumOf(paid.filter((payment) => (confirmations(input, payment) ?? 0) > 0)),
    completedAt: (order) => {
      let total = 0n
      for (const { amount, at } of seen(order)) {
        total += amount
        if (total >= order.amountNeeded) return at
      }
      return null
    },
  }
}
