import type { Address } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import type { Binding, Execution } from '../../core/execution.ts'
import type { VenueOrder } from '../../core/order.ts'
import { claimProblems } from '../kit/claimProblems.ts'
import { demand } from '../kit/demand.ts'
import { firm, PLAIN_EXECUTION } from '../kit/plain.ts'
import { refused } from '../kit/refusals.ts'
import { leastOf } from '../kit/reprice.ts'
import { checkId, rejected } from '../venueError.ts'
import { decode, PAYS_RECIPIENT, payeesOf } from './decode.ts'
import { amountIn, routerIn } from './map.ts'
import { readSwapCall } from './router.ts'
import type { Built } from './wire.ts'

/** A built payload, and its slippage. */
export type Opened = { readonly built: Built; readonly slippageBps: number }

export const priceOf = ({ built, slippageBps }: Opened) => {
  const expected = amountIn(built.amountOut)
  return { expected, minimum: leastOf(expected, slippageBps) }
}

/**
 * No field has the least amount: the least amount in the bytes must equal the expected one less the slippage. This rejects a
 * build that the payload proof would reject.
 */
export const toExecution = async (opened: Opened, order: VenueOrder, binding: Binding, routers: readonly Address[]) => {
  const { input, inputAmount } = order
  const { data, amountIn: given, routerAddress, transactionValue } = opened.built
  const { expected, minimum } = priceOf(opened)
  const value = isNative(input) ? inputAmount : toAmount(0n)
  const [call, router] = [await readSwapCall(data), routerIn(routerAddress, routers)]
  demand('kyberswap built', {
    'for another input amount': [amountIn(given) === inputAmount, given],
    'with another value': [amountIn(transactionValue) === value, transactionValue],
    'another call': call !== null,
    'another minimum': call === null || call.desc.minReturnAmount === minimum,
  })
  const transaction = { chainId: input.chainId, to: router, data: data.toLowerCase(), value }
  const payload = { executionType: 'TRANSACTION', transaction } as const
  const execution: Execution = { ...PLAIN_EXECUTION, payload, ...firm({ expected, minimum }) }
  const problems = claimProblems(await decode(execution), { order, binding, minimum, expected })
  if (problems.join() === PAYS_RECIPIENT) throw refused(['badRequest', 'recipient'], 'kyberswap: the recipient is paid as a pool')
  if (problems.length > 0) throw rejected(checkId(problems[0] ?? ''), `kyberswap built ${problems.join(', ')}`, call?.desc)
  if (call !== null && payeesOf(call).includes(order.sender))
    throw refused(['badRequest', 'sender'], 'kyberswap: the sender is paid as a pool')
  return execution
}
