import { parseAbi, parseAbiParameters } from 'abitype'
import { type Address, addressOf } from '../../core/address.ts'
import type { EvmChainId } from '../../core/chain.ts'

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

const evm = (raw: string): Address => addressOf('evm', raw)

/** Generations of the periphery, each with another interface or code; answers of 2026 use all of them. */
export type Generation = 'february' | 'june' | 'autumn'

/** Across's contracts on one EVM chain beside its SpokePool. */
export type Contracts = {
  readonly peripheries: { readonly [generation in Generation]?: Address }
  /** Runs the calls of a deposit's message on arrival. Null where none is published: no message can be read there. */
  readonly multicallHandler: Address | null
  /** Its `emitData` only logs; null where none is published. */
  readonly eventEmitter: Address | null
}

const USUAL_PERIPHERIES: Contracts['peripheries'] = {
  february: evm('0x89415a82d909a7238d69094C3Dd1dCC1aCbDa85C'),
  june: evm('0x10D8b8DaA26d307489803e10477De69C0492B610'),
  autumn: evm('0x97CCDBea4632140639aD5eA9b944aa034eb15fD4'),
}
const USUAL_HANDLER = evm('0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E')
const USUAL_EMITTER = evm('0xBF75133b48b0a42AB9374027902E83C5E2949034')

const USUAL: Contracts = { peripheries: USUAL_PERIPHERIES, multicallHandler: USUAL_HANDLER, eventEmitter: USUAL_EMITTER }

/**
 * By chain. Handlers and the newest periphery: across-protocol/contracts 5.0.27 of 2026-09-18,
 * broadcast/deployed-addresses.json. Event emitters but Avalanche's: api/_event-emitter.ts of across-protocol/frontend.
 */
export const CONTRACTS = {
  1: USUAL,
  10: USUAL,
  56: USUAL,
  130: USUAL,
  137: USUAL,
  143: {
    ...USUAL,
    peripheries: { ...USUAL_PERIPHERIES, february: evm('0xe9b0666DFfC176Df6686726CB9aaC78fD83D20d7') },
    multicallHandler: evm('0xeC41F75c686e376Ab2a4F18bde263ab5822c4511'),
  },
  324: {
    peripheries: {
      february: evm('0x672b9ba0CE73b69b5F940362F0ee36AAA3F02986'),
      june: evm('0x5a148a9260c1f670429361c34d40b477280F01a9'),
      autumn: evm('0x7C99cED6d8011AF8A52488884F7BA2c61b0FA57D'),
    },
    multicallHandler: evm('0x68d3806E57148D6c6793C78EbDDbc272fE605dbf'),
    eventEmitter: evm('0x74a2966e23B61A360b1345eA359127aF325beC4C'),
  },
  480: USUAL,
  999: {
    ...USUAL,
    peripheries: { ...USUAL_PERIPHERIES, february: evm('0xF1BF00D947267Da5cC63f8c8A60568c59FA31bCb') },
    multicallHandler: evm('0x5E7840E06fAcCb6d1c3b5F5E0d1d3d07F2829bba'),
  },
  4663: {
    peripheries: { autumn: evm('0x97CCDBea4632140639aD5eA9b944aa034eb15fD4') },
    multicallHandler: null,
    eventEmitter: null,
  },
  8453: USUAL,
  42161: USUAL,
  43114: {
    peripheries: { autumn: evm('0x97CCDBea4632140639aD5eA9b944aa034eb15fD4') },
    multicallHandler: evm('0x9610954AcDCA5FF7905f051A040ce33fe613c60e'),
    eventEmitter: evm('0x25b15Fc38d6A2C13FEDdD9cb51f184F7Cf0D4C11'),
  },
  59144: {
    ...USUAL,
    peripheries: { ...USUAL_PERIPHERIES, february: evm('0xE0BCff426509723B18D6b2f0D8F4602d143bE3e0') },
    multicallHandler: evm('0xdF1C940487574EEfa79989a79a4936A0F979cDa2'),
  },
} as const satisfies { readonly [chainId in EvmChainId]?: Contracts }

export const SVM_SPOKE = addressOf('solana', 'DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru')

/** Across's own number for Solana; EVM chains use their chain id. */
export const WIRE_SOLANA = 34268394551451

/**
 * The call and the events of programs/svm-spoke: dist/src/svm/assets/idl/svm_spoke.json in @across-protocol/contracts. The names
 * are those of the same fields in SpokePool.sol.
 */

export const SVM_DEPOSIT = {
  depositor: 'word',
  recipient: 'word',
  inputToken: 'word',
  outputToken: 'word',
  inputAmount: 'u64',
  outputAmount: 'bigWord',
  destinationChainId: 'u64',
  exclusiveRelayer: 'word',
  quoteTimestamp: 'u32',
  fillDeadline: 'u32',
  exclusivityParameter: 'u32',
  message: 'bytes',
} as const

export const SVM_FUNDS_DEPOSITED = {
  name: 'FundsDeposited',
  layout: {
    inputToken: 'word',
    outputToken: 'word',
    inputAmount: 'u64',
    outputAmount: 'bigWord',
    destinationChainId: 'u64',
    depositId: 'bigWord',
    quoteTimestamp: 'u32',
    fillDeadline: 'u32',
    exclusivityDeadline: 'u32',
    depositor: 'word',
    recipient: 'word',
    exclusiveRelayer: 'word',
    message: 'bytes',
  },
} as const

export const SVM_FILLED_RELAY = {
  name: 'FilledRelay',
  layout: {
    inputToken: 'word',
    outputToken: 'word',
    inputAmount: 'bigWord',
    outputAmount: 'u64',
    repaymentChainId: 'u64',
    originChainId: 'u64',
    depositId: 'bigWord',
    fillDeadline: 'u32',
    exclusivityDeadline: 'u32',
    exclusiveRelayer: 'word',
    relayer: 'word',
    depositor: 'word',
    recipient: 'word',
    messageHash: 'word',
    relayExecutionInfo: { updatedRecipient: 'word', updatedMessageHash: 'word', updatedOutputAmount: 'u64', fillType: 'u8' },
  },
} as const

export const SVM_EXECUTED_REFUND_ROOT = {
  name: 'ExecutedRelayerRefundRoot',
  layout: {
    amountToReturn: 'u64',
    chainId: 'u64',
    refundAmounts: ['u64'],
    rootBundleId: 'u32',
    leafId: 'u32',
    l2TokenAddress: 'key',
    refundAddresses: ['key'],
    deferredRefunds: 'bool',
    caller: 'key',
  },
} as const

export const SVM_CLAIMED_REFUND = {
  name: 'ClaimedRelayerRefund',
  layout: { l2TokenAddress: 'key', claimAmount: 'u64', refundAddress: 'key' },
} as const
