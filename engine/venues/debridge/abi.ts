import { parseAbi } from 'abitype'

/** IDlnSource.sol and DlnOrderLib.sol of debridge-finance/dln-contracts. */
const ORDER_CREATION =
  'struct OrderCreation { address giveTokenAddress; uint256 giveAmount; bytes takeTokenAddress; uint256 takeAmount; uint256 takeChainId; bytes receiverDst; address givePatchAuthoritySrc; bytes orderAuthorityAddressDst; bytes allowedTakerDst; bytes externalCall; bytes allowedCancelBeneficiarySrc; }'
const ORDER =
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

/** DlnSource.sol, values that its owner can change. */
export const FIXED_FEE = parseAbi(['function globalFixedNativeFee() view returns (uint88)'])
export const TRANSFER_FEE = parseAbi(['function globalTransferFeeBps() view returns (uint16)'])
export const DESTINATION_OF = parseAbi(['function dlnDestinationAddresses(uint256 chainId) view returns (bytes)'])
