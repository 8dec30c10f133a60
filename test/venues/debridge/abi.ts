import type { AbiParametersToPrimitiveTypes, ExtractAbiEvent } from 'abitype'
import {
  concat,
  decodeFunctionData,
  encodeFunctionData,
  encodePacked,
  type Hex,
  keccak256,
  parseAbi,
  size,
  slice,
  toHex,
} from 'viem'
import type { SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'

/** The published contracts, written from their sources independently of the adapter. */

export const SOURCE = '0xeF4fB24aD0916217251F553c0596F8Edc630EB66'
export const DESTINATION = '0xE7351Fd770A37282b91D153Ee690B63579D6dd7f'
export const FORWARDER = '0x663DC15D3C1aC63ff12E45Ab68FeA3F0a883C251'

export const SOURCE_ABI = parseAbi([
  'struct OrderCreation { address giveTokenAddress; uint256 giveAmount; bytes takeTokenAddress; uint256 takeAmount; uint256 takeChainId; bytes receiverDst; address givePatchAuthoritySrc; bytes orderAuthorityAddressDst; bytes allowedTakerDst; bytes externalCall; bytes allowedCancelBeneficiarySrc; }',
  'function createSaltedOrder(OrderCreation order, uint64 salt, bytes affiliateFee, uint32 referralCode, bytes permitEnvelope, bytes metadata) payable',
])
export const FORWARDER_ABI = parseAbi([
  'function strictlySwapAndCall(address srcTokenIn, uint256 srcAmountIn, bytes srcTokenInPermitEnvelope, address srcSwapRouter, bytes srcSwapCalldata, address srcTokenOut, uint256 srcTokenExpectedAmountOut, address srcTokenRefundRecipient, address target, bytes targetData) payable',
])
export const EVENTS = parseAbi([
  'struct Order { uint64 makerOrderNonce; bytes makerSrc; uint256 giveChainId; bytes giveTokenAddress; uint256 giveAmount; uint256 takeChainId; bytes takeTokenAddress; uint256 takeAmount; bytes receiverDst; bytes givePatchAuthoritySrc; bytes orderAuthorityAddressDst; bytes allowedTakerDst; bytes allowedCancelBeneficiarySrc; bytes externalCall; }',
  'event CreatedOrder(Order order, bytes32 orderId, bytes affiliateFee, uint256 nativeFixFee, uint256 percentFee, uint32 referralCode, bytes metadata)',
  'event FulfilledOrder(Order order, bytes32 orderId, address sender, address unlockAuthority)',
  'event ClaimedOrderCancel(bytes32 orderId, address beneficiary, uint256 paidAmount, address giveTokenAddress)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

type Creation = AbiParametersToPrimitiveTypes<(typeof SOURCE_ABI)[0]['inputs']>[0]
/** The swap before an order. */
type SwapFirst = { readonly srcTokenIn: Hex; readonly srcTokenOut: Hex } & { readonly [name: string]: unknown }

/** A call taken apart, with the call of the order in a call of the forwarder. */
export type Words = {
  readonly swap: SwapFirst | null
  readonly order: Creation
  readonly salt: bigint
  readonly affiliateFee: Hex | { readonly beneficiary: Hex; readonly amount: bigint }
  readonly referralCode: number
  readonly permitEnvelope: Hex
  readonly metadata: Hex
}

const FORWARDED = FORWARDER_ABI[0].inputs.map(({ name }) => name)

export const readCall = (data: string): Words => {
  const call = decodeFunctionData({ abi: [...SOURCE_ABI, ...FORWARDER_ABI], data: data as Hex })
  if (call.functionName === 'strictlySwapAndCall') {
    const { targetData, ...swap } = Object.fromEntries(FORWARDED.map((name, at) => [name, call.args[at]]))
    return { ...readCall(targetData as Hex), swap: swap as SwapFirst }
  }
  const [order, salt, fee, referralCode, permitEnvelope, metadata] = call.args
  const affiliateFee = size(fee) === 52 ? { beneficiary: slice(fee, 0, 20), amount: BigInt(slice(fee, 20)) } : fee
  return { swap: null, order, salt, affiliateFee, referralCode, permitEnvelope, metadata }
}

export const writeForwarded = (swap: SwapFirst, targetData: Hex): Hex => {
  const args = FORWARDED.map((name) => (name === 'targetData' ? targetData : swap[name]))
  const data = encodeFunctionData({ abi: FORWARDER_ABI, functionName: 'strictlySwapAndCall', args: args as never })
  return data.toLowerCase() as Hex
}

export const writeCall = ({ swap, order, salt, affiliateFee, referralCode, permitEnvelope, metadata }: Words): Hex => {
  const { beneficiary, amount } = typeof affiliateFee === 'string' ? { beneficiary: null, amount: 0n } : affiliateFee
  const fee = beneficiary === null ? (affiliateFee as Hex) : encodePacked(['address', 'uint256'], [beneficiary, amount])
  const args = [order, salt, fee, referralCode, permitEnvelope, metadata] as const
  const call = encodeFunctionData({ abi: SOURCE_ABI, functionName: 'createSaltedOrder', args }).toLowerCase() as Hex
  return swap === null ? call : writeForwarded(swap, call)
}

/** An order as the contracts tell it. */
export type ToldOrder = AbiParametersToPrimitiveTypes<ExtractAbiEvent<typeof EVENTS, 'FulfilledOrder'>['inputs']>[0]

const word = (value: bigint): Hex => toHex(value, { size: 32 })
const sized = (bytes: Hex): Hex => concat([toHex(size(bytes), { size: 1 }), bytes])

/** DlnOrderLib.sol, `getOrderId`. */
export const idOf = (order: ToldOrder): Hex =>
  keccak256(
    concat([
      ...[toHex(order.makerOrderNonce, { size: 8 }), sized(order.makerSrc)],
      ...[word(order.giveChainId), sized(order.giveTokenAddress), word(order.giveAmount)],
      ...[word(order.takeChainId), sized(order.takeTokenAddress), word(order.takeAmount)],
      ...[order.receiverDst, order.givePatchAuthoritySrc, order.orderAuthorityAddressDst].map(sized),
      ...[order.allowedTakerDst, order.allowedCancelBeneficiarySrc].map(sized),
      '0x00',
    ]),
  )

const WIRE: { readonly [chainId: number]: bigint } = { 143: 100000030n, 999: 100000022n }

/** What DlnSource makes of a call by a wallet: the fields of `CreatedOrder`. */
export const createdBy = ({ chainId, from, data, value }: Pick<SimTransaction, 'chainId' | 'from' | 'data' | 'value'>) => {
  const { order: made, salt, affiliateFee: fee, referralCode, metadata } = readCall(data)
  const { giveTokenAddress, giveAmount, givePatchAuthoritySrc } = made
  const percentFee = (giveAmount * 4n) / 10_000n
  const order: ToldOrder = {
    ...made,
    makerOrderNonce: salt,
    makerSrc: from.toLowerCase() as Hex,
    giveChainId: WIRE[chainId] ?? BigInt(chainId),
    giveTokenAddress: giveTokenAddress.toLowerCase() as Hex,
    giveAmount: giveAmount - percentFee - (typeof fee === 'string' ? 0n : fee.amount),
    givePatchAuthoritySrc: givePatchAuthoritySrc.toLowerCase() as Hex,
  }
  const affiliateFee = typeof fee === 'string' ? fee : concat([fee.beneficiary, word(fee.amount)])
  const nativeFixFee = value - (BigInt(giveTokenAddress) === 0n ? giveAmount : 0n)
  return { order, orderId: idOf(order), affiliateFee, nativeFixFee, percentFee, referralCode, metadata }
}
