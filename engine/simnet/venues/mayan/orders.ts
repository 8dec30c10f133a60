import { keccak_256 } from '@noble/hashes/sha3.js'
import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { addressAt, bytesAt, uintAt, wordAt } from '../../kit/abiWords.ts'
import type { SimLog } from '../../kit/simVenue.ts'
import { FORWARDER, type Network, SWIFT, wordIn } from './networks.ts'
import { PROTOCOL_BPS } from './pricing.ts'

/** An order as a chain took it. Words are 32 bytes in hex with 0x; sums in the order's own units. */
export type SeenOrder = {
  readonly hash: string
  readonly origin: Network
  /** What is locked, and how much of it in smallest units. */
  readonly tokenIn: string
  readonly locked: bigint
  readonly trader: string
  readonly destAddr: string
  readonly destChainId: number
  readonly tokenOut: string
  readonly minAmountOut: bigint
  readonly cancelFee: bigint
  readonly refundFee: bigint
  readonly deadline: number
  readonly referrerBps: number
  readonly quoteId: string
}

type Key = Omit<SeenOrder, 'hash' | 'locked' | 'quoteId'> & {
  readonly referrerAddr: string
  readonly gasDrop: bigint
  readonly auctionMode: number
  readonly random: string
  readonly protocolBps: number
}

const hex = (value: bigint | number, bytes: number): string => value.toString(16).padStart(bytes * 2, '0')
const bare = (word: string): string => word.slice(2)

/** SwiftSource.sol, `encodeKey`: 272 bytes. */
export const hashOf = (key: Key): string => {
  const sums = [key.minAmountOut, key.gasDrop, key.cancelFee, key.refundFee, BigInt(key.deadline)].map((sum) => hex(sum, 8))
  const packed = [
    ...[hex(1, 1), bare(key.trader), hex(key.origin.wormholeId, 2), bare(key.tokenIn), bare(key.destAddr)],
    ...[hex(key.destChainId, 2), bare(key.tokenOut), ...sums, bare(key.referrerAddr)],
    ...[hex(key.referrerBps, 1), hex(key.protocolBps, 1), hex(key.auctionMode, 1), bare(key.random), '0'.repeat(64)],
  ].join('')
  return `0x${Buffer.from(keccak_256(Buffer.from(packed, 'hex'))).toString('hex')}`
}

export const orderOf = (key: Key, locked: bigint): SeenOrder => {
  const { referrerAddr: _r, gasDrop: _g, auctionMode: _a, protocolBps: _p, random, ...order } = key
  return { ...order, hash: hashOf(key), locked, quoteId: random.slice(0, 34) }
}

const ORDER_CREATED = keccakText('OrderCreated(bytes32)')
/** Each with the places of the amount that was handed on and of the call. */
const FORWARDED: { readonly [topic: string]: readonly [amountAt: number, callAt: number] } = {
  [keccakText('ForwardedERC20(address,uint256,address,bytes)')]: [1, 3],
  [keccakText('SwapAndForwardedEth(uint256,address,address,uint256,address,bytes)')]: [3, 5],
  [keccakText('SwapAndForwardedERC20(address,uint256,address,address,uint256,address,bytes)')]: [4, 6],
}
const CREATE_ORDER = 'a3a30834'

const readCall = (call: string, locked: bigint, origin: Network): SeenOrder | null => {
  if (!call.startsWith(CREATE_ORDER)) return null
  const data = `0x${call.slice(CREATE_ORDER.length)}`
  const word = (at: number): string => `0x${wordAt(data, at)}`
  const key: Key = {
    origin,
    tokenIn: wordIn(origin, addressAt(data, 0)),
    trader: word(3),
    destAddr: word(4),
    destChainId: Number(uintAt(data, 5)),
    referrerAddr: word(6),
    tokenOut: word(7),
    minAmountOut: uintAt(data, 8),
    gasDrop: uintAt(data, 9),
    cancelFee: uintAt(data, 10),
    refundFee: uintAt(data, 11),
    deadline: Number(uintAt(data, 12)),
    referrerBps: Number(uintAt(data, 13)),
    auctionMode: Number(uintAt(data, 14)),
    random: word(15),
    protocolBps: PROTOCOL_BPS,
  }
  return orderOf(key, locked)
}

/** The orders that a transaction of an EVM chain placed, by what the Forwarder handed on and Swift took. */
export const ordersIn = (logs: readonly SimLog[], origin: Network): readonly SeenOrder[] => {
  const by = (contract: string) => logs.filter(({ address }) => address.toLowerCase() === contract.toLowerCase())
  const created = new Set(by(SWIFT).flatMap(({ topics, data }) => (topics[0] === ORDER_CREATED ? [`0x${wordAt(data, 0)}`] : [])))
  return by(FORWARDER).flatMap(({ topics: [topic = ''], data }) => {
    const [amountAt, callAt] = FORWARDED[topic] ?? []
    const order =
      amountAt === undefined || callAt === undefined ? null : readCall(bytesAt(data, callAt), uintAt(data, amountAt), origin)
    return order !== null && created.has(order.hash) ? [order] : []
  })
}
