import { isTypedAs } from '../../chains/evm/typedKind.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { ClaimedFee, TypedData } from '../../core/execution.ts'
import { addressIn } from '../kit/addresses.ts'
import { JAM, JAM_DOMAIN } from './protocol.ts'
import { type JamMessage, messageShape, type WireJamOrder } from './wire.ts'

/** The signed form of the order: addresses in our spelling, numbers as digits. */
export const toMessage = (chainId: ChainId, order: WireJamOrder): JamMessage => {
  const address = (text: string): Address => addressIn(chainId, text.toLowerCase(), 'an address of the order')
  const { expiry, exclusivityDeadline, nonce, partnerInfo, sellAmounts, buyAmounts, hooksHash } = order
  return {
    taker: address(order.taker),
    receiver: address(order.receiver),
    expiry: String(expiry),
    exclusivityDeadline: String(exclusivityDeadline),
    nonce: String(nonce),
    executor: address(order.executor),
    partnerInfo: String(partnerInfo),
    sellTokens: order.sellTokens.map(address),
    buyTokens: order.buyTokens.map(address),
    sellAmounts: sellAmounts.map(String),
    buyAmounts: buyAmounts.map(String),
    hooksHash,
  }
}

/** Whether it has the type and the domain of JAM's orders, on any chain and for any contract. */
export const isJam = (typedData: TypedData): boolean => {
  const { name, version } = typedData.domain
  return name === JAM_DOMAIN.name && version === JAM_DOMAIN.version && isTypedAs(typedData, JAM)
}

/** The owner of the money in an order, and the values that make it unique among the orders of its taker. */
export const readMessage = (typedData: TypedData): JamMessage => messageShape.read(typedData.message)

export type PartnerInfo = { readonly partner: Address; readonly partnerBps: number; readonly protocolBps: number }

/** src/base/JamPartner.sol: address, partner's fee, the protocol's, in 16 bits each; null where other bits are set. */
export const readPartnerInfo = (packed: bigint): PartnerInfo | null => {
  const address = packed >> 32n
  if (address >= 1n << 160n) return null
  const partner = addressIn(1, `0x${address.toString(16).padStart(40, '0')}`, 'the partner')
  return { partner, partnerBps: Number((packed >> 16n) & 0xffffn), protocolBps: Number(packed & 0xffffn) }
}

/** The integrator's fee, taken from the solver's payment before the minimum is checked; the protocol's fee is in the price. */
export const feeOf = ({ partner, partnerBps }: PartnerInfo): ClaimedFee | null =>
  partner === ZERO_EVM_ADDRESS && partnerBps === 0 ? null : { recipient: partner, bps: partnerBps }
