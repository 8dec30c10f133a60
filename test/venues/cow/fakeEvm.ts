import {
  concatHex,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodePacked,
  getAddress,
  type Hex,
  hashTypedData,
  keccak256,
  pad,
  parseAbi,
  parseAbiParameters,
  recoverAddress,
  slice,
  stringToHex,
  toHex,
} from 'viem'
import type { SimLog, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import type { SimCall, SimEvm, SimReceipt } from '../../../engine/simnet/kit/world.ts'

/** The part of a chain that the order book uses: no balances, only the events of the contracts. Journeys use the contracts. */

const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const SETTLEMENT = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
const ETH_FLOW = '0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC'
const VALID_TO_FOREVER = 0xffffffff

const SETTLE = parseAbi([
  'struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }',
  'struct Interaction { address target; uint256 value; bytes callData; }',
  'function settle(address[] tokens, uint256[] clearingPrices, Trade[] trades, Interaction[][3] interactions)',
])
const TRADE = parseAbi([
  'event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)',
])
const FLOW_ORDER =
  '(address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, bytes32 appData, uint256 feeAmount, uint32 validTo, bool partiallyFillable, int64 quoteId) order'
const ETH_FLOW_CALLS = parseAbi([`function createOrder(${FLOW_ORDER})`, `function invalidateOrder(${FLOW_ORDER})`])
const PLACEMENT = parseAbi([
  'struct Order { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; bytes32 kind; bool partiallyFillable; bytes32 sellTokenBalance; bytes32 buyTokenBalance; }',
  'struct OnchainSignature { uint8 scheme; bytes data; }',
  'event OrderPlacement(address indexed sender, Order order, OnchainSignature signature, bytes data)',
])
const INVALIDATIONS = parseAbi([
  'event OrderRefund(bytes orderUid, address indexed refunder)',
  'event OrderInvalidation(bytes orderUid)',
])

const ORDER_FIELDS = parseAbiParameters([
  'address sellToken, address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, uint32 validTo',
  'bytes32 appData, uint256 feeAmount, string kind, bool partiallyFillable, string sellTokenBalance, string buyTokenBalance',
])

type Terms = {
  readonly sellToken: Hex
  readonly buyToken: Hex
  readonly receiver: Hex
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  readonly validTo: number
  readonly appData: Hex
  readonly feeAmount: bigint
  readonly partiallyFillable: boolean
}

const digestOf = (chainId: number, terms: Terms): Hex =>
  hashTypedData({
    domain: { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract: SETTLEMENT },
    types: { Order: ORDER_FIELDS },
    primaryType: 'Order',
    message: { ...terms, kind: 'sell', sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' },
  })

const uidOf = (digest: Hex, owner: Hex, validTo: number): Hex =>
  concatHex([digest, owner.toLowerCase() as Hex, pad(toHex(validTo), { size: 4 })])

/** The event by which EthFlow tells of the call. Throws where the calldata is none of its calls. */
const ethFlowEvent = ({ chainId, from, data }: Pick<SimCall, 'chainId' | 'from' | 'data'>, isOwner: boolean): SimLog => {
  const { functionName, args } = decodeFunctionData({ abi: ETH_FLOW_CALLS, data: data as Hex })
  const [{ quoteId, validTo, ...flow }] = args
  const terms: Terms = { ...flow, sellToken: WETH, validTo: VALID_TO_FOREVER }
  if (functionName === 'createOrder') {
    const erc20 = keccak256(stringToHex('erc20'))
    const order = { ...terms, kind: keccak256(stringToHex('sell')), sellTokenBalance: erc20, buyTokenBalance: erc20 }
    const extra = encodePacked(['int64', 'uint32'], [quoteId, validTo])
    const [event] = PLACEMENT
    return {
      address: ETH_FLOW,
      topics: encodeEventTopics({ abi: PLACEMENT, eventName: 'OrderPlacement', args: { sender: from as Hex } }) as Hex[],
      data: encodeAbiParameters(event.inputs.slice(1), [order, { scheme: 0, data: ETH_FLOW }, extra] as never),
    }
  }
  const uid = encodeAbiParameters([{ type: 'bytes' }], [uidOf(digestOf(chainId, terms), ETH_FLOW, VALID_TO_FOREVER)])
  const topics = isOwner
    ? encodeEventTopics({ abi: INVALIDATIONS, eventName: 'OrderInvalidation' })
    : encodeEventTopics({ abi: INVALIDATIONS, eventName: 'OrderRefund', args: { refunder: from as Hex } })
  return { address: ETH_FLOW, topics: topics as Hex[], data: uid }
}

/** The events of a transaction its sender made, none where it is no call of EthFlow. */
export const ethFlowLogs = (call: Pick<SimCall, 'chainId' | 'from' | 'data'>): readonly SimLog[] =>
  /^0x(322bba21|7bc41b96)/.test(call.data) ? [ethFlowEvent(call, true)] : []

/** Signing scheme 2 is EIP-1271: the contract is named in front of its signature. */
const ownerOf = async (digest: Hex, flags: bigint, signature: Hex): Promise<Hex> =>
  flags >> 5n === 2n ? slice(signature, 0, 20) : recoverAddress({ hash: digest, signature })

/** The event of a settlement of one trade, its owner found as the contract finds it. */
const tradeEvent = async ({ chainId, data }: SimCall): Promise<SimLog> => {
  const { args } = decodeFunctionData({ abi: SETTLE, data: data as Hex })
  const [[sellToken, buyToken], [bought, sold], [trade]] = args
  if (!trade || !sellToken || !buyToken || bought === undefined) throw new Error('nothing is traded')
  if (sold !== trade.sellAmount || bought < trade.buyAmount) throw new Error('GPv2: limit price not respected')
  const digest = digestOf(chainId, { ...trade, sellToken, buyToken, partiallyFillable: false })
  const owner = await ownerOf(digest, trade.flags, trade.signature)
  const values = [sellToken, buyToken, sold, bought, 0n, uidOf(digest, owner, trade.validTo)] as const
  return {
    address: SETTLEMENT,
    topics: encodeEventTopics({ abi: TRADE, eventName: 'Trade', args: { owner } }) as Hex[],
    data: encodeAbiParameters(TRADE[0].inputs.slice(1), values as never),
  }
}

export type FakeEvm = {
  readonly evm: Partial<SimEvm>
  /** Every transaction of the venue's, in order. */
  readonly sent: readonly SimCall[]
  /** While it is a text, every call is refused with it. */
  refusal: string | null
  /** Who is told of the venue's own transactions, as the network tells everyone. */
  tell(transaction: SimTransaction): void
}

export const createFakeEvm = (): FakeEvm => {
  const sent: SimCall[] = []

  const logsOf = async (call: SimCall): Promise<readonly SimLog[]> => {
    const to = getAddress(call.to)
    if (call.data.length > 10 && to === ETH_FLOW) return [ethFlowEvent(call, false)]
    return call.data.length > 10 && to === SETTLEMENT ? [await tradeEvent(call)] : []
  }
  const send = async (call: SimCall): Promise<SimReceipt> => {
    const logs = await logsOf(call)
    const txHash = keccak256(toHex(`transaction ${sent.length}`))
    sent.push(call)
    fake.tell({ value: 0n, ...call, txHash, logs, status: 'success' })
    return { txHash, blockNumber: 24_000_000 + sent.length, timestamp: 0, status: 'success', logs }
  }
  const call = async (): Promise<string> => {
    if (fake.refusal !== null) throw new Error(fake.refusal)
    return '0x'
  }
  const evm: FakeEvm['evm'] = { call, send, balance: async () => 0n, fund: async () => undefined }
  const fake: FakeEvm = { evm, sent, refusal: null, tell: () => undefined }
  return fake
}
