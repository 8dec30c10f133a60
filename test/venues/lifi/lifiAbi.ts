import { type Abi, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'

/** LI.FI's contracts as their sources have them, read by viem alone. */
const SWAP =
  '(address callTo, address approveTo, address sendingAssetId, address receivingAssetId, uint256 fromAmount, bytes callData, bool requiresDeposit)'
const BRIDGE =
  '(bytes32 transactionId, string bridge, string integrator, address referrer, address sendingAssetId, address receiver, uint256 minAmount, uint256 destinationChainId, bool hasSourceSwaps, bool hasDestinationCall)'
const ACROSS =
  '(bytes32 receiverAddress, bytes32 refundAddress, bytes32 sendingAssetId, bytes32 receivingAssetId, uint256 outputAmount, uint128 outputAmountMultiplier, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message)'
const CCTP =
  '(uint256 polymerTokenFee, uint256 maxCCTPFee, bytes32 nonEVMReceiver, bytes32 solanaReceiverATA, uint32 minFinalityThreshold, address refundRecipient, bytes hookData)'
const HEAD = 'bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut'

const FUNCTIONS = [
  ...['ERC20ToERC20', 'ERC20ToNative', 'NativeToERC20'].flatMap((kind) => [
    `function swapTokensSingleV3${kind}(${HEAD}, ${SWAP} swapData)`,
    `function swapTokensMultipleV3${kind}(${HEAD}, ${SWAP}[] swapData)`,
  ]),
  `function startBridgeTokensViaAcrossV4(${BRIDGE} bridgeData, ${ACROSS} data)`,
  `function swapAndStartBridgeTokensViaAcrossV4(${BRIDGE} bridgeData, ${SWAP}[] swapData, ${ACROSS} data)`,
  `function startBridgeTokensViaPolymerCCTP(${BRIDGE} bridgeData, ${CCTP} data)`,
  `function swapAndStartBridgeTokensViaPolymerCCTP(${BRIDGE} bridgeData, ${SWAP}[] swapData, ${CCTP} data)`,
]
export const CALLS: Abi = parseAbi(FUNCTIONS as readonly string[])

export const FEES = parseAbi([
  'function forwardERC20Fees(address token, (address recipient, uint256 amount)[] shares)',
  'function forwardNativeFees((address recipient, uint256 amount)[] shares)',
  'function collectTokenFees(address token, uint256 integratorFee, uint256 lifiFee, address integrator)',
  'function collectNativeFees(uint256 integratorFee, uint256 lifiFee, address integrator)',
])

export const EVENTS: Abi = parseAbi([
  `event LiFiTransferStarted(${BRIDGE} bridgeData)`,
  'event LiFiGenericSwapCompleted(bytes32 indexed transactionId, string integrator, string referrer, address receiver, address fromAssetId, address toAssetId, uint256 fromAmount, uint256 toAmount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
  'event FilledRelay(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 repaymentChainId, uint256 indexed originChainId, uint256 indexed depositId, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 exclusiveRelayer, bytes32 indexed relayer, bytes32 depositor, bytes32 recipient, bytes32 messageHash, (bytes32 updatedRecipient, bytes32 updatedMessageHash, uint256 updatedOutputAmount, uint8 fillType) relayExecutionInfo)',
  'event ExecutedRelayerRefundRoot(uint256 amountToReturn, uint256 indexed chainId, uint256[] refundAmounts, uint32 indexed rootBundleId, uint32 indexed leafId, address l2TokenAddress, address[] refundAddresses, bool deferredRefunds, address caller)',
] as readonly string[])

export type Step = {
  readonly callTo: Hex
  readonly approveTo: Hex
  readonly sendingAssetId: Hex
  readonly receivingAssetId: Hex
  readonly fromAmount: bigint
  readonly callData: Hex
  readonly requiresDeposit: boolean
}
type Words = { readonly [name: string]: unknown }
export type Bridge = Words & {
  readonly transactionId: Hex
  readonly sendingAssetId: Hex
  readonly receiver: Hex
  readonly minAmount: bigint
  readonly destinationChainId: bigint
}

/** A call, by the names of its arguments. */
export type Call = { readonly name: string; readonly args: { readonly [name: string]: unknown } }

const namesOf = (name: string): readonly string[] =>
  CALLS.flatMap((item) => (item.type === 'function' && item.name === name ? item.inputs.map((input) => input.name ?? '') : []))

export const readCall = (data: string): Call => {
  const { functionName: name, args = [] } = decodeFunctionData({ abi: CALLS, data: data as Hex })
  return { name, args: Object.fromEntries(namesOf(name).map((argument, at) => [argument, args[at]])) }
}

export const writeCall = ({ name, args }: Call): Hex =>
  encodeFunctionData({ abi: CALLS, functionName: name, args: namesOf(name).map((argument) => args[argument]) })

export const stepsIn = ({ args }: Call): readonly Step[] => args['swapData'] as readonly Step[]
export const bridgeIn = ({ args }: Call): Bridge => args['bridgeData'] as Bridge
export const dataIn = ({ args }: Call): Words => args['data'] as Words
