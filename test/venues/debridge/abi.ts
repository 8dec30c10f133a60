import type { AbiParametersToPrimitiveTypes } from 'abitype'
import {
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  encodePacked,
  getAddress,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  size,
  toEventSelector,
  toHex,
} from 'viem'
import type { SimLog, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'

/** The published contracts, written from their sources independently of the adapter. */

const CREATION =
  'struct OrderCreation { address giveTokenAddress; uint256 giveAmount; bytes takeTokenAddress; uint256 takeAmount; uint256 takeChainId; bytes receiverDst; address givePatchAuthoritySrc; bytes orderAuthorityAddressDst; bytes allowedTakerDst; bytes externalCall; bytes allowedCancelBeneficiarySrc; }'
export const SOURCE_ABI = parseAbi([
  CREATION,
  'function createSaltedOrder(OrderCreation order, uint64 salt, bytes affiliateFee, uint32 referralCode, bytes permitEnvelope, bytes metadata) payable',
])
export const FORWARDER_ABI = parseAbi([
  'function strictlySwapAndCall(address srcTokenIn, uint256 srcAmountIn, bytes srcTokenInPermitEnvelope, address srcSwapRouter, bytes srcSwapCalldata, address srcTokenOut, uint256 srcTokenExpectedAmountOut, address srcTokenRefundRecipient, address target, bytes targetData) payable',
])
const ORDER =
  'uint64 makerOrderNonce, bytes makerSrc, uint256 giveChainId, bytes giveTokenAddress, uint256 giveAmount, uint256 takeChainId, bytes takeTokenAddress, uint256 takeAmount, bytes receiverDst, bytes givePatchAuthoritySrc, bytes orderAuthorityAddressDst, bytes allowedTakerDst, bytes allowedCancelBeneficiarySrc, bytes externalCall'
const TUPLE = '(uint64,bytes,uint256,bytes,uint256,uint256,bytes,uint256,bytes,bytes,bytes,bytes,bytes,bytes)'

const TOLD = parseAbiParameters(`(${ORDER}) order`)
/** An order as the contracts tell it. */
export type ToldOrder = AbiParametersToPrimitiveTypes<typeof TOLD>[0]

const sized = (bytes: Hex): Hex => concat([toHex(size(bytes), { size: 1 }), bytes])

/** DlnOrderLib.sol, `getOrderId`. */
export const idOf = (order: ToldOrder): Hex =>
  keccak256(
    concat([
      encodePacked(['uint64'], [order.makerOrderNonce]),
      sized(order.makerSrc),
      encodePacked(['uint256'], [order.giveChainId]),
      sized(order.giveTokenAddress),
      encodePacked(['uint256', 'uint256'], [order.giveAmount, order.takeChainId]),
      sized(order.takeTokenAddress),
      encodePacked(['uint256'], [order.takeAmount]),
      ...[order.receiverDst, order.givePatchAuthoritySrc, order.orderAuthorityAddressDst].map(sized),
      ...[order.allowedTakerDst, order.allowedCancelBeneficiarySrc].map(sized),
      '0x00',
    ]),
  )

const logBy = (address: string, event: string, parameters: string, values: readonly unknown[]): SimLog => ({
  address: getAddress(address),
  topics: [toEventSelector(event)],
  data: encodeAbiParameters(parseAbiParameters(parameters) as never, values as never),
})

export const SOURCE = '0xeF4fB24aD0916217251F553c0596F8Edc630EB66'
export const DESTINATION = '0xE7351Fd770A37282b91D153Ee690B63579D6dd7f'
export const FORWARDER = '0x663DC15D3C1aC63ff12E45Ab68FeA3F0a883C251'

/** What `CreatedOrder` tells. */
export type Created = {
  readonly order: ToldOrder
  readonly orderId: Hex
  readonly affiliateFee: Hex
  readonly nativeFixFee: bigint
  readonly percentFee: bigint
  readonly referralCode: number
  readonly metadata: Hex
}

export const createdLog = ({ order, orderId, ...rest }: Created, by = SOURCE): SimLog =>
  logBy(
    by,
    `CreatedOrder(${TUPLE},bytes32,bytes,uint256,uint256,uint32,bytes)`,
    `(${ORDER}) order, bytes32, bytes, uint256, uint256, uint32, bytes`,
    [order, orderId, rest.affiliateFee, rest.nativeFixFee, rest.percentFee, rest.referralCode, rest.metadata],
  )

export const fulfilledLog = (order: ToldOrder, orderId: Hex, by = DESTINATION): SimLog =>
  logBy(by, `FulfilledOrder(${TUPLE},bytes32,address,address)`, `(${ORDER}) order, bytes32, address, address`, [
    order,
    orderId,
    SOURCE,
    SOURCE,
  ])

export const cancelledLog = (orderId: Hex, to: string, amount: bigint, token: string, by = SOURCE): SimLog =>
  logBy(by, 'ClaimedOrderCancel(bytes32,address,uint256,address)', 'bytes32, address, uint256, address', [
    orderId,
    to,
    amount,
    token,
  ])

const WIRE: { readonly [chainId: number]: bigint } = { 143: 100000030n, 999: 100000022n }

/** What DlnSource makes of a call by a wallet: the order, and what it tells of it. */
export const createdBy = ({
  chainId,
  from,
  to,
  data,
  value,
}: Pick<SimTransaction, 'chainId' | 'from' | 'to' | 'data' | 'value'>): Created => {
  const isForwarded = to.toLowerCase() === FORWARDER.toLowerCase()
  const call = isForwarded ? decodeFunctionData({ abi: FORWARDER_ABI, data: data as Hex }).args[9] : (data as Hex)
  const [made, salt, affiliateFee, referralCode, , metadata] = decodeFunctionData({ abi: SOURCE_ABI, data: call }).args
  const percentFee = (made.giveAmount * 4n) / 10_000n
  const affiliate = affiliateFee === '0x' ? 0n : BigInt(`0x${affiliateFee.slice(42)}`)
  const isOfCoins = BigInt(made.giveTokenAddress) === 0n
  const order: ToldOrder = {
    makerOrderNonce: salt,
    makerSrc: from.toLowerCase() as Hex,
    giveChainId: WIRE[chainId] ?? BigInt(chainId),
    giveTokenAddress: made.giveTokenAddress.toLowerCase() as Hex,
    giveAmount: made.giveAmount - percentFee - affiliate,
    takeChainId: made.takeChainId,
    takeTokenAddress: made.takeTokenAddress,
    takeAmount: made.takeAmount,
    receiverDst: made.receiverDst,
    givePatchAuthoritySrc: made.givePatchAuthoritySrc.toLowerCase() as Hex,
    orderAuthorityAddressDst: made.orderAuthorityAddressDst,
    allowedTakerDst: made.allowedTakerDst,
    allowedCancelBeneficiarySrc: made.allowedCancelBeneficiarySrc,
    externalCall: made.externalCall,
  }
  const nativeFixFee = value - (isOfCoins ? made.giveAmount : 0n)
  return { order, orderId: idOf(order), affiliateFee, nativeFixFee, percentFee, referralCode, metadata }
}
