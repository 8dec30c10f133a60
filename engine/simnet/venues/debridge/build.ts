import { wordOf } from '../../kit/abiWords.ts'
import { callData } from '../../kit/callData.ts'
import type { World } from '../../kit/world.ts'
import { CONTRACTS, isSvm, nameOf, SOLVER } from './networks.ts'
import { hexOf, type Order } from './order.ts'
import type { Deal } from './pricing.ts'
import type { Parties } from './question.ts'

/** IDlnSource.sol and DlnOrderLib.sol of debridge-finance/dln-contracts. */
const CREATE_SALTED_ORDER = [
  'struct OrderCreation { address giveTokenAddress; uint256 giveAmount; bytes takeTokenAddress; uint256 takeAmount; uint256 takeChainId; bytes receiverDst; address givePatchAuthoritySrc; bytes orderAuthorityAddressDst; bytes allowedTakerDst; bytes externalCall; bytes allowedCancelBeneficiarySrc; }',
  'function createSaltedOrder(OrderCreation orderCreation, uint64 salt, bytes affiliateFee, uint32 referralCode, bytes permitEnvelope, bytes metadata) payable',
]
const SWAP_AND_CALL =
  'function strictlySwapAndCall(address srcTokenIn, uint256 srcAmountIn, bytes srcTokenInPermitEnvelope, address srcSwapRouter, bytes srcSwapCalldata, address srcTokenOut, uint256 srcTokenExpectedAmountOut, address srcTokenRefundRecipient, address target, bytes targetData) payable'
/** The router swaps as Uniswap's SwapRouter02 does; `recipient` 1 is whoever calls it. */
const EXACT_INPUT_SINGLE = [
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)',
]
const CALLER = '0x0000000000000000000000000000000000000001'

/** A deal that can be made, as its order will be: what a fault alters is altered already. */
export type Plan = Deal & {
  readonly parties: Parties
  readonly salt: bigint
  readonly contract: string
  readonly metadata: string
}

/** The order as the contract books it for this maker. */
export const orderOf = (plan: Plan): Order => {
  const { origin, destination, given, output, net, takeAmount, salt, parties } = plan
  const { maker, recipient, authority, canceller, beneficiary } = parties
  return {
    makerOrderNonce: salt,
    makerSrc: hexOf(origin, maker),
    giveChainId: BigInt(origin.wireId),
    giveTokenAddress: hexOf(origin, nameOf(origin, given)),
    giveAmount: net,
    takeChainId: BigInt(destination.wireId),
    takeTokenAddress: hexOf(destination, nameOf(destination, output)),
    takeAmount,
    receiverDst: hexOf(destination, recipient),
    givePatchAuthoritySrc: hexOf(origin, authority),
    orderAuthorityAddressDst: hexOf(destination, canceller),
    allowedTakerDst: hexOf(destination, isSvm(destination) ? SOLVER.solana : SOLVER.evm),
    allowedCancelBeneficiarySrc: beneficiary === null ? '0x' : hexOf(origin, beneficiary),
    externalCall: '0x',
  }
}

const createOrder = (plan: Plan): Promise<string> => {
  const { makerOrderNonce: salt, giveTokenAddress, givePatchAuthoritySrc, ...order } = orderOf(plan)
  const { fee, affiliateFee, gross, referralCode, metadata } = plan
  const affiliate = fee === null || affiliateFee === 0n ? '0x' : `${fee.recipient.toLowerCase()}${wordOf(affiliateFee)}`
  const creation = { ...order, giveTokenAddress, givePatchAuthoritySrc, giveAmount: gross }
  return callData(CREATE_SALTED_ORDER, [creation, salt, affiliate, referralCode, '0x', metadata])
}

const swapFirst = async (plan: Plan, call: string): Promise<string> => {
  const { input, given, amount, gross, parties } = plan
  const sums = { amountIn: amount, amountOutMinimum: gross, sqrtPriceLimitX96: 0n }
  const swap = await callData(EXACT_INPUT_SINGLE, [
    { tokenIn: input.address, tokenOut: given.address, fee: 500, recipient: CALLER, ...sums },
  ])
  const head = [input.address, amount, '0x', CONTRACTS.router, swap, given.address, gross]
  return callData(SWAP_AND_CALL, [...head, parties.beneficiary ?? parties.refundTo, CONTRACTS.source, call])
}

/** `tx` of an answer on an EVM chain. Sees to it that the router holds what it will have to pay. */
export const evmTransaction = async (plan: Plan, { evm }: Pick<World, 'evm'>) => {
  const { origin, input, given, amount, gross, contract } = plan
  const call = await createOrder(plan)
  const isDirect = given === input
  if (!isDirect) await evm.fund({ chainId: origin.chainId, token: given.address, holder: CONTRACTS.router, amount: gross })
  const value = origin.fixFee + (input.isNative ? amount : 0n)
  const to = isDirect || contract !== CONTRACTS.source ? contract : CONTRACTS.forwarder
  return { to, data: isDirect ? call : await swapFirst(plan, call), value: value.toString() }
}
