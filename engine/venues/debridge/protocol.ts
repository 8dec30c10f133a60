import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { parseAbi } from 'abitype'
import type { EventOf } from '../../chains/evm/abiFields.ts'
import { keccakHex } from '../../chains/evm/evmCodec.ts'
import { hexOf } from '../../chains/solana/borsh.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import { type Address, addressOf, parseEvmAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, isNative, nativeAsset } from '../../core/asset.ts'
import { CHAIN_IDS, type ChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'

/** One address on every EVM chain: dln-details/overview/deployed-contracts of docs.debridge.com. */
export const DLN_SOURCE = addressOf('evm', '0xeF4fB24aD0916217251F553c0596F8Edc630EB66')
export const DLN_DESTINATION = addressOf('evm', '0xE7351Fd770A37282b91D153Ee690B63579D6dd7f')
/** Swaps an input that is no liquidity token before it makes the order. */
export const FORWARDER = addressOf('evm', '0x663DC15D3C1aC63ff12E45Ab68FeA3F0a883C251')
export const SOLANA_SOURCE = addressOf('solana', 'src5qyZHqTqecJV4aY6Cb6zDZLMDzrDKKezs22MPHr4')
export const SOLANA_DESTINATION = addressOf('solana', 'dst5MGcFPoBeREFAA5E3tU5ij8m5uVYwkzkSAbsLbNo')

/** deBridge's own solver, which market orders name since 2025: that of recorded answers, and on Solana of integrators. */
export const SOLVER = {
  evm: addressOf('evm', '0x555ce236c0220695b68341bc48c68d52210cc35b'),
  solana: addressOf('solana', '2snHHreXbpJ7UwZxPe37gnUNf7Wx7wv6UKDSR2JckKuS'),
}

const coins = (thousandths: bigint): bigint => thousandths * 10n ** 15n

/**
 * deBridge's own numbers, the only ones that it accepts, and fees besides the input, in smallest units of the native coin: fees and
 * supported chains of docs.debridge.com. Our other chains are not in its list.
 */
export const SERVED: { readonly [chainId in ChainId]?: { readonly wireId: number; readonly fee: bigint } } = {
  1: { wireId: 1, fee: coins(1n) },
  10: { wireId: 10, fee: coins(1n) },
  56: { wireId: 56, fee: coins(5n) },
  137: { wireId: 137, fee: coins(500n) },
  143: { wireId: 100000030, fee: coins(2_000n) },
  999: { wireId: 100000022, fee: coins(50n) },
  8453: { wireId: 8453, fee: coins(1n) },
  42161: { wireId: 42161, fee: coins(1n) },
  43114: { wireId: 43114, fee: coins(50n) },
  59144: { wireId: 59144, fee: coins(1n) },
  [SOLANA]: { wireId: 7565164, fee: 15_000_000n },
}

export const isServed = (chainId: ChainId): boolean => SERVED[chainId] !== undefined

export const toWireChain = (chainId: ChainId): number => SERVED[chainId]?.wireId ?? 0

/** Null for the number of a chain that is not served. */
export const fromWireChain = (wire: bigint): ChainId | null =>
  CHAIN_IDS.find((chainId) => isServed(chainId) && BigInt(toWireChain(chainId)) === wire) ?? null

/** The protocol's share of the input: `globalTransferFeeBps` as published. The hash of an order uses the amount net of it. */
export const PROTOCOL_FEE_BPS = 4

/** An asset in deBridge's notation. Our mint for native SOL is wrapped SOL there, and is never sent. */
export const toWireToken = (asset: Asset): string => {
  if (!isNative(asset)) return asset.address
  return asset.chainId === SOLANA ? SYSTEM_PROGRAM : ZERO_EVM_ADDRESS
}

/** An address as 20 or 32 bytes, in lower case. */
export const bytesOf = (chainId: ChainId, address: string): Hex =>
  chainId === SOLANA ? hexOf(base58.decode(address)) : (address.toLowerCase() as Hex)

/** The address of these bytes on a chain; null when invalid. */
export const addressOfBytes = (chainId: ChainId, bytes: Hex): Address | null => {
  if (isEvmChainId(chainId)) return parseEvmAddress(bytes.toLowerCase())
  const isKey = chainId === SOLANA && bytes.length === 66
  return isKey ? (base58.encode(Buffer.from(bytes.slice(2), 'hex')) as Address) : null
}

/** The asset of these bytes on a chain: zero is the coin. Null also for wrapped SOL, which the service does not support. */
export const assetOfBytes = (chainId: ChainId, bytes: Hex): Asset | null => {
  const address = addressOfBytes(chainId, bytes)
  if (address === null) return null
  if (/^0x0+$/.test(bytes)) return nativeAsset(chainId)
  return isNative({ chainId, address }) ? null : { chainId, address }
}

/** IDlnSource.sol and DlnOrderLib.sol of debridge-finance/dln-contracts. */
const ORDER_CREATION =
  'struct OrderCreation { address giveTokenAddress; uint256 giveAmount; bytes takeTokenAddress; uint256 takeAmount; uint256 takeChainId; bytes receiverDst; address givePatchAuthoritySrc; bytes orderAuthorityAddressDst; bytes allowedTakerDst; bytes externalCall; bytes allowedCancelBeneficiarySrc; }'
export const ORDER =
  'struct Order { uint64 makerOrderNonce; bytes makerSrc; uint256 giveChainId; bytes giveTokenAddress; uint256 giveAmount; uint256 takeChainId; bytes takeTokenAddress; uint256 takeAmount; bytes receiverDst; bytes givePatchAuthoritySrc; bytes orderAuthorityAddressDst; bytes allowedTakerDst; bytes allowedCancelBeneficiarySrc; bytes externalCall; }'

/** The only function of it in live answers. */
export const CREATE_SALTED_ORDER = parseAbi([
  ORDER_CREATION,
  'function createSaltedOrder(OrderCreation orderCreation, uint64 salt, bytes affiliateFee, uint32 referralCode, bytes permitEnvelope, bytes metadata) payable returns (bytes32)',
])

/** CrosschainForwarder.sol of debridge-finance: it swaps, enforces the least amount, and calls `target` with that. */
export const SWAP_AND_CALL = parseAbi([
  'function strictlySwapAndCall(address srcTokenIn, uint256 srcAmountIn, bytes srcTokenInPermitEnvelope, address srcSwapRouter, bytes srcSwapCalldata, address srcTokenOut, uint256 srcTokenExpectedAmountOut, address srcTokenRefundRecipient, address target, bytes targetData) payable',
])

/** DlnSource.sol, without indexed fields. */
export const CREATED_ORDER = parseAbi([
  ORDER,
  'event CreatedOrder(Order order, bytes32 orderId, bytes affiliateFee, uint256 nativeFixFee, uint256 percentFee, uint32 referralCode, bytes metadata)',
])
export const CLAIMED_CANCEL = parseAbi([
  'event ClaimedOrderCancel(bytes32 orderId, address beneficiary, uint256 paidAmount, address giveTokenAddress)',
])

/** DlnDestination.sol, likewise. */
export const FULFILLED_ORDER = parseAbi([
  ORDER,
  'event FulfilledOrder(Order order, bytes32 orderId, address sender, address unlockAuthority)',
])

/** An order as the contracts of either chain have it. Addresses are bytes; `0x` is an absent one. */
export type Order = EventOf<typeof FULFILLED_ORDER>['order']

const uint = (value: bigint, bytes: number): string => value.toString(16).padStart(bytes * 2, '0')
const sized = (bytes: Hex): string => uint(BigInt((bytes.length - 2) / 2), 1) + bytes.slice(2)
const PARTIES = ['receiverDst', 'givePatchAuthoritySrc', 'orderAuthorityAddressDst', 'allowedTakerDst'] as const

/** The id of an order without an external call. DlnOrderLib.sol of debridge-finance/dln-contracts, `encodeOrder`. */
export const idOfOrder = (order: Order): Hex => {
  const give = [uint(order.giveChainId, 32), sized(order.giveTokenAddress), uint(order.giveAmount, 32)]
  const take = [uint(order.takeChainId, 32), sized(order.takeTokenAddress), uint(order.takeAmount, 32)]
  const parties = [...PARTIES.map((party) => sized(order[party])), sized(order.allowedCancelBeneficiarySrc)]
  const packed = [uint(order.makerOrderNonce, 8), sized(order.makerSrc), ...give, ...take, ...parties, '00']
  return keccakHex(`0x${packed.join('').toLowerCase()}`)
}

/** Of dln_src 3.0: the interface in public indexers, which recorded orders match. Null: an absent option. */
export const SOLANA_CREATE = 'create_order_with_nonce'
export const SOLANA_ORDER = {
  giveAmount: 'u64',
  takeChainId: 'bigWord',
  takeToken: 'bytes',
  takeAmount: 'bigWord',
  receiver: 'bytes',
  externalCall: ['maybe', 'bytes'],
  givePatchAuthority: 'word',
  cancelBeneficiary: ['maybe', 'word'],
  orderAuthority: 'bytes',
  allowedTaker: ['maybe', 'bytes'],
  affiliate: ['maybe', { beneficiary: 'word', amount: 'u64' }],
  referralCode: ['maybe', 'u32'],
  nonce: 'u64',
  metadata: 'bytes',
} as const

/** Positions among the accounts of the call. */
export const [MAKER, MINT] = [0, 2]

const wordBytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replace(/^0x/, '').padStart(64, '0'), 'hex'))

type SolanaCall = { readonly maker: Address; readonly mint: Address; readonly orderId: Hex; readonly takeChainId: bigint }

/** All accounts of the call, none of which its writer may choose: `DlnSrc` of @debridge-finance/solana-utils 4.5.2. */
export const solanaAccounts = (program: Address, { maker, mint, orderId, takeChainId }: SolanaCall): readonly Address[] => {
  const pda = (seed: string, ...more: readonly Uint8Array[]) => solanaProgramAddress(program, [utf8ToBytes(seed), ...more])
  return [
    ...[maker, pda('STATE'), mint, pda('GIVE_ORDER_STATE', wordBytes(orderId))],
    ...[pda('AUTHORIZED_NATIVE_SENDER', wordBytes(takeChainId.toString(16))), associatedTokenAddress(maker, mint)],
    ...[pda('GIVE_ORDER_WALLET', wordBytes(orderId)), pda('NONCE', base58.decode(maker))],
    ...[pda('FEE_LEDGER_WALLET', base58.decode(mint)), SYSTEM_PROGRAM, TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM],
  ]
}

/** DlnSource.sol, values that its owner can change. */
export const FIXED_FEE = parseAbi(['function globalFixedNativeFee() view returns (uint88)'])
export const TRANSFER_FEE = parseAbi(['function globalTransferFeeBps() view returns (uint16)'])
export const DESTINATION_OF = parseAbi(['function dlnDestinationAddresses(uint256 chainId) view returns (bytes)'])
