import { parseAbi, parseAbiParameters } from 'abitype'
import type { TransactionReceipt } from '../../chains/chains.ts'
import { decodeCall, decodeParameters, encodeCall } from '../../chains/evm/evmCodec.ts'
import type { Address } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { type Gpv2Order, type OrderUid, orderTypedData, orderUid } from './gpv2Order.ts'
import { ETH_FLOW } from './published.ts'

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

const ETH_FLOW_ABI = parseAbi([
  'struct EthFlowOrder { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }',
  'function createOrder(EthFlowOrder order) payable returns (bytes32 orderHash)',
])

const VALID_TO_FOREVER = 0xffffffff

/** Gas of `createOrder`, our estimate, as no API field tells it: some 57,000 are used in practice, and a margin. */
export const CREATE_ORDER_GAS = 80_000n

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

/** Topic of `OrderPlacement(address indexed sender, GPv2Order.Data order, OnchainSignature signature, bytes data)`. */
const ORDER_PLACEMENT = '0xcf5f9de2984132265203b5c335b25727702ca77262ff622e136baa7362bf1da9'

/** The parts of the event's order that vary, in front of what is always the same; the struct is static, so it comes first. */
const PLACED_ORDER = parseAbiParameters('address, address, address, uint256, uint256, uint32, bytes32')

type PlacedOrder = readonly [Address, Address, Address, bigint, bigint, number, Hex]

/** The orders the contract placed in one transaction. */
export const placedUids = async (chainId: ChainId, { logs }: TransactionReceipt): Promise<readonly OrderUid[]> => {
  const placements = logs.filter(({ address, topics }) => address === ETH_FLOW.toLowerCase() && topics[0] === ORDER_PLACEMENT)
  const uids = placements.map(async ({ data }) => {
    const decoded = await decodeParameters(PLACED_ORDER, data)
    if (!decoded) return []
    // The types above are the tuple's.
    const [sellToken, buyToken, receiver, sellAmount, buyAmount, validTo, appData] = decoded as PlacedOrder
    const order: Gpv2Order = { sellToken, buyToken, receiver, sellAmount, buyAmount, validTo, appData }
    return [await orderUid(orderTypedData(chainId, order), ETH_FLOW, validTo)]
  })
  return (await Promise.all(uids)).flat()
}
