import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hex } from '../../../core/execution.ts'
import { callData, encodedArguments } from '../../kit/callData.ts'
import { EXECUTOR, POOL, ROUTER } from './networks.ts'
import type { BuildQuestion } from './questions.ts'
import type { Issued } from './routeSummary.ts'

const ZERO = `0x${'0'.repeat(40)}`

/** MetaAggregationRouterV2. */
const SWAP = [
  'struct Desc { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }',
  'struct Call { address callTarget; address approveTarget; bytes targetData; Desc desc; bytes clientData; }',
  'function swap(Call execution) payable',
]

/** What the stand-in of the executor is told: SimKyberSwap.sol. */
const PAY = 'function pay(address token, address to, uint256 amount, uint256 deadline)'

/** As answers of September 2026 have it, without a fee and with one on the output, in basis points. */
const FLAGS = { plain: 0x280n, withFee: 0x2c0n } as const

export type CallPlan = {
  readonly route: Issued
  readonly question: BuildQuestion
  readonly recipient: string
  readonly minimum: bigint
  readonly amount: bigint
  /** What the executor pays, before fees. */
  readonly gross: bigint
  readonly nowSeconds: number
}

const clientDataOf = ({ route, question, nowSeconds }: CallPlan): Hex => {
  const { price, routeId } = route
  const told = {
    Source: question.source,
    AmountInUSD: price.usdIn,
    AmountOutUSD: price.usdOut,
    Referral: '',
    Flags: 0,
    AmountOut: price.net.toString(),
    RouteID: routeId,
    Timestamp: nowSeconds,
  }
  return `0x${Buffer.from(utf8ToBytes(JSON.stringify(told))).toString('hex')}`
}

/** Calldata of the router: with a fee it gets what was bought, else the recipient does. */
export const routerCall = async (plan: CallPlan): Promise<Hex> => {
  const { route, question, recipient, minimum, amount, gross } = plan
  const { input, output, fee } = route
  const isCharged = fee.bps.length > 0
  const paid = await encodedArguments(PAY, [output.address, isCharged ? ROUTER : recipient, gross, BigInt(question.deadline)])
  const desc = {
    srcToken: input.address,
    dstToken: output.address,
    srcReceivers: input.isNative ? [] : [output.isNative ? POOL : EXECUTOR],
    srcAmounts: input.isNative ? [] : [amount],
    feeReceivers: fee.receivers,
    feeAmounts: fee.bps,
    dstReceiver: recipient,
    amount,
    minReturnAmount: minimum,
    flags: isCharged ? FLAGS.withFee : FLAGS.plain,
    permit: '0x',
  }
  const targetData = `${paid}${POOL.slice(2).padStart(64, '0')}`
  return callData(SWAP, [{ callTarget: EXECUTOR, approveTarget: ZERO, targetData, desc, clientData: clientDataOf(plan) }])
}
