import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { bytesAt, uintAt } from '../../kit/abiWords.ts'
import type { SimLog } from '../../kit/simVenue.ts'
import { isSvm, type Network } from './networks.ts'

/** DlnOrderLib.sol, `Order`: bytes as hex with 0x. */
export type Order = {
  readonly makerOrderNonce: bigint
  readonly makerSrc: string
  readonly giveChainId: bigint
  readonly giveTokenAddress: string
  readonly giveAmount: bigint
  readonly takeChainId: bigint
  readonly takeTokenAddress: string
  readonly takeAmount: bigint
  readonly receiverDst: string
  readonly givePatchAuthoritySrc: string
  readonly orderAuthorityAddressDst: string
  readonly allowedTakerDst: string
  readonly allowedCancelBeneficiarySrc: string
  readonly externalCall: string
}

export const hexOf = (network: Network, address: string): string =>
  isSvm(network) ? `0x${bytesToHex(base58.decode(address))}` : address.toLowerCase()

/** The address in some bytes; on Solana the system program stands for the coin. */
export const textOf = (network: Network, bytes: string): string =>
  isSvm(network) ? base58.encode(hexToBytes(bytes.slice(2))) : bytes

const fixed = (value: bigint, bytes: number): string => value.toString(16).padStart(2 * bytes, '0')
const counted = (bytes: string): string => fixed(BigInt((bytes.length - 2) / 2), 1) + bytes.slice(2)

/** DlnOrderLib.sol, `getOrderId`, of an order without an external call. */
export const idOf = (order: Order): string => {
  const packed = [
    ...[fixed(order.makerOrderNonce, 8), counted(order.makerSrc), fixed(order.giveChainId, 32)],
    ...[counted(order.giveTokenAddress), fixed(order.giveAmount, 32), fixed(order.takeChainId, 32)],
    ...[counted(order.takeTokenAddress), fixed(order.takeAmount, 32), counted(order.receiverDst)],
    ...[counted(order.givePatchAuthoritySrc), counted(order.orderAuthorityAddressDst), counted(order.allowedTakerDst)],
    ...[counted(order.allowedCancelBeneficiarySrc), '00'],
  ]
  return `0x${bytesToHex(keccak_256(hexToBytes(packed.join('').toLowerCase())))}`
}

export type SeenOrder = {
  readonly order: Order
  readonly orderId: string
  /** What was taken from the wallet: net, and all that is kept of it. */
  readonly gross: bigint
}

const AMOUNT_AT = 40

/** What `CreatedOrder` of DlnSource tells. */
export const readCreated = ({ data }: SimLog): SeenOrder => {
  const order = `0x${data.slice(2 + Number(uintAt(data, 0)) * 2)}`
  const bytes = (index: number): string => `0x${bytesAt(order, index)}`
  const affiliate = bytesAt(data, 2)
  const giveAmount = uintAt(order, 4)
  return {
    order: {
      makerOrderNonce: uintAt(order, 0),
      makerSrc: bytes(1),
      giveChainId: uintAt(order, 2),
      giveTokenAddress: bytes(3),
      giveAmount,
      takeChainId: uintAt(order, 5),
      takeTokenAddress: bytes(6),
      takeAmount: uintAt(order, 7),
      receiverDst: bytes(8),
      givePatchAuthoritySrc: bytes(9),
      orderAuthorityAddressDst: bytes(10),
      allowedTakerDst: bytes(11),
      allowedCancelBeneficiarySrc: bytes(12),
      externalCall: bytes(13),
    },
    orderId: `0x${data.slice(66, 130)}`,
    gross: giveAmount + uintAt(data, 4) + (affiliate === '' ? 0n : BigInt(`0x${affiliate.slice(AMOUNT_AT)}`)),
  }
}
