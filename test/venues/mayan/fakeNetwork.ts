import { concat, encodeAbiParameters, encodeEventTopics, getAbiItem, type Hex, keccak256, pad, toHex } from 'viem'
import type { SimLog, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { createFakeNetwork, type FakeNetwork, receiptOf } from '../../support/venueKit/network.ts'
import { EVENTS, type Inner, type Outer, readCall, writeInner } from './abi.ts'

export const FORWARDER = '0x337685fdaB40D39bd02028545a4FfA7D287cC3E2'
export const SWIFT = '0x40fFE85A28DC9993541449464d7529a922142960'
export const FILLS = '0xD78D199f8C402e7B5Cc2abE278dF0412400a3BAe'
export const WORMHOLE: { readonly [chainId: number]: number } = { 1: 2, 56: 4, 137: 5, 8453: 30, 42161: 23, [-2]: 1 }

export const logOf = (eventName: string, address: string, args: Record<string, unknown>): SimLog => {
  const { inputs } = getAbiItem({ abi: EVENTS, name: eventName } as never) as {
    inputs: readonly { name: string; type: string }[]
  }
  const topics = encodeEventTopics({ abi: EVENTS, eventName } as never) as Hex[]
  return { address, topics, data: encodeAbiParameters(inputs, inputs.map(({ name }) => args[name]) as never) }
}

const bytes = (value: bigint | number, size: number): Hex => toHex(BigInt(value), { size })

/** Written from SwiftSource.sol once more. */
export const keyOf = ({ tokenIn, order }: Pick<Inner, 'tokenIn' | 'order'>, chainId: number, protocolBps = 3): Hex => {
  const { minAmountOut, gasDrop, cancelFee, refundFee, deadline } = order
  const parts: Hex[] = [
    ...[bytes(order.payloadType, 1), order.trader, bytes(WORMHOLE[chainId] ?? 0, 2), pad(tokenIn), order.destAddr],
    ...[bytes(order.destChainId, 2), order.tokenOut],
    ...[minAmountOut, gasDrop, cancelFee, refundFee, deadline].map((sum) => bytes(sum, 8)),
    ...[order.referrerAddr, bytes(order.referrerBps, 1), bytes(protocolBps, 1), bytes(order.auctionMode, 1), order.random],
    bytes(0, 32),
  ]
  return keccak256(concat(parts))
}

/** What the Forwarder tells of a call, its amount overwritten where a swap came before. */
const forwardedLog = ({ functionName, args, inner }: Outer): SimLog => {
  const mayanProtocol = SWIFT
  if (functionName === 'forwardERC20') {
    const [token, amount] = args
    return logOf('ForwardedERC20', FORWARDER, { token, amount, mayanProtocol, protocolData: writeInner(inner) })
  }
  const [swapProtocol, , middleToken, middleAmount] = args.slice(-6)
  const swap = { swapProtocol, middleToken, middleAmount, mayanProtocol }
  const mayanData = writeInner({ ...inner, amountIn: middleAmount as bigint })
  if (functionName === 'swapAndForwardEth')
    return logOf('SwapAndForwardedEth', FORWARDER, { amountIn: args[0], ...swap, mayanData })
  return logOf('SwapAndForwardedERC20', FORWARDER, { tokenIn: args[0], amountIn: args[1], ...swap, mayanData })
}

const logsOf = ({ chainId, data }: SimTransaction): readonly SimLog[] => {
  const call = readCall(data)
  return [logOf('OrderCreated', SWIFT, { key: keyOf(call.inner, chainId) }), forwardedLog(call)]
}

/** The contracts themselves are on the offline chains: e2e/journeys. */
export const createMayanNetwork = (): FakeNetwork => {
  let sent = 0
  const network = createFakeNetwork({
    evm: {
      fund: async () => undefined,
      call: async () => '0x',
      send: async () => {
        sent += 1
        return receiptOf(toHex(sent, { size: 32 }))
      },
    },
    landOnEvm: (transaction) => ({ ...transaction, logs: logsOf(transaction), status: 'success' }),
  })
  return network
}
