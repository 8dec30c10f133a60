import { parseAbiParameters } from 'abitype'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { ClaimedFee, TypedData, TypedDataField } from '../../core/execution.ts'
import { addressIn } from '../kit/addresses.ts'
import { JAM_SETTLEMENT } from './published.ts'
import { type JamMessage, messageShape, type WireJamOrder } from './wire.ts'

/** JamOrderLib.ORDER_TYPE: src/libraries/JamOrder.sol of bebop-dex/bebop-jam-contracts */
export const JAM_ORDER_FIELDS: readonly TypedDataField[] = parseAbiParameters([
  'address taker, address receiver, uint256 expiry, uint256 exclusivityDeadline, uint256 nonce, address executor',
  'uint256 partnerInfo, address[] sellTokens, address[] buyTokens, uint256[] sellAmounts, uint256[] buyAmounts, bytes32 hooksHash',
]).map(({ name, type }) => ({ name, type }))

export const JAM_DOMAIN_NAME = 'JamSettlement'
export const JAM_DOMAIN_VERSION = '2'

/** The order as it is signed: addresses in our spelling, numbers as digits. */
export const toMessage = (chainId: ChainId, order: WireJamOrder): JamMessage => {
  const address = (text: string): Address => addressIn(chainId, text.toLowerCase(), 'an address of the order')
  return {
    taker: address(order.taker),
    receiver: address(order.receiver),
    expiry: String(order.expiry),
    exclusivityDeadline: String(order.exclusivityDeadline),
    nonce: String(order.nonce),
    executor: address(order.executor),
    partnerInfo: String(order.partnerInfo),
    sellTokens: order.sellTokens.map(address),
    buyTokens: order.buyTokens.map(address),
    sellAmounts: order.sellAmounts.map(String),
    buyAmounts: order.buyAmounts.map(String),
    hooksHash: order.hooksHash,
  }
}

export const jamTypedData = (chainId: ChainId, message: JamMessage): TypedData => ({
  domain: { name: JAM_DOMAIN_NAME, version: JAM_DOMAIN_VERSION, chainId, verifyingContract: JAM_SETTLEMENT },
  types: { JamOrder: JAM_ORDER_FIELDS },
  primaryType: 'JamOrder',
  message,
})

/** Whose money moves by an order, and what tells it from all others of its taker. */
export const readMessage = (typedData: TypedData): JamMessage => messageShape.read(typedData.message)

export type PartnerInfo = { readonly partner: Address; readonly partnerBps: number; readonly protocolBps: number }

const BPS_BITS = 16n
const BPS_MASK = 0xffffn

/** src/base/JamPartner.sol: address, partner's fee, the protocol's; null where other bits are set. */
export const readPartnerInfo = (packed: bigint): PartnerInfo | null => {
  const address = packed >> (2n * BPS_BITS)
  if (address >= 1n << 160n) return null
  return {
    partner: addressIn(1, `0x${address.toString(16).padStart(40, '0')}`, 'the partner'),
    partnerBps: Number((packed >> BPS_BITS) & BPS_MASK),
    protocolBps: Number(packed & BPS_MASK),
  }
}

/** The integrator's fee, taken from what the solver pays before the minimum is held to; the protocol's is in the price. */
export const feeOf = ({ partner, partnerBps }: PartnerInfo): ClaimedFee | null =>
  partner === ZERO_EVM_ADDRESS && partnerBps === 0 ? null : { recipient: partner, bps: partnerBps }
