import { toAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import type { Execution } from '../../core/execution.ts'
import type { VenueOrder } from '../../core/order.ts'
import { demand } from '../kit/demand.ts'
import { firm, PLAIN_EXECUTION } from '../kit/plain.ts'
import { amountIn, isRouter, leastOf } from './map.ts'
import { ROUTER } from './published.ts'
import { readSwapCall } from './router.ts'
import type { Built } from './wire.ts'

/** A payload as it was built, and the tolerance it was built with. */
export type Opened = { readonly built: Built; readonly slippageBps: number }

export const priceOf = ({ built, slippageBps }: Opened) => {
  const expected = amountIn(built.amountOut)
  return { expected, minimum: leastOf(expected, slippageBps) }
}

/** No field tells the least amount: what the bytes insist on must be what the expected one and the tolerance come to. */
export const toExecution = async (opened: Opened, { input, inputAmount }: VenueOrder): Promise<Execution> => {
  const { data, amountIn: given, routerAddress, transactionValue } = opened.built
  const { expected, minimum } = priceOf(opened)
  const value = isNative(input) ? inputAmount : toAmount(0n)
  const call = await readSwapCall(data)
  demand('kyberswap built', {
    'for another input amount': amountIn(given) === inputAmount,
    'for another contract': isRouter(routerAddress),
    'with another value': amountIn(transactionValue) === value,
    'another call': call !== null,
    'another minimum': call === null || call.desc.minReturnAmount === minimum,
  })
  const transaction = { chainId: input.chainId, to: ROUTER, data: data.toLowerCase(), value }
  return {
    ...PLAIN_EXECUTION,
    payload: { executionType: 'TRANSACTION', transaction },
    ...firm({ expected, minimum }),
  }
}
