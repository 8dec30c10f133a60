import { base58 } from '@scure/base'
import type { Hex } from '../../../core/execution.ts'
import { callData } from '../../kit/callData.ts'
import { exchangeCall } from './exchange.ts'
import { contractOf, EXCHANGE, isSvm, type Network, ZERO_ADDRESS } from './networks.ts'
import type { Leg, Price } from './pricing.ts'
import type { SwapQuery } from './swapQuery.ts'

/** What a deposit says, before it is put into bytes. Faults change it here. */
export type DepositPlan = {
  /** Contract the wallet calls. */
  readonly to: string
  readonly depositor: string
  readonly recipient: string
  readonly inputAmount: bigint
  readonly outputAmount: bigint
  readonly message: Hex
  /** Unix seconds. */
  readonly quoteTimestamp: number
  readonly fillDeadline: number
}

export type SwapTx = { readonly to: string; readonly data: Hex; readonly value: bigint }

const WHEN_AND_WHAT =
  'uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message'

const DEPOSIT = `function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, ${WHEN_AND_WHAT}) payable`

const DEPOSIT_NATIVE = `function depositNative(address spokePool, address depositor, bytes32 recipient, address inputToken, uint256 inputAmount, bytes32 outputToken, uint256 outputAmount, ${WHEN_AND_WHAT}) payable`

const SWAP_AND_BRIDGE = [
  'struct Fees { uint256 amount; address recipient; }',
  'struct BaseDepositData { address inputToken; bytes32 outputToken; uint256 outputAmount; address depositor; bytes32 recipient; uint256 destinationChainId; bytes32 exclusiveRelayer; uint32 quoteTimestamp; uint32 fillDeadline; uint32 exclusivityParameter; bytes message; }',
  'struct SwapAndDepositData { Fees submissionFees; BaseDepositData depositData; address swapToken; address exchange; uint8 transferType; uint256 swapTokenAmount; uint256 minExpectedInputTokenAmount; bytes routerCalldata; bool enableProportionalAdjustment; address spokePool; uint256 nonce; }',
  'function swapAndBridge(SwapAndDepositData swapAndDepositData) payable',
]

const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`

/** An address of a chain as the 32 bytes Across writes. */
export const wordOf = (network: Network, address: string): Hex =>
  isSvm(network)
    ? `0x${Buffer.from(base58.decode(address)).toString('hex')}`
    : `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** Calldata tags: api/_integrator-id.ts. */
const tagged = (data: Hex, integratorId: string | null): Hex =>
  `${data}${integratorId === null ? '' : `1dc0de${integratorId.slice(2).toLowerCase()}`}73c0de`

const encodeSwap = async (query: SwapQuery, price: Price, plan: DepositPlan, leg: Leg): Promise<Hex> => {
  const { origin, destination, input } = query
  const depositData = {
    ...plan,
    inputToken: contractOf(origin, price.bridgeIn),
    outputToken: wordOf(destination, contractOf(destination, price.bridgeOut)),
    recipient: wordOf(destination, plan.recipient),
    destinationChainId: BigInt(destination.wireId),
    exclusiveRelayer: ZERO_WORD,
    exclusivityParameter: 0,
  }
  const swap = {
    submissionFees: { amount: 0n, recipient: ZERO_ADDRESS },
    depositData,
    swapToken: contractOf(origin, input),
    exchange: EXCHANGE,
    transferType: 0,
    swapTokenAmount: plan.inputAmount,
    minExpectedInputTokenAmount: price.bridgeInput,
    routerCalldata: await exchangeCall(origin, { ...leg, amountIn: plan.inputAmount }),
    enableProportionalAdjustment: true,
    spokePool: origin.spokePool,
    nonce: 0n,
  }
  return callData(SWAP_AND_BRIDGE, [swap])
}

const encodeDeposit = ({ origin, destination, input, output }: SwapQuery, price: Price, plan: DepositPlan): Promise<Hex> => {
  const { depositor, inputAmount, outputAmount } = plan
  const inputToken = contractOf(origin, input)
  const outputToken = wordOf(destination, contractOf(destination, price.destinationSwap ? price.bridgeOut : output))
  const recipient = wordOf(destination, plan.recipient)
  const tail = [BigInt(destination.wireId), ZERO_WORD, plan.quoteTimestamp, plan.fillDeadline, 0, plan.message]
  if (input.isNative) {
    const head = [origin.spokePool, depositor, recipient, inputToken, inputAmount, outputToken, outputAmount]
    return callData(DEPOSIT_NATIVE, [...head, ...tail])
  }
  const words = [wordOf(origin, depositor), recipient, wordOf(origin, inputToken), outputToken]
  return callData(DEPOSIT, [...words, inputAmount, outputAmount, ...tail])
}

/** The calldata of an EVM origin: api/swap/approval/_utils.ts, with the periphery of autumn 2026. */
export const buildDeposit = async (query: SwapQuery, price: Price, plan: DepositPlan): Promise<SwapTx> => {
  const data = price.originSwap ? await encodeSwap(query, price, plan, price.originSwap) : await encodeDeposit(query, price, plan)
  return { to: plan.to, data: tagged(data, query.integratorId), value: query.input.isNative ? plan.inputAmount : 0n }
}
