import type { CallOf } from '../../chains/evm/abiFields.ts'
import { encodeCall } from '../../chains/evm/evmCodec.ts'
import { readNamedCall } from '../../chains/evm/exactCall.ts'
import { type Address, parseEvmAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import { CREATE_ORDER, FORWARD_TOKEN, SWAP_COINS, SWAP_TOKEN, type SwiftOrder } from './protocol.ts'

const NO_PERMIT = { value: 0n, deadline: 0n, v: 0, r: `0x${'0'.repeat(64)}`, s: `0x${'0'.repeat(64)}` } as const

/** A swap before the order. The Forwarder requires `minMiddle` of `middle`: the wrapped coin for an order paid in coins. */
export type SourceSwap = { readonly router: Address; readonly data: Hex; readonly middle: Address; readonly minMiddle: bigint }

export type PlacedOrder = {
  /** The Swift contract of the order. */
  readonly swift: Address
  /** The wallet's payment; the native marker for coins. */
  readonly paid: { readonly token: Address; readonly amount: bigint }
  readonly swap: SourceSwap | null
  /** The token that pays the order; the native marker for coins, which Swift holds wrapped and refunds as coins. */
  readonly tokenIn: Address
  readonly order: SwiftOrder
}

export const encodePlacedOrder = async ({ swift, paid, swap, tokenIn, order }: PlacedOrder): Promise<Hex> => {
  const inOrder = tokenIn === NATIVE ? ZERO_EVM_ADDRESS : tokenIn
  const inner = await encodeCall(CREATE_ORDER, 'createOrderWithToken', [inOrder, paid.amount, order, '0x'])
  if (swap === null) return encodeCall(FORWARD_TOKEN, 'forwardERC20', [paid.token, paid.amount, NO_PERMIT, swift, inner])
  const rest = [swap.router, swap.data, swap.middle, swap.minMiddle, swift, inner]
  if (paid.token === NATIVE) return encodeCall(SWAP_COINS, 'swapAndForwardEth', [paid.amount, ...rest])
  return encodeCall(SWAP_TOKEN, 'swapAndForwardERC20', [paid.token, paid.amount, NO_PERMIT, ...rest])
}

type Outer = {
  readonly paid: PlacedOrder['paid']
  readonly swap: SourceSwap | null
  /** The token that the protocol receives: the paid one, or the swap's output. */
  readonly handed: Address
  readonly protocol: Address
  readonly inner: Hex
  readonly hasPermit: boolean
}

const spelled = (address: string): Address => parseEvmAddress(address.toLowerCase()) ?? ZERO_EVM_ADDRESS

const isPermit = (permit: CallOf<typeof FORWARD_TOKEN>['permit']): boolean =>
  permit.value > 0n || permit.deadline > 0n || permit.v > 0 || BigInt(permit.r) > 0n || BigInt(permit.s) > 0n

const swapOf = (call: CallOf<typeof SWAP_COINS>): Pick<Outer, 'swap' | 'handed' | 'protocol' | 'inner'> => ({
  swap: {
    ...{ router: spelled(call.swapProtocol), data: call.swapData },
    ...{ middle: spelled(call.middleToken), minMiddle: call.minMiddleAmount },
  },
  handed: spelled(call.middleToken),
  protocol: spelled(call.mayanProtocol),
  inner: call.mayanData,
})

const readOuter = async (data: Hex): Promise<Outer | null> => {
  const plain = await readNamedCall(FORWARD_TOKEN, data)
  if (plain) {
    const { tokenIn, amountIn: amount, permit, mayanProtocol, protocolData: inner } = plain
    const token = spelled(tokenIn)
    const protocol = spelled(mayanProtocol)
    return { paid: { token, amount }, swap: null, handed: token, protocol, inner, hasPermit: isPermit(permit) }
  }
  const coins = await readNamedCall(SWAP_COINS, data)
  if (coins) return { ...swapOf(coins), paid: { token: NATIVE, amount: coins.amountIn }, hasPermit: false }
  const call = await readNamedCall(SWAP_TOKEN, data)
  return (
    call && { ...swapOf(call), paid: { token: spelled(call.tokenIn), amount: call.amountIn }, hasPermit: isPermit(call.permit) }
  )
}

/**
 * The order of Swift that a call of the Forwarder places; null for a call without an order, or with additions. After a swap the
 * Forwarder overwrites the amount of the inner call (bytes 36 to 67) with its output, at least `minMiddle`. Until then those
 * bytes hold the paid amount.
 */
export const readPlacedOrder = async (text: string): Promise<PlacedOrder | null> => {
  const data = text.toLowerCase() as Hex
  const outer = /^0x(?:[0-9a-f]{2})*$/.test(data) ? await readOuter(data) : null
  if (outer === null || outer.hasPermit) return null
  const call = await readNamedCall(CREATE_ORDER, outer.inner)
  if (!call) return null
  const { tokenIn, amountIn, order, customPayload } = call
  const { paid, swap, handed } = outer
  // In SwiftSource.sol zeros represent the wrapped coin.
  const isOfCoins = swap !== null && tokenIn === ZERO_EVM_ADDRESS
  if (!(isOfCoins || spelled(tokenIn) === handed) || amountIn !== paid.amount || customPayload !== '0x') return null
  return { swift: outer.protocol, paid, swap, tokenIn: isOfCoins ? NATIVE : handed, order }
}
