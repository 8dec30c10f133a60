import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  getAbiItem,
  getAddress,
  type Hex,
  numberToHex,
  pad,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import type { SimCall, SimEvm } from '../../../engine/simnet/kit/world.ts'
import { createFakeNetwork, receiptOf } from '../../support/venueKit/network.ts'
import { DEPOSITS, EVENTS, ROOTS } from './abi.ts'

const DATA_OF_DEPOSIT = 'bytes32, bytes32, uint256, uint256, uint32, uint32, uint32, bytes32, bytes32, bytes'
  .split(', ')
  .map((type) => ({ type }))
const DATA_OF_SWAP = 'address, bytes, uint256, uint256, uint256'.split(', ').map((type) => ({ type }))
const SPOKE_POOLS: { readonly [chainId: number]: Hex } = {
  137: '0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096',
  8453: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64',
  42161: '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A',
}

type Call = { readonly chainId: number; readonly to: string; readonly data: string }

const word = (address: string): Hex => pad(address.toLowerCase() as Hex)

const depositLog = (chainId: number, depositId: bigint, args: readonly unknown[]): SimLog => {
  const [depositor, recipient, inputToken, outputToken, inputAmount, outputAmount, destinationChainId, ...rest] = args as never[]
  const [relayer, quoteTimestamp, fillDeadline, exclusivity, message] = rest
  const indexed = { destinationChainId, depositId, depositor }
  return {
    address: getAddress(SPOKE_POOLS[chainId] ?? zeroAddress),
    topics: encodeEventTopics({ abi: EVENTS, eventName: 'FundsDeposited', args: indexed }) as string[],
    data: encodeAbiParameters(DATA_OF_DEPOSIT, [
      ...[inputToken, outputToken, inputAmount, outputAmount, quoteTimestamp, fillDeadline, exclusivity],
      ...[recipient, relayer, message],
    ]),
  }
}

/** The events that the contracts leave of a deposit they take; the exchange before it gives the least it was asked for. */
const eventsOf = ({ chainId, to, data }: Call, depositId: bigint): readonly SimLog[] => {
  const { functionName, args } = decodeFunctionData({ abi: DEPOSITS, data: data as Hex })
  if (functionName === 'deposit') return [depositLog(chainId, depositId, args)]
  if (functionName === 'depositNative') {
    const [, depositor, recipient, inputToken, inputAmount, outputToken, ...rest] = args
    const sides = [word(depositor), recipient, word(inputToken), outputToken]
    return [depositLog(chainId, depositId, [...sides, inputAmount, ...rest])]
  }
  const [{ depositData: deposit, ...swap }] = args
  const { outputToken, outputAmount, exclusiveRelayer, quoteTimestamp, fillDeadline, message, destinationChainId } = deposit
  const inputAmount = swap.minExpectedInputTokenAmount
  const indexed = { swapToken: swap.swapToken, acrossInputToken: deposit.inputToken, acrossOutputToken: outputToken }
  return [
    {
      address: to,
      topics: encodeEventTopics({ abi: EVENTS, eventName: 'SwapBeforeBridge', args: indexed }) as string[],
      data: encodeAbiParameters(DATA_OF_SWAP, [
        swap.exchange,
        swap.routerCalldata,
        swap.swapTokenAmount,
        inputAmount,
        outputAmount,
      ]),
    },
    depositLog(chainId, depositId, [
      ...[word(deposit.depositor), deposit.recipient, word(deposit.inputToken), outputToken, inputAmount, outputAmount],
      ...[destinationChainId, exclusiveRelayer, quoteTimestamp, fillDeadline, 0, message],
    ]),
  ]
}

const RELAY_ROOT = toFunctionSelector(getAbiItem({ abi: ROOTS, name: 'relayRootBundle' }))

/** A pool tells of a root that it was given, with its number. */
const rootLog = ({ to, data = '0x' }: SimCall): SimLog => {
  const [relayerRefundRoot, slowRelayRoot] = decodeFunctionData({ abi: ROOTS, data: data as Hex }).args as [Hex, Hex]
  const args = { rootBundleId: 7, relayerRefundRoot, slowRelayRoot }
  return { address: to, topics: encodeEventTopics({ abi: ROOTS, eventName: 'RelayedRootBundle', args }) as string[], data: '0x' }
}

/** The chains this venue acts on: they tell the events of its contracts. */
export const createAcrossNetwork = (overrides: Partial<SimEvm> = {}) => {
  /** What the venue sent on the EVM chains. */
  const sent: SimCall[] = []
  let deposits = 5_120_000n
  const network = createFakeNetwork({
    evm: {
      call: async ({ from }) => {
        if (from && network.refusal !== null) throw new Error(network.refusal)
        return numberToHex(0, { size: 32 })
      },
      fund: async () => undefined,
      send: async (call) => {
        const receipt = receiptOf(numberToHex(sent.push(call), { size: 32 }))
        return call.data?.startsWith(RELAY_ROOT) ? { ...receipt, logs: [rootLog(call)] } : receipt
      },
      ...overrides,
    },
    landOnEvm: (transaction) => ({ ...transaction, logs: eventsOf(transaction, ++deposits), status: 'success' }),
  })
  return Object.assign(network, { sent })
}

export type AcrossNetwork = ReturnType<typeof createAcrossNetwork>
