import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { keccakHex } from '../../chains/evm/evmCodec.ts'
import { type Address, parseEvmAddress } from '../../core/address.ts'
import { type Asset, isNative } from '../../core/asset.ts'
import { type ChainId, SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'

/** `OrderParams` of SwiftStructs.sol in mayan-finance/swap-bridge. Amounts in units of `unitOf`, addresses in words. */
export type SwiftOrder = {
  readonly payloadType: number
  readonly trader: Hex
  readonly destAddr: Hex
  readonly destChainId: number
  readonly referrerAddr: Hex
  readonly tokenOut: Hex
  readonly minAmountOut: bigint
  readonly gasDrop: bigint
  readonly cancelFee: bigint
  readonly refundFee: bigint
  readonly deadline: bigint
  readonly referrerBps: number
  readonly auctionMode: number
  readonly random: Hex
}

/** The chain of the order, and the token that pays it. */
export type Placed = { readonly sourceId: number; readonly tokenIn: Hex }

export const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`
/** An order without a custom payload. */
export const PAYLOAD_TYPE = 1

export const wordOf = (chainId: ChainId, address: Address): Hex =>
  chainId === SOLANA ? `0x${bytesToHex(base58.decode(address))}` : `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** A token in an order; zeros for coins. */
export const tokenWord = (asset: Asset): Hex => (isNative(asset) ? ZERO_WORD : wordOf(asset.chainId, asset.address))

/** Null for a word that is no address of the chain. */
export const addressOfWord = (chainId: ChainId, word: Hex): Address | null => {
  if (chainId === SOLANA) return base58.encode(hexToBytes(word.slice(2))) as Address
  return /^0x0{24}/.test(word) ? parseEvmAddress(`0x${word.slice(26).toLowerCase()}`) : null
}

const big = (value: bigint | number, bytes: number): Uint8Array =>
  hexToBytes(
    BigInt(value)
      .toString(16)
      .padStart(bytes * 2, '0'),
  )
const word = (hex: Hex): Uint8Array => hexToBytes(hex.slice(2))

/**
 * The id of an order of Swift on both chains: `encodeKey` of SwiftSource.sol. It excludes the amount, and includes the protocol's
 * share, which the contract reads for itself when the order is placed.
 */
export const orderHash = (order: SwiftOrder, { sourceId, tokenIn }: Placed, protocolBps: number): Hex =>
  keccakHex(
    `0x${bytesToHex(
      concatBytes(
        big(order.payloadType, 1),
        word(order.trader),
        big(sourceId, 2),
        word(tokenIn),
        word(order.destAddr),
        big(order.destChainId, 2),
        word(order.tokenOut),
        ...[order.minAmountOut, order.gasDrop, order.cancelFee, order.refundFee, order.deadline].map((sum) => big(sum, 8)),
        word(order.referrerAddr),
        ...[order.referrerBps, protocolBps, order.auctionMode].map((byte) => big(byte, 1)),
        word(order.random),
        word(ZERO_WORD),
      ),
    )}`,
  )

const PROTOCOL_BPS_END = 256

/** All its possible ids, by the share that the contract reads: a byte. */
export const orderHashes = (order: SwiftOrder, placed: Placed): ReadonlySet<string> =>
  new Set(Array.from({ length: PROTOCOL_BPS_END }, (_, protocolBps) => orderHash(order, placed, protocolBps)))
