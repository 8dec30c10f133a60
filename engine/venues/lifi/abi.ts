import { parseAbi } from 'abitype'

/** lifinance/contracts, commit ef00558f: LibSwap.sol, ILiFi.sol and the facets. */
const SWAP_DATA =
  'struct SwapData { address callTo; address approveTo; address sendingAssetId; address receivingAssetId; uint256 fromAmount; bytes callData; bool requiresDeposit; }'
const BRIDGE_DATA =
  'struct BridgeData { bytes32 transactionId; string bridge; string integrator; address referrer; address sendingAssetId; address receiver; uint256 minAmount; uint256 destinationChainId; bool hasSourceSwaps; bool hasDestinationCall; }'
const ACROSS_DATA =
  'struct AcrossV4Data { bytes32 receiverAddress; bytes32 refundAddress; bytes32 sendingAssetId; bytes32 receivingAssetId; uint256 outputAmount; uint128 outputAmountMultiplier; bytes32 exclusiveRelayer; uint32 quoteTimestamp; uint32 fillDeadline; uint32 exclusivityParameter; bytes message; }'
const CCTP_DATA =
  'struct PolymerCCTPData { uint256 polymerTokenFee; uint256 maxCCTPFee; bytes32 nonEVMReceiver; bytes32 solanaReceiverATA; uint32 minFinalityThreshold; address refundRecipient; bytes hookData; }'
const INTENT_DATA =
  'struct LiFiIntentEscrowDataV2 { bytes32 dstCallReceiver; bytes32 recipient; address depositAndRefundAddress; uint256 nonce; uint32 expires; uint32 fillDeadline; address inputOracle; bytes32 outputOracle; bytes32 outputSettler; bytes32 outputToken; uint128 outputAmountMultiplier; SwapData[] dstCallSwapData; bytes outputContext; }'

const HEAD = 'bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut'

export const SINGLE = {
  tokensToTokens: parseAbi([SWAP_DATA, `function swapTokensSingleV3ERC20ToERC20(${HEAD}, SwapData swapData)`]),
  tokensToCoins: parseAbi([SWAP_DATA, `function swapTokensSingleV3ERC20ToNative(${HEAD}, SwapData swapData)`]),
  coinsToTokens: parseAbi([SWAP_DATA, `function swapTokensSingleV3NativeToERC20(${HEAD}, SwapData swapData)`]),
} as const

export const MULTIPLE = {
  tokensToTokens: parseAbi([SWAP_DATA, `function swapTokensMultipleV3ERC20ToERC20(${HEAD}, SwapData[] swapData)`]),
  tokensToCoins: parseAbi([SWAP_DATA, `function swapTokensMultipleV3ERC20ToNative(${HEAD}, SwapData[] swapData)`]),
  coinsToTokens: parseAbi([SWAP_DATA, `function swapTokensMultipleV3NativeToERC20(${HEAD}, SwapData[] swapData)`]),
} as const

export const START_ACROSS = parseAbi([
  BRIDGE_DATA,
  ACROSS_DATA,
  'function startBridgeTokensViaAcrossV4(BridgeData bridgeData, AcrossV4Data data)',
])
export const SWAP_AND_START_ACROSS = parseAbi([
  BRIDGE_DATA,
  SWAP_DATA,
  ACROSS_DATA,
  'function swapAndStartBridgeTokensViaAcrossV4(BridgeData bridgeData, SwapData[] swapData, AcrossV4Data data)',
])
export const START_CCTP = parseAbi([
  BRIDGE_DATA,
  CCTP_DATA,
  'function startBridgeTokensViaPolymerCCTP(BridgeData bridgeData, PolymerCCTPData data)',
])
export const SWAP_AND_START_CCTP = parseAbi([
  BRIDGE_DATA,
  SWAP_DATA,
  CCTP_DATA,
  'function swapAndStartBridgeTokensViaPolymerCCTP(BridgeData bridgeData, SwapData[] swapData, PolymerCCTPData data)',
])
export const START_INTENT = parseAbi([
  BRIDGE_DATA,
  SWAP_DATA,
  INTENT_DATA,
  'function startBridgeTokensViaLiFiIntentEscrowV2(BridgeData bridgeData, LiFiIntentEscrowDataV2 data)',
])
export const SWAP_AND_START_INTENT = parseAbi([
  BRIDGE_DATA,
  SWAP_DATA,
  INTENT_DATA,
  'function swapAndStartBridgeTokensViaLiFiIntentEscrowV2(BridgeData bridgeData, SwapData[] swapData, LiFiIntentEscrowDataV2 data)',
])

/** openintentsframework/oif-contracts, commit 5323b1bf: InputSettlerEscrow.sol and OutputSettlerBase.sol. */
const MANDATE_OUTPUT =
  'struct MandateOutput { bytes32 oracle; bytes32 settler; uint256 chainId; bytes32 token; uint256 amount; bytes32 recipient; bytes callbackData; bytes context; }'
export const OPEN = parseAbi([
  MANDATE_OUTPUT,
  'struct StandardOrder { address user; uint256 nonce; uint256 originChainId; uint32 expires; uint32 fillDeadline; address inputOracle; uint256[2][] inputs; MandateOutput[] outputs; }',
  'event Open(bytes32 indexed orderId, StandardOrder order)',
])
export const OUTPUT_FILLED = parseAbi([
  MANDATE_OUTPUT,
  'event OutputFilled(bytes32 indexed orderId, bytes32 solver, uint32 timestamp, MandateOutput output, uint256 finalAmount)',
])
export const REFUNDED = parseAbi(['event Refunded(bytes32 indexed orderId)'])

/** PeripheryRegistryFacet.sol and LiFiIntentEscrowFacetV2.sol: views of the diamond. */
export const PERIPHERY = parseAbi(['function getPeripheryContract(string name) view returns (address)'])
export const INTENT_SETTLER = parseAbi(['function LIFI_INTENT_ESCROW_SETTLER_V2() view returns (address)'])

/** FeeForwarder.sol */
export const FORWARD_TOKENS = parseAbi([
  'struct Share { address recipient; uint256 amount; }',
  'function forwardERC20Fees(address token, Share[] shares)',
])
export const FORWARD_COINS = parseAbi([
  'struct Share { address recipient; uint256 amount; }',
  'function forwardNativeFees(Share[] shares)',
])

/** FeeCollector.sol */
export const COLLECT_TOKENS = parseAbi([
  'function collectTokenFees(address token, uint256 integratorFee, uint256 serviceFee, address integrator)',
])
export const COLLECT_COINS = parseAbi([
  'function collectNativeFees(uint256 integratorFee, uint256 serviceFee, address integrator)',
])

export const TRANSFER_STARTED = parseAbi([BRIDGE_DATA, 'event LiFiTransferStarted(BridgeData bridgeData)'])
export const SWAP_COMPLETED = parseAbi([
  'event LiFiGenericSwapCompleted(bytes32 indexed transactionId, string integrator, string referrer, address receiver, address fromAssetId, address toAssetId, uint256 fromAmount, uint256 toAmount)',
])
