import { parseAbi } from 'abitype'
import type { CallOf } from '../../chains/evm/abiFields.ts'

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
