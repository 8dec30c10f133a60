import type { SwapPayment } from '../core/payment.ts'
import type { ToldPayment } from './observe.ts'

/** A payment for reports: the values to find it on its chain, without an address of a user. */
export const toldPayment = ({ kind, chainId, token, txHash, amount, isFinal }: SwapPayment): ToldPayment => ({
  ...{ kind, chainId, token, txHash, isFinal },
  amount: amount === null ? null : amount.toString(),
})
