import type { Abi } from 'viem'
import { decodeCall, encodeCall } from '../../chains/evmCodec.ts'
import type { Address } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { type Gpv2Order, type OrderUid, orderTypedData, orderUid } from './gpv2Order.ts'
import { ETH_FLOW } from './network.ts'

/** The argument of `createOrder`. https://docs.cow.fi/cow-protocol/reference/contracts/periphery/eth-flow */
export type EthFlowOrder = {
  readonly buyToken: Address
  readonly receiver: Address
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  readonly appData: Hex
  readonly feeAmount: bigint
  /** The user's deadline in unix seconds; the order in the book itself never ends. */
  readonly validTo: number
  readonly partiallyFillable: boolean
  readonly quoteId: bigint
}

const ETH_FLOW_ABI: Abi = [
  {
    type: 'function',
    name: 'createOrder',
    stateMutability: 'payable',
    inputs: [
      {
        name: 'order',
        type: 'tuple',
        components: [
          { name: 'buyToken', type: 'address' },
          { name: 'receiver', type: 'address' },
          { name: 'sellAmount', type: 'uint256' },
          { name: 'buyAmount', type: 'uint256' },
          { name: 'appData', type: 'bytes32' },
          { name: 'feeAmount', type: 'uint256' },
          { name: 'validTo', type: 'uint32' },
          { name: 'partiallyFillable', type: 'bool' },
          { name: 'quoteId', type: 'int64' },
        ],
      },
    ],
    outputs: [{ name: 'orderHash', type: 'bytes32' }],
  },
]

const VALID_TO_FOREVER = 0xffffffff

/** Gas of `createOrder`, our estimate: the limit the venue's own SDK falls back to. No API field tells it. */
export const CREATE_ORDER_GAS = 150_000n

export const encodeCreateOrder = (order: EthFlowOrder): Promise<Hex> => encodeCall(ETH_FLOW_ABI, 'createOrder', [order])

/** Null when the data is no `createOrder` call, or is not byte for byte what encoding its arguments gives. */
export const decodeCreateOrder = async (data: Hex): Promise<EthFlowOrder | null> => {
  const call = await decodeCall(ETH_FLOW_ABI, data)
  if (!call) return null
  // The ABI above is the type: viem decoded by it.
  const order = call.args[0] as EthFlowOrder
  return (await encodeCreateOrder(order)) === data.toLowerCase() ? order : null
}

/** The order the contract places in the book: its own, selling the wrapped coin, without an end. */
export const ethFlowUid = (chainId: ChainId, sellToken: Address, order: EthFlowOrder): Promise<OrderUid> => {
  const { buyToken, receiver, sellAmount, buyAmount, appData } = order
  const placed: Gpv2Order = { sellToken, buyToken, receiver, sellAmount, buyAmount, appData, validTo: VALID_TO_FOREVER }
  return orderUid(orderTypedData(chainId, placed), ETH_FLOW, VALID_TO_FOREVER)
}
