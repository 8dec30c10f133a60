import { type Abi, parseAbi, parseAbiParameters } from 'abitype'
import { type CallOf, namedArguments } from '../../chains/evm/abiFields.ts'
import { readLeadingCall } from '../../chains/evm/exactCall.ts'
import type { Hex } from '../../core/execution.ts'

const TIMES = 'uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message'
const SUMS = 'uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId'
const NATIVE_SUMS =
  'address inputToken, uint256 inputAmount, bytes32 outputToken, uint256 outputAmount, uint256 destinationChainId'

/** SpokePool.sol */
export const DEPOSIT = parseAbi([
  `function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, ${SUMS}, bytes32 exclusiveRelayer, ${TIMES})`,
])
export const DEPOSIT_V3 = parseAbi([
  `function depositV3(address depositor, address recipient, address inputToken, address outputToken, ${SUMS}, address exclusiveRelayer, ${TIMES})`,
])

/** SpokePoolPeriphery.sol until early 2026: the calling wallet is the depositor. */
export const DEPOSIT_NATIVE_OF_CALLER = parseAbi([
  `function depositNative(address spokePool, bytes32 recipient, ${NATIVE_SUMS}, bytes32 exclusiveRelayer, ${TIMES})`,
])
export const DEPOSIT_NATIVE = parseAbi([
  `function depositNative(address spokePool, address depositor, bytes32 recipient, ${NATIVE_SUMS}, bytes32 exclusiveRelayer, ${TIMES})`,
])

export const SWAP_AND_BRIDGE = parseAbi([
  'struct Fees { uint256 amount; address recipient; }',
  'struct BaseDeposit { address inputToken; bytes32 outputToken; uint256 outputAmount; address depositor; bytes32 recipient; uint256 destinationChainId; bytes32 exclusiveRelayer; uint32 quoteTimestamp; uint32 fillDeadline; uint32 exclusivityParameter; bytes message; }',
  'struct SwapAndDeposit { Fees submissionFees; BaseDeposit depositData; address swapToken; address exchange; uint8 transferType; uint256 swapTokenAmount; uint256 minExpectedInputTokenAmount; bytes routerCalldata; bool enableProportionalAdjustment; address spokePool; uint256 nonce; }',
  'function swapAndBridge(SwapAndDeposit swapAndDepositData)',
])

/** MulticallHandler.sol: `Instructions`, the message of a deposit to it. */
export const INSTRUCTIONS = parseAbiParameters([
  'Instructions instructions',
  'struct Call { address target; bytes callData; uint256 value; }',
  'struct Instructions { Call[] calls; address fallbackRecipient; }',
])

export const DRAIN_LEFTOVER_TOKENS = parseAbi(['function drainLeftoverTokens(address token, address destination)'])
export const MAKE_CALL_WITH_BALANCE = parseAbi([
  'struct Replacement { address token; uint256 offset; }',
  'function makeCallWithBalance(address target, bytes callData, uint256 value, Replacement[] replacement)',
])
export const WITHDRAW = parseAbi(['function withdraw(uint256 wad)'])
export const TRANSFER = parseAbi(['function transfer(address to, uint256 value)'])
export const EMIT_DATA = parseAbi(['function emitData(bytes data)'])

/** SpokePoolPeripheryInterface.sol */
export const SWAP_BEFORE_BRIDGE = parseAbi([
  'event SwapBeforeBridge(address exchange, bytes exchangeCalldata, address indexed swapToken, address indexed acrossInputToken, uint256 swapTokenAmount, uint256 acrossInputAmount, bytes32 indexed acrossOutputToken, uint256 acrossOutputAmount)',
])

/** MulticallHandler.sol */
export const DRAINED_TOKENS = parseAbi([
  'event DrainedTokens(address indexed recipient, address indexed token, uint256 indexed amount)',
])
export const CALLS_FAILED = parseAbi([
  'struct Call { address target; bytes callData; uint256 value; }',
  'event CallsFailed(Call[] calls, address indexed fallbackRecipient)',
])

/** WETH9, like most wrapped coins. Those of Arbitrum and ZKsync emit only a Transfer from the zero address. */
export const WRAPPED = parseAbi(['event Deposit(address indexed to, uint256 value)'])

/** The integrator tag and the API's own marker, the only bytes that may follow a deposit's arguments. */
const TAGS = /^(?:1dc0de[0-9a-f]{4})?(?:73c0de)?$/

/** Arguments of a call with only Across's tags after them; null for another call, or one not in canonical form. */
export const readTaggedCall = async <const A extends Abi>(abi: A, data: Hex): Promise<CallOf<A> | null> => {
  const call = await readLeadingCall(abi, data)
  return call && TAGS.test(call.rest) ? namedArguments(abi, call.args) : null
}
