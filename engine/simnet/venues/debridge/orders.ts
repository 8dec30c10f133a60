import { encodeCall } from '../../../chains/evm/evmCodec.ts'
import { COMPUTE_BUDGET_PROGRAM, encodeSolanaTransaction } from '../../../chains/solana/solanaCodec.ts'
import type { Address } from '../../../core/address.ts'
import { SOLANA } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import * as protocol from '../../../venues/debridge/protocol.ts'
import { wordOf } from '../../kit/abiWords.ts'
import { littleEndian as little } from '../../kit/anchor.ts'
import { callData } from '../../kit/callData.ts'
import type { World } from '../../kit/world.ts'
import { type Deal, nameOf } from './deals.ts'

const { bytesOf, DLN_SOURCE, SOLVER, toWireChain } = protocol

/** Makes the swap before an order, as Uniswap's SwapRouter02 does; `recipient` 1 is whoever calls it. */
export const ROUTER = '0x1111111254EEB25477B68fb85Ed929f73A960582'
const EXACT_INPUT_SINGLE = [
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)',
]
const CALLER = '0x0000000000000000000000000000000000000001'

/** Seen on what the live API wraps into orders: its own marker, and nothing that a contract reads. */
const METADATA = `0x0101${'00'.repeat(31)}`

/** A deal as its order will be: what a fault alters is altered already. `salt` tells it apart. */
export type Plan = Deal & { readonly salt: bigint; readonly contract: string }

/** The order as the contract books it for this maker. */
export const orderOf = (plan: Plan, makerSrc: Hex = bytesOf(plan.origin, plan.maker)): protocol.Order => ({
  makerOrderNonce: plan.salt,
  makerSrc,
  giveChainId: BigInt(toWireChain(plan.origin)),
  giveTokenAddress: bytesOf(plan.origin, nameOf(plan.given)),
  giveAmount: plan.net,
  takeChainId: BigInt(toWireChain(plan.destination)),
  takeTokenAddress: bytesOf(plan.destination, nameOf(plan.output)),
  takeAmount: plan.takeAmount,
  receiverDst: bytesOf(plan.destination, plan.recipient),
  givePatchAuthoritySrc: bytesOf(plan.origin, plan.authority),
  orderAuthorityAddressDst: bytesOf(plan.destination, plan.canceller),
  allowedTakerDst: bytesOf(plan.destination, plan.destination === SOLANA ? SOLVER.solana : SOLVER.evm),
  allowedCancelBeneficiarySrc: bytesOf(plan.origin, plan.beneficiary),
  externalCall: '0x',
})

const createOrder = (plan: Plan): Promise<Hex> => {
  const { fee, affiliateFee, gross, salt, referralCode } = plan
  const affiliate = fee === null || affiliateFee === 0n ? '0x' : `${fee.recipient.toLowerCase()}${wordOf(affiliateFee)}`
  const args = [{ ...orderOf(plan), giveAmount: gross }, salt, affiliate, referralCode, '0x', METADATA]
  return encodeCall(protocol.CREATE_SALTED_ORDER, 'createSaltedOrder', args)
}

const swapFirst = async ({ input, given, amount, gross, beneficiary }: Plan, call: Hex): Promise<Hex> => {
  const sums = { amountIn: amount, amountOutMinimum: gross, sqrtPriceLimitX96: 0n }
  const way = { tokenIn: input.address, tokenOut: given.address, fee: 500, recipient: CALLER }
  const swap = await callData(EXACT_INPUT_SINGLE, [{ ...way, ...sums }])
  const args = [input.address, amount, '0x', ROUTER, swap, given.address, gross, beneficiary, DLN_SOURCE, call]
  return encodeCall(protocol.SWAP_AND_CALL, 'strictlySwapAndCall', args)
}

/** Sees to it that the router holds what it will have to pay. */
const evmTransaction = async (plan: Plan, { evm }: World) => {
  const { origin, input, given, amount, gross, contract } = plan
  const call = await createOrder(plan)
  const isDirect = given === input
  if (!isDirect) await evm.fund({ chainId: origin, token: given.address, holder: ROUTER, amount: gross })
  const value = (protocol.SERVED[origin]?.fee ?? 0n) + (input.isNative ? amount : 0n)
  const to = isDirect || contract !== DLN_SOURCE ? contract : protocol.FORWARDER
  return { to, data: isDirect ? call : await swapFirst(plan, call), value: value.toString() }
}

const raw = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
const big = (value: bigint): Buffer => little(32, value).reverse()
const counted = (hex: string): Buffer => Buffer.concat([little(4, raw(hex).length), raw(hex)])
const NONE = Buffer.of(0)
const some = (...bytes: readonly Uint8Array[]): Buffer => Buffer.concat([Buffer.of(1), ...bytes])

/** The fields of `SOLANA_ORDER`, behind the discriminator of the call. */
export const solanaCall = (plan: Plan): Buffer => {
  const { fee, affiliateFee, gross, referralCode } = plan
  const order = orderOf(plan)
  return Buffer.concat([
    ...[raw('0x828362be28ce4432'), little(8, gross), big(order.takeChainId), counted(order.takeTokenAddress)],
    ...[big(order.takeAmount), counted(order.receiverDst), NONE, raw(order.givePatchAuthoritySrc)],
    ...[some(raw(order.allowedCancelBeneficiarySrc)), counted(order.orderAuthorityAddressDst)],
    some(counted(order.allowedTakerDst)),
    fee === null || affiliateFee === 0n ? NONE : some(raw(bytesOf(SOLANA, fee.recipient)), little(8, affiliateFee)),
    ...[some(little(4, referralCode)), little(8, order.makerOrderNonce), counted(METADATA)],
  ])
}

/** The salt of such a call lies before the metadata. */
export const saltIn = (call: Uint8Array): bigint => Buffer.from(call).readBigUInt64LE(call.length - METADATA.length / 2 - 11)

export const solanaAccountsOf = (plan: Plan): readonly Address[] => {
  const order = orderOf(plan)
  const of = { maker: plan.maker, mint: plan.given.address as Address, takeChainId: order.takeChainId }
  return protocol.solanaAccounts(protocol.SOLANA_SOURCE, { ...of, orderId: protocol.idOfOrder(order) })
}

/** Positions of the accounts that are written, as the interface has them. */
const WRITTEN = [0, 3, 5, 6, 7, 8]

const budget = (kind: number, value: Buffer) => ({
  ...{ programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Buffer.concat([Buffer.of(kind), value]) },
})

const solanaTransaction = async (plan: Plan, { solana }: World) => {
  const accounts = solanaAccountsOf(plan).map((address, at) => ({
    ...{ address, isSigner: at === protocol.MAKER, isWritable: WRITTEN.includes(at) },
  }))
  const call = { programId: plan.contract, accounts, data: solanaCall(plan) }
  const instructions = [budget(3, little(8, 30_000)), budget(2, little(4, 200_000)), call]
  const base64 = await encodeSolanaTransaction({ feePayer: plan.maker, recentBlockhash: await solana.blockhash(), instructions })
  return { data: `0x${Buffer.from(base64, 'base64').toString('hex')}` }
}

/** `tx` of an answer: on Solana the transaction in hex. */
export const transactionOf = (plan: Plan, world: World) =>
  plan.origin === SOLANA ? solanaTransaction(plan, world) : evmTransaction(plan, world)
