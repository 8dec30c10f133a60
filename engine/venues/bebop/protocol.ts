import { parseAbi } from 'abitype'
import type { CallOf } from '../../chains/evm/abiFields.ts'
import { hashStruct, keccakHex } from '../../chains/evm/evmCodec.ts'
import { typedFields, typedKind } from '../../chains/evm/typedKind.ts'
import { type Address, addressOf } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex, TypedData } from '../../core/execution.ts'

/* Facts of the protocol, for the simulator and the tests as well. Recorded calls and digests verify them: `vectors.json` of the tests. */

/** One-to-one swaps that a wallet sends itself: contracts/BebopRouter.sol of bebop-dex/bebop-rfqa */
export const ROUTER = addressOf('evm', '0xBeb0009ACa35087ce7cCF11637E24dd1Aad3bf2A')
/** Makers' orders that a wallet sends itself. https://docs.bebop.xyz */
export const SETTLEMENT = addressOf('evm', '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F')
/** Orders that are signed, and the contract allowed to take their input: src/ of bebop-dex/bebop-jam-contracts */
export const JAM_SETTLEMENT = addressOf('evm', '0xbeb0b0623f66bE8cE162EbDfA2ec543A522F4ea6')
export const BALANCE_MANAGER = addressOf('evm', '0xC5a350853E4e36b73EB0C24aaA4b8816C9A3579a')

/** The API's name of each chain: https://api.bebop.xyz/pmm/chains */
export const PATHS: { readonly [chainId in ChainId]?: string } = {
  ...{ 1: 'ethereum', 10: 'optimism', 56: 'bsc', 137: 'polygon', 999: 'hyperevm' },
  ...{ 8453: 'base', 42161: 'arbitrum', 43114: 'avalanche' },
}

/** BebopSettlement.sol: orders of one maker, and of several. */
export const SINGLE_ABI = parseAbi([
  'struct Single { uint256 expiry; address taker_address; address maker_address; uint256 maker_nonce; address taker_token; address maker_token; uint256 taker_amount; uint256 maker_amount; address receiver; uint256 packed_commands; uint256 flags; }',
  'struct MakerSignature { bytes signatureBytes; uint256 flags; }',
  'function swapSingle(Single order, MakerSignature makerSignature, uint256 filledTakerAmount) payable',
])
export const AGGREGATE_ABI = parseAbi([
  'struct Aggregate { uint256 expiry; address taker_address; address[] maker_addresses; uint256[] maker_nonces; address[][] taker_tokens; address[][] maker_tokens; uint256[][] taker_amounts; uint256[][] maker_amounts; address receiver; bytes commands; uint256 flags; }',
  'struct MakerSignature { bytes signatureBytes; uint256 flags; }',
  'function swapAggregate(Aggregate order, MakerSignature[] makersSignatures, uint256 filledTakerAmount) payable',
])

/** contracts/BebopRouter.sol and contracts/libraries/ of bebop-dex/bebop-rfqa */
export const ROUTER_ABI = parseAbi([
  'struct RouterOrder { uint256 fromAmount; uint256 toAmount; int256 limitAmount; address fromToken; address toToken; address pmmFromToken; address pmmToToken; address tokensOwner; address receiver; address originAddress; address oracle; address checker; uint256 info; uint256 routerNonce; uint256 unsignedFlags; }',
  'struct Hook { address targetContract; bytes data; bytes hookSignature; uint256 flags; }',
  'function swap(int256 exactAmount, RouterOrder order, bytes extraInfo, bytes routerSignature, bytes bebopPmmCalldata, Hook[] hooks) payable',
])

/** src/interface/IBebopSettlement.sol: the id of an order of makers, the upper half of its flags. */
export const BEBOP_ORDER = parseAbi(['event BebopOrder(uint128 indexed eventId)'])

export const ROUTER_SWAP = parseAbi([
  'event BebopRouterSwap(uint128 indexed eventId, uint256 indexed routerNonce, address indexed receiver, address fromToken, address toToken, uint256 fromAmount, uint256 toAmount, uint256 feeValue, uint256 slippageValue, uint256 unsignedFlags)',
])

/** src/interfaces/IJamSettlement.sol and src/libraries/JamOrder.sol of bebop-dex/bebop-jam-contracts */
export const JAM_FILLED = parseAbi([
  'event BebopJamOrderFilled(uint256 indexed nonce, address indexed user, address[] sellTokens, address[] buyTokens, uint256[] sellAmounts, uint256[] buyAmounts)',
])
export const JAM_SETTLE = parseAbi([
  'struct JamOrder { address taker; address receiver; uint256 expiry; uint256 exclusivityDeadline; uint256 nonce; address executor; uint256 partnerInfo; address[] sellTokens; address[] buyTokens; uint256[] sellAmounts; uint256[] buyAmounts; bool usingPermit2; }',
  'struct Interaction { bool result; address to; uint256 value; bytes data; }',
  'function settle(JamOrder order, bytes signature, Interaction[] interactions, bytes hooksData, address balanceRecipient) payable',
])

export const NONCE_VALID = parseAbi(['function isNonceValid(address owner, uint256 nonce) view returns (bool)'])

export type SingleOrder = CallOf<typeof SINGLE_ABI>['order']
export type AggregateOrder = CallOf<typeof AGGREGATE_ABI>['order']
export type RouterOrder = CallOf<typeof ROUTER_ABI>['order']
export type RouterHook = CallOf<typeof ROUTER_ABI>['hooks'][number]

/** JamOrderLib.ORDER_TYPE: src/libraries/JamOrder.sol of bebop-dex/bebop-jam-contracts */
export const JAM = typedKind('JamOrder', 'string name, string version, uint256 chainId, address verifyingContract', {
  JamOrder:
    'address taker, address receiver, uint256 expiry, uint256 exclusivityDeadline, uint256 nonce, address executor, uint256 partnerInfo, address[] sellTokens, address[] buyTokens, uint256[] sellAmounts, uint256[] buyAmounts, bytes32 hooksHash',
})
export const JAM_DOMAIN = { name: 'JamSettlement', version: '2' } as const

/** An order of JAM, in its signed form: numbers as digits. */
export const jamTypedData = (
  chainId: ChainId,
  message: TypedData['message'],
  verifyingContract: Address = JAM_SETTLEMENT,
): TypedData => ({
  domain: { ...JAM_DOMAIN, chainId, verifyingContract },
  types: JAM.types,
  primaryType: JAM.primaryType,
  message,
})

/** BebopRouterOrderLib.ORDER_TYPE: contracts/libraries/BebopRouterOrderLib.sol of bebop-dex/bebop-rfqa */
const ORDER_TYPES = {
  BebopRouterOrder: typedFields(
    'uint256 fromAmount, uint256 toAmount, int256 limitAmount, address fromToken, address toToken, address pmmFromToken, address pmmToToken, address tokensOwner, address receiver, address originAddress, address oracle, address checker, uint256 info, uint256 routerNonce, bytes32 extraInfoHash, bytes32 hooksHash',
  ),
}
/** HookLib.HOOK_SIGN_TYPE_HASH. */
const HOOK_TYPES = { BebopHook: typedFields('address targetContract, bytes32 dataHash, uint256 makerNonce, uint256 flags') }

export const NO_HOOKS: Hex = `0x${'0'.repeat(64)}`

/** HookLib.hooksHash, for hooks without a maker. */
const hashHooks = async (hooks: readonly RouterHook[]): Promise<Hex> => {
  if (hooks.length === 0) return NO_HOOKS
  const hashes = await Promise.all(
    hooks.map(({ targetContract, data, flags }) =>
      hashStruct(HOOK_TYPES, 'BebopHook', { targetContract, dataHash: keccakHex(data), makerNonce: 0n, flags }),
    ),
  )
  return keccakHex(`0x${hashes.map((hash) => hash.slice(2)).join('')}`)
}

/** Numbers as digits, as a wallet is given them. */
export const digits = (fields: { readonly [name: string]: unknown }): TypedData['message'] =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]),
  ) as TypedData['message']

/** `router` absent: the published one. */
export type RouterParts = { readonly extraInfo: Hex; readonly hooks: readonly RouterHook[]; readonly router?: Address }

/** The data that the router's signer signs: the order without its unsigned flags. It contains the other parts as hashes. */
export const routerTypedData = async (
  chainId: ChainId,
  order: RouterOrder,
  { extraInfo, hooks, router = ROUTER }: RouterParts,
): Promise<TypedData> => {
  const { unsignedFlags: _unsigned, ...signed } = order
  return {
    domain: { name: 'BebopRouter', version: '1', chainId, verifyingContract: router },
    types: ORDER_TYPES,
    primaryType: 'BebopRouterOrder',
    message: { ...digits(signed), extraInfoHash: keccakHex(extraInfo), hooksHash: await hashHooks(hooks) },
  }
}
