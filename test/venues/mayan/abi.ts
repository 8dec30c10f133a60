import { type Abi, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { CREATE_ORDER, FORWARD_TOKEN, SWAP_COINS, SWAP_TOKEN, type SwiftOrder } from '../../../engine/venues/mayan/protocol.ts'

/** Written from the sources of the contracts. */
export const EVENTS = parseAbi([
  'event ForwardedERC20(address token, uint256 amount, address mayanProtocol, bytes protocolData)',
  'event SwapAndForwardedEth(uint256 amountIn, address swapProtocol, address middleToken, uint256 middleAmount, address mayanProtocol, bytes mayanData)',
  'event SwapAndForwardedERC20(address tokenIn, uint256 amountIn, address swapProtocol, address middleToken, uint256 middleAmount, address mayanProtocol, bytes mayanData)',
  'event OrderCreated(bytes32 key)',
  'event OrderFulfilled(bytes32 key, uint64 sequence, uint256 netAmount)',
  'event OrderRefunded(bytes32 key, uint256 netAmount)',
  'event OrderUnlocked(bytes32 key)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

export type Inner = { tokenIn: Hex; amountIn: bigint; order: SwiftOrder; customPayload: Hex }
/** The arguments of the Forwarder by their names, but for the last one: the call of Swift. */
export type Outer = { readonly functionName: string; readonly call: { readonly [name: string]: unknown }; readonly inner: Inner }

const FORWARDER_ABI = [...FORWARD_TOKEN, ...SWAP_COINS, ...SWAP_TOKEN] as const

const read = (abi: Abi, data: Hex) => {
  const { functionName, args = [] } = decodeFunctionData({ abi, data })
  const [inputs = []] = abi.flatMap((item) => (item.type === 'function' && item.name === functionName ? [item.inputs] : []))
  return { functionName, args, named: inputs.map(({ name }, at) => [name, args[at]] as const) }
}

export const readCall = (data: string): Outer => {
  const { functionName, args, named } = read(FORWARDER_ABI, data as Hex)
  const inner = Object.fromEntries(read(CREATE_ORDER, args.at(-1) as Hex).named) as Inner
  return { functionName, call: Object.fromEntries(named.slice(0, -1)), inner }
}

export const writeInner = (inner: Inner): Hex =>
  encodeFunctionData({ abi: CREATE_ORDER, functionName: 'createOrderWithToken', args: Object.values(inner) as never })

export const writeCall = ({ functionName, call, inner }: Outer): Hex =>
  encodeFunctionData({
    abi: FORWARDER_ABI,
    functionName: functionName as never,
    args: [...Object.values(call), writeInner(inner)] as never,
  })
