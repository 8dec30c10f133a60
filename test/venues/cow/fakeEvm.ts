import {
  concatHex,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodePacked,
  type Hex,
  hashTypedData,
  keccak256,
  pad,
  parseAbi,
  recoverAddress,
  recoverMessageAddress,
  size,
  slice,
  stringToHex,
  toHex,
} from 'viem'
import type { SimLog, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import type { SimCall, SimEvm, SimReceipt } from '../../../engine/simnet/kit/world.ts'

/**
 * As much of a chain as the order book acts on: it keeps no balances, and says in events
 * what the real contracts would. Those themselves are on the offline chains, in the end-to-end suites.
 */

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
const REFUND = parseAbi(['event OrderRefund(bytes orderUid, address indexed refunder)'])
const INVALIDATION = parseAbi(['event OrderInvalidation(bytes orderUid)'])

const TYPES = {
  Order: [
    { name: 'sellToken', type: 'address' },
    { name: 'buyToken', type: 'address' },
    { name: 'receiver', type: 'address' },
    { name: 'sellAmount', type: 'uint256' },
    { name: 'buyAmount', type: 'uint256' },
    { name: 'validTo', type: 'uint32' },
    { name: 'appData', type: 'bytes32' },
    { name: 'feeAmount', type: 'uint256' },
    { name: 'kind', type: 'string' },
    { name: 'partiallyFillable', type: 'bool' },
    { name: 'sellTokenBalance', type: 'string' },
    { name: 'buyTokenBalance', type: 'string' },
  ],
} as const

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
    types: TYPES,
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
    ? encodeEventTopics({ abi: INVALIDATION, eventName: 'OrderInvalidation' })
    : encodeEventTopics({ abi: REFUND, eventName: 'OrderRefund', args: { refunder: from as Hex } })
  return { address: ETH_FLOW, topics: topics as Hex[], data: uid }
}

/** The events of a transaction its sender made, none where it is no call of EthFlow. */
export const ethFlowLogs = (call: Pick<SimCall, 'chainId' | 'from' | 'data'>): readonly SimLog[] =>
  /^0x(322bba21|7bc41b96)/.test(call.data) ? [ethFlowEvent(call, true)] : []

const SIGNED_BY_CONTRACT = 2n

/** Who a settlement says signed, found as the contract finds it. */
const ownerOf = async (digest: Hex, flags: bigint, signature: Hex): Promise<Hex> => {
  const scheme = flags >> 5n
  if (scheme >= SIGNED_BY_CONTRACT) return slice(signature, 0, 20)
  return scheme === 0n
    ? recoverAddress({ hash: digest, signature })
    : recoverMessageAddress({ message: { raw: digest }, signature })
}

export type Settled = {
  readonly from: string
  readonly owner: string
  readonly orderUid: Hex
  readonly receiver: string
  readonly sold: bigint
  readonly bought: bigint
  /** Contracts called before, in order. */
  readonly before: readonly string[]
}

const readSettlement = async ({ chainId, from, data }: SimCall): Promise<{ settled: Settled; log: SimLog }> => {
  const { args } = decodeFunctionData({ abi: SETTLE, data: data as Hex })
  const [tokens, prices, [trade], [before]] = args
  if (!trade) throw new Error('nothing is traded')
  const sellToken = tokens[Number(trade.sellTokenIndex)] as Hex
  const buyToken = tokens[Number(trade.buyTokenIndex)] as Hex
  const [sellPrice = 0n, buyPrice = 1n] = prices
  const bought = (trade.sellAmount * sellPrice + buyPrice - 1n) / buyPrice
  if (bought < trade.buyAmount) throw new Error('GPv2: limit price not respected')
  const digest = digestOf(chainId, { ...trade, sellToken, buyToken, partiallyFillable: false })
  const owner = await ownerOf(digest, trade.flags, trade.signature)
  const orderUid = uidOf(digest, owner, trade.validTo)
  const [event] = TRADE
  const values = [sellToken, buyToken, trade.sellAmount, bought, 0n, orderUid] as const
  const log = {
    address: SETTLEMENT,
    topics: encodeEventTopics({ abi: TRADE, eventName: 'Trade', args: { owner } }) as Hex[],
    data: encodeAbiParameters(event.inputs.slice(1), values as never),
  }
  const targets = before.map(({ target }) => target)
  return { settled: { from, owner, orderUid, receiver: trade.receiver, sold: trade.sellAmount, bought, before: targets }, log }
}

export type FakeEvm = {
  readonly evm: Partial<SimEvm>
  /** Every transaction of the venue's, in order. */
  readonly sent: readonly (SimCall & { readonly txHash: string })[]
  readonly settled: readonly Settled[]
  readonly funded: readonly { readonly token: string; readonly holder: string; readonly amount: bigint }[]
  /** While it is a text, every call is refused with it. */
  refusal: string | null
  /** What the settlement contract has of every token. */
  held: bigint
  /** Who is told of the venue's own transactions, as the network tells everyone. */
  tell(transaction: SimTransaction): void
}

const isSettle = ({ to, data }: Pick<SimCall, 'to' | 'data'>): boolean =>
  to.toLowerCase() === SETTLEMENT.toLowerCase() && size(data as Hex) > 4

export const createFakeEvm = (): FakeEvm => {
  const sent: (SimCall & { txHash: string })[] = []
  const settled: Settled[] = []
  const funded: { token: string; holder: string; amount: bigint }[] = []

  const logsOf = async (call: SimCall): Promise<readonly SimLog[]> => {
    if (call.to.toLowerCase() === ETH_FLOW.toLowerCase()) return call.data.length > 10 ? [ethFlowEvent(call, false)] : []
    if (!isSettle(call)) return []
    const { settled: one, log } = await readSettlement(call)
    settled.push(one)
    // Tokens tell of their transfers first.
    return [{ address: WETH, topics: [keccak256(stringToHex('Transfer(address,address,uint256)'))], data: '0x' }, log]
  }
  const refuseIfTold = () => {
    if (fake.refusal !== null) throw new Error(fake.refusal)
  }
  const send = async (call: SimCall): Promise<SimReceipt> => {
    const logs = await logsOf(call)
    const txHash = keccak256(toHex(`transaction ${sent.length}`))
    sent.push({ ...call, txHash })
    const { chainId, from, to, data, value = 0n } = call
    fake.tell({ chainId, from, to, data, value, txHash, logs, status: 'success' })
    return { txHash, blockNumber: 24_000_000 + sent.length, timestamp: 0, status: 'success', logs }
  }
  const fake: FakeEvm = {
    evm: {
      call: async () => {
        refuseIfTold()
        return '0x'
      },
      send,
      balance: async () => fake.held,
      fund: async ({ token, holder, amount }) => void funded.push({ token, holder, amount }),
    },
    sent,
    settled,
    funded,
    refusal: null,
    held: 0n,
    tell: () => undefined,
  }
  return fake
}
