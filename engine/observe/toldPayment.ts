import type { SwapPayment } from '../core/payment.ts'
import type { ToldPayment } from './observe.ts'

/** A payment as it is told of: what whoever looks for it on its chain needs, and no address of a user. */
export const toldPayment = ({ kind, chainId, token, txHash, amount, isFinal }: SwapPayment): ToldPayment => ({
  ...{ kind, chainId, token, txHash, isFinal },
  amount: amount === null ? null : amount.toString(),
})
