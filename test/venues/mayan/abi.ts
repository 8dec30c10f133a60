import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'

/** The ABIs of the Forwarder and of Swift, written from their sources independently of the adapter. */
const PERMIT = 'struct Permit { uint256 value; uint256 deadline; uint8 v; bytes32 r; bytes32 s; }'
export const FORWARDER_ABI = parseAbi([
  PERMIT,
  'function forwardEth(address mayanProtocol, bytes protocolData)',
  'function forwardERC20(address tokenIn, uint256 amountIn, Permit permit, address mayanProtocol, bytes protocolData)',
  'function swapAndForwardEth(uint256 amountIn, address swapProtocol, bytes swapData, address middleToken, uint256 minMiddleAmount, address mayanProtocol, bytes mayanData)',
  'function swapAndForwardERC20(address tokenIn, uint256 amountIn, Permit permit, address swapProtocol, bytes swapData, address middleToken, uint256 minMiddleAmount, address mayanProtocol, bytes mayanData)',
])
export const SWIFT_ABI = parseAbi([
  'struct Order { uint8 payloadType; bytes32 trader; bytes32 destAddr; uint16 destChainId; bytes32 referrerAddr; bytes32 tokenOut; uint64 minAmountOut; uint64 gasDrop; uint64 cancelFee; uint64 refundFee; uint64 deadline; uint8 referrerBps; uint8 auctionMode; bytes32 random; }',
  'function createOrderWithToken(address tokenIn, uint256 amountIn, Order order, bytes customPayload)',
])
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

export type Order = {
  payloadType: number
  trader: Hex
  destAddr: Hex
  destChainId: number
  referrerAddr: Hex
  tokenOut: Hex
  minAmountOut: bigint
  gasDrop: bigint
  cancelFee: bigint
  refundFee: bigint
  deadline: bigint
  referrerBps: number
  auctionMode: number
  random: Hex
}
export type Inner = { tokenIn: Hex; amountIn: bigint; order: Order; customPayload: Hex }

type Named = 'forwardERC20' | 'swapAndForwardEth' | 'swapAndForwardERC20'
export type Outer = { readonly functionName: Named; readonly args: readonly unknown[]; readonly inner: Inner }

/** A call of the Forwarder with the order inside. */
export const readCall = (data: string): Outer => {
  const { functionName, args } = decodeFunctionData({ abi: FORWARDER_ABI, data: data as Hex })
  const [tokenIn, amountIn, order, customPayload] = decodeFunctionData({ abi: SWIFT_ABI, data: args.at(-1) as Hex }).args
  return { functionName: functionName as Named, args, inner: { tokenIn, amountIn, order, customPayload } }
}

export const writeInner = ({ tokenIn, amountIn, order, customPayload }: Inner): Hex =>
  encodeFunctionData({ abi: SWIFT_ABI, functionName: 'createOrderWithToken', args: [tokenIn, amountIn, order, customPayload] })

/** Its last argument is the order's call. */
export const writeCall = ({ functionName, args, inner }: Outer): Hex =>
  encodeFunctionData({ abi: FORWARDER_ABI, functionName, args: [...args.slice(0, -1), writeInner(inner)] as never })
