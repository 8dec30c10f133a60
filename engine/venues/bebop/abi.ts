import { parseAbi } from 'abitype'
import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'

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

/** src/interface/IBebopSettlement.sol: what an order of makers is known by, the upper half of its flags. */
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

/** The arguments of the calls above, as they are read. */
export type SingleOrder = {
  readonly expiry: bigint
  readonly taker_address: Address
  readonly maker_address: Address
  readonly maker_nonce: bigint
  readonly taker_token: Address
  readonly maker_token: Address
  readonly taker_amount: bigint
  readonly maker_amount: bigint
  readonly receiver: Address
  readonly packed_commands: bigint
  readonly flags: bigint
}

export type AggregateOrder = Pick<SingleOrder, 'expiry' | 'taker_address' | 'receiver' | 'flags'> & {
  readonly maker_addresses: readonly Address[]
  readonly maker_nonces: readonly bigint[]
  readonly taker_tokens: readonly (readonly Address[])[]
  readonly maker_tokens: readonly (readonly Address[])[]
  readonly taker_amounts: readonly (readonly bigint[])[]
  readonly maker_amounts: readonly (readonly bigint[])[]
  readonly commands: Hex
}

export type RouterOrder = {
  readonly fromAmount: bigint
  readonly toAmount: bigint
  readonly limitAmount: bigint
  readonly fromToken: Address
  readonly toToken: Address
  readonly pmmFromToken: Address
  readonly pmmToToken: Address
  readonly tokensOwner: Address
  readonly receiver: Address
  readonly originAddress: Address
  readonly oracle: Address
  readonly checker: Address
  readonly info: bigint
  readonly routerNonce: bigint
  readonly unsignedFlags: bigint
}

export type RouterHook = {
  readonly targetContract: Address
  readonly data: Hex
  readonly hookSignature: Hex
  readonly flags: bigint
}
