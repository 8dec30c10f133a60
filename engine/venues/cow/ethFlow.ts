import { parseAbi } from 'abitype'
import { readEventBy } from '../../chains/evm/eventLogs.ts'
import { encodeCall, keccakText } from '../../chains/evm/evmCodec.ts'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import type { SeenLog } from '../../chains/seen.ts'
import { tells } from '../../chains/tells.ts'
import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import { type Gpv2Order, type OrderUid, orderTypedData, orderUid } from './gpv2Order.ts'
import type { CowBook } from './published.ts'

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

/** Gas of `createOrder`, our estimate, because no API field states it: some 57,000 in practice, and a margin. */
export const CREATE_ORDER_GAS = 80_000n

export const encodeCreateOrder = (order: EthFlowOrder): Promise<Hex> => encodeCall(ETH_FLOW_ABI, 'createOrder', [order])

/** Null for another call than `createOrder`, or for data that is not the exact encoding of its arguments. */
export const decodeCreateOrder = async (data: Hex): Promise<EthFlowOrder | null> => {
  const args = await readExactCall(ETH_FLOW_ABI, data.toLowerCase() as Hex)
  // The ABI above fixes the type: viem decoded by it.
  return args && (args[0] as EthFlowOrder)
}

/** The contract's own order in the book, which sells the wrapped coin without an end. */
export const ethFlowUid = (book: CowBook, order: EthFlowOrder): Promise<OrderUid> => {
  const { buyToken, receiver, sellAmount, buyAmount, appData } = order
  const amounts = { sellAmount, buyAmount }
  const placed: Gpv2Order = { sellToken: book.wrappedNative, buyToken, receiver, ...amounts, appData, validTo: VALID_TO_FOREVER }
  return orderUid(orderTypedData(book, placed), book.ethFlow, VALID_TO_FOREVER)
}

/** ICoWSwapOnchainOrders.sol in cowprotocol/ethflowcontract; the fields of GPv2Order.Data in the contracts' form. */
const ORDER_PLACEMENT = parseAbi([
  'struct Order { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; bytes32 kind; bool partiallyFillable; bytes32 sellTokenBalance; bytes32 buyTokenBalance; }',
  'struct OnchainSignature { uint8 scheme; bytes data; }',
  'event OrderPlacement(address indexed sender, Order order, OnchainSignature signature, bytes data)',
])

/** GPv2Order.sol */
const SELL = keccakText('sell')
const ERC20 = keccakText('erc20')
const EIP1271 = 0

const hexOf = (value: bigint, bytes: number): string =>
  BigInt.asUintN(bytes * 8, value)
    .toString(16)
    .padStart(bytes * 2, '0')

/** The fields of the placement event besides its sender: CoWSwapEthFlow.sol, `createOrder`. */
const placementOf = ({ wrappedNative: sellToken, ethFlow }: CowBook, { quoteId, validTo, ...placed }: EthFlowOrder) => {
  const balances = { sellTokenBalance: ERC20, buyTokenBalance: ERC20 }
  return {
    order: { ...placed, sellToken, validTo: VALID_TO_FOREVER, kind: SELL, ...balances },
    signature: { scheme: EIP1271, data: ethFlow.toLowerCase() },
    data: `0x${hexOf(quoteId, 8)}${hexOf(BigInt(validTo), 4)}`,
  }
}

/** Whether a log of the contract shows that this sender placed exactly this order, in every field. */
export const isPlacement = async (
  log: SeenLog,
  { sender, book, order }: { readonly sender: Address; readonly book: CowBook; readonly order: EthFlowOrder },
): Promise<boolean> => {
  const told = await readEventBy(book.ethFlow, ORDER_PLACEMENT, log)
  return told !== null && tells(told, { sender, ...placementOf(book, order) })
}
