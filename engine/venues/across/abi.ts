import { decodeCall, encodeCall } from '../../chains/evm/evmCodec.ts'
import type { Hex } from '../../core/execution.ts'

export type Abi = Parameters<typeof encodeCall>[0]
type Parameter = { readonly type: string; readonly name: string; readonly components?: readonly Parameter[] }

/** `type name, type name` as ABI parameters. */
const parameters = (text: string): Parameter[] =>
  text.split(', ').map((item) => {
    const [type = '', name = ''] = item.split(' ')
    return { type, name }
  })

const tuple = (name: string, components: readonly Parameter[], type = 'tuple'): Parameter => ({ type, name, components })

const func = (name: string, inputs: readonly Parameter[]): Abi =>
  [{ type: 'function', name, stateMutability: 'payable', inputs, outputs: [] }] as const

const TIMES = 'uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message'
const SUMS = 'uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId'
const NATIVE_SUMS =
  'address inputToken, uint256 inputAmount, bytes32 outputToken, uint256 outputAmount, uint256 destinationChainId'

/** SpokePool.sol */
export const DEPOSIT = func(
  'deposit',
  parameters(
    `bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, ${SUMS}, bytes32 exclusiveRelayer, ${TIMES}`,
  ),
)
export const DEPOSIT_V3 = func(
  'depositV3',
  parameters(
    `address depositor, address recipient, address inputToken, address outputToken, ${SUMS}, address exclusiveRelayer, ${TIMES}`,
  ),
)

/** SpokePoolPeriphery.sol until early 2026: the wallet that calls is the depositor. */
export const DEPOSIT_NATIVE_OF_CALLER = func(
  'depositNative',
  parameters(`address spokePool, bytes32 recipient, ${NATIVE_SUMS}, bytes32 exclusiveRelayer, ${TIMES}`),
)
export const DEPOSIT_NATIVE = func(
  'depositNative',
  parameters(`address spokePool, address depositor, bytes32 recipient, ${NATIVE_SUMS}, bytes32 exclusiveRelayer, ${TIMES}`),
)

const BASE_DEPOSIT =
  'address inputToken, bytes32 outputToken, uint256 outputAmount, address depositor, bytes32 recipient, ' +
  `uint256 destinationChainId, bytes32 exclusiveRelayer, ${TIMES}`

export const SWAP_AND_BRIDGE = func('swapAndBridge', [
  tuple('swapAndDepositData', [
    tuple('submissionFees', parameters('uint256 amount, address recipient')),
    tuple('depositData', parameters(BASE_DEPOSIT)),
    ...parameters('address swapToken, address exchange, uint8 transferType, uint256 swapTokenAmount'),
    ...parameters('uint256 minExpectedInputTokenAmount, bytes routerCalldata, bool enableProportionalAdjustment'),
    ...parameters('address spokePool, uint256 nonce'),
  ]),
])

/** MulticallHandler.sol: `Instructions`, the message of a deposit to it. */
export const INSTRUCTIONS = [
  tuple('instructions', [
    tuple('calls', parameters('address target, bytes callData, uint256 value'), 'tuple[]'),
    ...parameters('address fallbackRecipient'),
  ]),
]

export const DRAIN_LEFTOVER_TOKENS = func('drainLeftoverTokens', parameters('address token, address destination'))
export const MAKE_CALL_WITH_BALANCE = func('makeCallWithBalance', [
  ...parameters('address target, bytes callData, uint256 value'),
  tuple('replacement', parameters('address token, uint256 offset'), 'tuple[]'),
])
export const WITHDRAW = func('withdraw', parameters('uint256 wad'))
export const TRANSFER = func('transfer', parameters('address to, uint256 value'))
export const EMIT_DATA = func('emitData', parameters('bytes data'))

/** The integrator tag and the API's own marker, the only bytes that may follow a deposit's arguments. */
const TAGS = /^(?:1dc0de[0-9a-f]{4})?(?:73c0de)?$/

const readCall = async (abi: Abi, data: Hex): Promise<{ args: readonly unknown[]; rest: string } | null> => {
  const call = await decodeCall(abi, data)
  if (!call) return null
  // Encoded again and compared, so that no byte is left that a contract would read differently from us.
  const canonical = await encodeCall(abi, call.functionName, call.args)
  return data.startsWith(canonical) ? { args: call.args, rest: data.slice(canonical.length) } : null
}

/** Arguments of a call with nothing after them; null when it is another call or not in canonical form. */
export const readExactCall = async (abi: Abi, data: Hex): Promise<readonly unknown[] | null> => {
  const call = await readCall(abi, data)
  return call && call.rest === '' ? call.args : null
}

/** As `readExactCall`, with Across's tags allowed at the end. */
export const readTaggedCall = async (abi: Abi, data: Hex): Promise<readonly unknown[] | null> => {
  const call = await readCall(abi, data)
  return call && TAGS.test(call.rest) ? call.args : null
}
