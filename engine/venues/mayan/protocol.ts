import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { parseAbi } from 'abitype'
import type { CallOf } from '../../chains/evm/abiFields.ts'
import { keccakHex } from '../../chains/evm/evmCodec.ts'
import type { Fields, Layout } from '../../chains/solana/borsh.ts'
import { type Address, addressOf, parseEvmAddress } from '../../core/address.ts'
import { type Asset, isNative } from '../../core/asset.ts'
import { CHAIN_IDS, type ChainId, SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'

// What Mayan publishes of Swift V2: test/venues/mayan/vectors.json and the vendor's SDK verify it.
/** The contract that wallets call and allow: one address on all of its EVM chains. src/addresses.ts of the SDK. */
export const FORWARDER = addressOf('evm', '0x337685fdaB40D39bd02028545a4FfA7D287cC3E2')
/** Swift V2: the contract of orders and refunds, and that of fills. https://docs.mayan.finance/resources/chains-contracts */
export const SWIFT = addressOf('evm', '0x40fFE85A28DC9993541449464d7529a922142960')
export const SWIFT_FILLS = addressOf('evm', '0xD78D199f8C402e7B5Cc2abE278dF0412400a3BAe')

/** Programs of Solana, likewise. */
export const SWIFT_PROGRAM = addressOf('solana', 'mayan34VedncxdK2XobtvWFDXQASUTBXhUVzt2kKgny')
export const CPI_PROXY = addressOf('solana', 'D8C8iW6zmoKg5TRr8nQ7h14TMWqQX8FiBdj2ju5MF3wa')
export const FEE_MANAGER = addressOf('solana', '5VtQHnhs2pfVEr68qQsbTRwKh4JV5GTu9mBHgHFxpHeQ')
/** Sent in requests, never called. */
export const SWAP_PROGRAM = addressOf('solana', 'FC4eXxkyrMPTjiYUpp4EAnkmwMbQyZ6NDCh1kfLn6vsf')

/** Names in requests, and Wormhole's numbers in answers and orders. */
const PINNED: { readonly [chainId in ChainId]?: { readonly name: string; readonly wormholeId: number } } = {
  1: { name: 'ethereum', wormholeId: 2 },
  10: { name: 'optimism', wormholeId: 24 },
  56: { name: 'bsc', wormholeId: 4 },
  130: { name: 'unichain', wormholeId: 44 },
  137: { name: 'polygon', wormholeId: 5 },
  143: { name: 'monad', wormholeId: 48 },
  999: { name: 'hyperevm', wormholeId: 47 },
  8453: { name: 'base', wormholeId: 30 },
  42161: { name: 'arbitrum', wormholeId: 23 },
  43114: { name: 'avalanche', wormholeId: 6 },
  59144: { name: 'linea', wormholeId: 38 },
  [SOLANA]: { name: 'solana', wormholeId: 1 },
}

export const pinned = (chainId: ChainId) => PINNED[chainId] ?? null

export const chainOfWormhole = (wormholeId: number): ChainId | null =>
  CHAIN_IDS.find((chainId) => PINNED[chainId]?.wormholeId === wormholeId) ?? null

/** MayanForwarder.sol and SwiftSource.sol of mayan-finance/swap-bridge. */
const PERMIT = 'struct Permit { uint256 value; uint256 deadline; uint8 v; bytes32 r; bytes32 s; }'
const SWAP =
  'address swapProtocol, bytes swapData, address middleToken, uint256 minMiddleAmount, address mayanProtocol, bytes mayanData'
export const FORWARD_TOKEN = parseAbi([
  PERMIT,
  'function forwardERC20(address tokenIn, uint256 amountIn, Permit permit, address mayanProtocol, bytes protocolData)',
])
export const SWAP_COINS = parseAbi([`function swapAndForwardEth(uint256 amountIn, ${SWAP})`])
export const SWAP_TOKEN = parseAbi([
  PERMIT,
  `function swapAndForwardERC20(address tokenIn, uint256 amountIn, Permit permit, ${SWAP})`,
])
export const CREATE_ORDER = parseAbi([
  'struct Order { uint8 payloadType; bytes32 trader; bytes32 destAddr; uint16 destChainId; bytes32 referrerAddr; bytes32 tokenOut; uint64 minAmountOut; uint64 gasDrop; uint64 cancelFee; uint64 refundFee; uint64 deadline; uint8 referrerBps; uint8 auctionMode; bytes32 random; }',
  'function createOrderWithToken(address tokenIn, uint256 amountIn, Order order, bytes customPayload)',
])

/** src/solana/solanaSwift.ts of mayan-finance/swap-sdk. Numbers with the lowest byte first. */
export const INIT_ORDER = {
  amountInMin: 'u64',
  nativeInput: 'u8',
  feeSubmit: 'u64',
  destAddress: 'word',
  destChain: 'u16',
  tokenOut: 'word',
  amountOutMin: 'u64',
  gasDrop: 'u64',
  feeCancel: 'u64',
  feeRefund: 'u64',
  deadline: 'u64',
  refAddress: 'word',
  feeRateRef: 'u8',
  feeRateMayan: 'u8',
  auctionMode: 'u8',
  randomKey: 'word',
} as const satisfies Layout
export const INIT_ORDER_HEAD = '204c290c27a284db'

/** The decimals of amounts in orders: eight, or the token's own where it has fewer. */
export const orderDecimals = (decimals: number): number => Math.min(8, decimals)

/** One unit of an order in smallest units of the token. */
export const unitOf = (decimals: number): bigint => 10n ** BigInt(decimals - orderDecimals(decimals))

/** `OrderParams` of SwiftStructs.sol in mayan-finance/swap-bridge. Amounts in units of `unitOf`, addresses in words. */
export type SwiftOrder = CallOf<typeof CREATE_ORDER>['order']

/** The chain of the order, and the token that pays it. */
export type Placed = { readonly sourceId: number; readonly tokenIn: Hex }

export const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`
/** An order without a custom payload. */
export const PAYLOAD_TYPE = 1

export const wordOf = (chainId: ChainId, address: Address): Hex =>
  chainId === SOLANA ? `0x${bytesToHex(base58.decode(address))}` : `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** The order of a call of the program on Solana. */
export const orderOfInit = (said: Fields<typeof INIT_ORDER>, trader: Address): SwiftOrder => ({
  payloadType: PAYLOAD_TYPE,
  trader: wordOf(SOLANA, trader),
  destAddr: said.destAddress,
  destChainId: said.destChain,
  referrerAddr: said.refAddress,
  tokenOut: said.tokenOut,
  minAmountOut: said.amountOutMin,
  gasDrop: said.gasDrop,
  cancelFee: said.feeCancel,
  refundFee: said.feeRefund,
  deadline: said.deadline,
  referrerBps: said.feeRateRef,
  auctionMode: said.auctionMode,
  random: said.randomKey,
})

/** A token in an order; zeros for coins. */
export const tokenWord = (asset: Asset): Hex => (isNative(asset) ? ZERO_WORD : wordOf(asset.chainId, asset.address))

/** Null for a word that is no address of the chain. */
export const addressOfWord = (chainId: ChainId, word: Hex): Address | null => {
  if (chainId === SOLANA) return base58.encode(hexToBytes(word.slice(2))) as Address
  return /^0x0{24}/.test(word) ? parseEvmAddress(`0x${word.slice(26).toLowerCase()}`) : null
}

export const bigEndian = (value: bigint | number, bytes: number): Uint8Array =>
  hexToBytes(
    BigInt(value)
      .toString(16)
      .padStart(bytes * 2, '0'),
  )
export const bytesOf = (hex: Hex): Uint8Array => hexToBytes(hex.slice(2))

/**
 * The id of an order of Swift on both chains: `encodeKey` of SwiftSource.sol. It excludes the amount, and includes the protocol's
 * share, which the contract reads for itself when the order is placed.
 */
export const orderHash = (order: SwiftOrder, { sourceId, tokenIn }: Placed, protocolBps: number): Hex =>
  keccakHex(
    `0x${bytesToHex(
      concatBytes(
        bigEndian(order.payloadType, 1),
        bytesOf(order.trader),
        bigEndian(sourceId, 2),
        bytesOf(tokenIn),
        bytesOf(order.destAddr),
        bigEndian(order.destChainId, 2),
        bytesOf(order.tokenOut),
        ...[order.minAmountOut, order.gasDrop, order.cancelFee, order.refundFee, order.deadline].map((sum) => bigEndian(sum, 8)),
        bytesOf(order.referrerAddr),
        ...[order.referrerBps, protocolBps, order.auctionMode].map((byte) => bigEndian(byte, 1)),
        bytesOf(order.random),
        bytesOf(ZERO_WORD),
      ),
    )}`,
  )

const PROTOCOL_BPS_END = 256

/** All its possible ids, by the share that the contract reads: a byte. */
export const orderHashes = (order: SwiftOrder, placed: Placed): ReadonlySet<string> =>
  new Set(Array.from({ length: PROTOCOL_BPS_END }, (_, protocolBps) => orderHash(order, placed, protocolBps)))
