import { parseAbi, parseAbiParameters } from 'viem'

/** contracts/interfaces of across-protocol/contracts: written down for the tests, apart from what the adapter reads by. */

const TIMES = 'bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message'

/** What a wallet calls. */
export const DEPOSITS = parseAbi([
  'struct Fees { uint256 amount; address recipient; }',
  'struct DepositData { address inputToken; bytes32 outputToken; uint256 outputAmount; address depositor; bytes32 recipient; uint256 destinationChainId; bytes32 exclusiveRelayer; uint32 quoteTimestamp; uint32 fillDeadline; uint32 exclusivityParameter; bytes message; }',
  'struct SwapData { Fees submissionFees; DepositData depositData; address swapToken; address exchange; uint8 transferType; uint256 swapTokenAmount; uint256 minExpectedInputTokenAmount; bytes routerCalldata; bool enableProportionalAdjustment; address spokePool; uint256 nonce; }',
  `function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, ${TIMES})`,
  `function depositNative(address spokePool, address depositor, bytes32 recipient, address inputToken, uint256 inputAmount, bytes32 outputToken, uint256 outputAmount, uint256 destinationChainId, ${TIMES})`,
  'function swapAndBridge(SwapData swap)',
])

/** The same by the names they had before. */
export const OLD_DEPOSITS = parseAbi([
  'function depositNative(address, bytes32, address, uint256, bytes32, uint256, uint256, bytes32, uint32, uint32, uint32, bytes)',
  'function depositV3(address, address, address, address, uint256, uint256, uint256, address, uint32, uint32, uint32, bytes)',
])

export const EVENTS = parseAbi([
  'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
  'event SwapBeforeBridge(address exchange, bytes exchangeCalldata, address indexed swapToken, address indexed acrossInputToken, uint256 swapTokenAmount, uint256 acrossInputAmount, bytes32 indexed acrossOutputToken, uint256 acrossOutputAmount)',
])

/** What a message has its handler call. */
export const ACTIONS = parseAbi([
  'struct Replacement { address token; uint256 offset; }',
  'function drainLeftoverTokens(address token, address destination)',
  'function makeCallWithBalance(address target, bytes callData, uint256 value, Replacement[] replacement)',
  'function transfer(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function withdraw(uint256 wad)',
  'function emitData(bytes data)',
])

/** A message. */
export const INSTRUCTIONS = parseAbiParameters([
  'Instructions instructions',
  'struct Instructions { Call[] calls; address fallbackRecipient; }',
  'struct Call { address target; bytes callData; uint256 value; }',
])
