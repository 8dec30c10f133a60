import { parseAbi, parseAbiParameters } from 'abitype'
import { encodeCall, hashTypedData, keccakText } from '../../chains/evm/evmCodec.ts'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { type Address, addressOf } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex, TypedData, TypedDataField } from '../../core/execution.ts'

/* Facts of the protocol, for the simulator and the tests as well. CoW's SDK, live signatures and `vectors.json` verify them. */

/**
 * The production contracts, at the same addresses on every chain.
 * https://docs.cow.fi/cow-protocol/reference/contracts/core and .../contracts/periphery/eth-flow
 */
export const SETTLEMENT = addressOf('evm', '0x9008D19f58AAbD9eD0D60971565AA8510560ab41')
export const VAULT_RELAYER = addressOf('evm', '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110')
export const ETH_FLOW = addressOf('evm', '0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC')
/** The contract that authenticates settling accounts: networks.json of @cowprotocol/contracts. */
export const AUTHENTICATOR = addressOf('evm', '0x2c4c28DDBdAc9C5E7055b4C863b72eA0149D8aFE')

/** First path segment of every call, by chain. */
export const BOOK_PATHS: { readonly [chainId in ChainId]?: string } = {
  1: 'mainnet',
  56: 'bnb',
  137: 'polygon',
  8453: 'base',
  42161: 'arbitrum_one',
  43114: 'avalanche',
  59144: 'linea',
}

/** GPv2Settlement.sol of cowprotocol/contracts. `filledAmount`: the sold amount of an order so far. */
export const TRADE = parseAbi([
  'event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)',
])
export const SETTLED = parseAbi(['event Settlement(address indexed solver)'])
export const FILLED_AMOUNT = parseAbi(['function filledAmount(bytes orderUid) view returns (uint256)'])

/** CoWSwapEthFlow.sol of cowprotocol/ethflowcontract. An order of coins, as its owner places it and takes it back. */
export const ETH_FLOW_ORDER =
  'struct EthFlowOrder { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }'
export const CREATE_ORDER = parseAbi([
  ETH_FLOW_ORDER,
  'function createOrder(EthFlowOrder order) payable returns (bytes32 orderHash)',
])
/** The owner of an order, by its hash; empty until the order is placed, and never again after. */
export const ORDERS = parseAbi(['function orders(bytes32 orderHash) view returns (address owner, uint32 validTo)'])
/** An order ended: by its owner before its end; by anyone after it. */
export const ORDER_INVALIDATION = parseAbi(['event OrderInvalidation(bytes orderUid)'])
export const ORDER_REFUND = parseAbi(['event OrderRefund(bytes orderUid, address indexed refunder)'])
/** ICoWSwapOnchainOrders.sol; the fields of GPv2Order.Data in the contracts' form. */
export const ORDER_PLACEMENT = parseAbi([
  'struct Order { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; bytes32 kind; bool partiallyFillable; bytes32 sellTokenBalance; bytes32 buyTokenBalance; }',
  'struct OnchainSignature { uint8 scheme; bytes data; }',
  'event OrderPlacement(address indexed sender, Order order, OnchainSignature signature, bytes data)',
])

/** GPv2Order.sol: how events name a sale, and balances in tokens. */
const SELL = keccakText('sell')
const ERC20_BALANCE = keccakText('erc20')
/** The end of an order of EthFlow in the book. */
export const VALID_TO_FOREVER = 0xffffffff

/** The fields that vary between our orders; all of them are fill-or-kill sell orders without a signed fee. */
export type Gpv2Order = {
  readonly sellToken: Address
  readonly buyToken: Address
  readonly receiver: Address
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  /** Unix seconds. */
  readonly validTo: number
  /** Hash of the app data document. */
  readonly appData: Hex
}

/** GPv2Order.Data. https://docs.cow.fi/cow-protocol/reference/core/signing-schemes */
export const ORDER_FIELDS: readonly TypedDataField[] = parseAbiParameters([
  'address sellToken, address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, uint32 validTo',
  'bytes32 appData, uint256 feeAmount, string kind, bool partiallyFillable, string sellTokenBalance, string buyTokenBalance',
]).map(({ name, type }) => ({ name, type }))

export const DOMAIN_NAME = 'Gnosis Protocol'
export const DOMAIN_VERSION = 'v2'

/** How all our orders are filled and paid. */
const MANNER = {
  feeAmount: '0',
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
} as const

export const orderTypedData = (
  { chainId, settlement }: { readonly chainId: ChainId; readonly settlement: Address },
  order: Gpv2Order,
): TypedData => ({
  domain: { name: DOMAIN_NAME, version: DOMAIN_VERSION, chainId, verifyingContract: settlement },
  types: { Order: ORDER_FIELDS },
  primaryType: 'Order',
  message: { ...order, sellAmount: `${order.sellAmount}`, buyAmount: `${order.buyAmount}`, ...MANNER },
})

/** 56 bytes: digest, owner, validTo. Lower-case hex. */
export type OrderUid = Hex

export const ORDER_UID = /^0x[0-9a-f]{112}$/

/** The order book's id of an order: known as soon as the order is. */
export const orderUid = async (typedData: TypedData, owner: Address, validTo: number): Promise<OrderUid> => {
  const digest = await hashTypedData(typedData)
  return `${digest}${owner.slice(2)}${validTo.toString(16).padStart(8, '0')}`.toLowerCase() as OrderUid
}

export const isOwnedBy = (uid: OrderUid, owner: Address): boolean => uid.slice(66, 106) === owner.slice(2).toLowerCase()

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

type FlowBook = { readonly chainId: ChainId } & { readonly [name in 'settlement' | 'ethFlow' | 'wrappedNative']: Address }

export const encodeCreateOrder = (order: EthFlowOrder): Promise<Hex> => encodeCall(CREATE_ORDER, 'createOrder', [order])

/** Null for another call than `createOrder`, or for data that is not the exact encoding of its arguments. */
export const decodeCreateOrder = async (data: Hex): Promise<EthFlowOrder | null> => {
  const args = await readExactCall(CREATE_ORDER, data.toLowerCase() as Hex)
  // The ABI above fixes the type: viem decoded by it.
  return args && (args[0] as EthFlowOrder)
}

/** The contract's own order in the book, which sells the wrapped coin without an end. */
export const ethFlowUid = (book: FlowBook, order: EthFlowOrder): Promise<OrderUid> => {
  const { buyToken, receiver, sellAmount, buyAmount, appData } = order
  const amounts = { sellAmount, buyAmount }
  const placed: Gpv2Order = { sellToken: book.wrappedNative, buyToken, receiver, ...amounts, appData, validTo: VALID_TO_FOREVER }
  return orderUid(orderTypedData(book, placed), book.ethFlow, VALID_TO_FOREVER)
}

const hexOf = (value: bigint, bytes: number): string =>
  BigInt.asUintN(bytes * 8, value)
    .toString(16)
    .padStart(bytes * 2, '0')

/** The fields of the placement event besides its sender, signed by EIP-1271: CoWSwapEthFlow.sol, `createOrder`. */
export const placementOf = ({ wrappedNative: sellToken, ethFlow }: FlowBook, { quoteId, validTo, ...placed }: EthFlowOrder) => {
  const balances = { sellTokenBalance: ERC20_BALANCE, buyTokenBalance: ERC20_BALANCE }
  return {
    order: { ...placed, sellToken, validTo: VALID_TO_FOREVER, kind: SELL, ...balances },
    signature: { scheme: 0, data: ethFlow.toLowerCase() },
    data: `0x${hexOf(quoteId, 8)}${hexOf(BigInt(validTo), 4)}`,
  }
}
