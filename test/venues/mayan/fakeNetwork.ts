import { type Hex, pad, toHex } from 'viem'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { SimLog, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { FORWARDER, orderHash, pinned, SWIFT } from '../../../engine/venues/mayan/protocol.ts'
import { eventLog } from '../../support/seenEvm.ts'
import { createFakeNetwork, type FakeNetwork, receiptOf } from '../../support/venueKit/network.ts'
import { EVENTS, type Inner, type Outer, readCall, writeInner } from './abi.ts'

/** The hash of an order. `protocolBps`: what the contract adds. */
export const keyOf = ({ tokenIn, order }: Pick<Inner, 'tokenIn' | 'order'>, chainId: number, protocolBps = 3): Hex =>
  orderHash(order, { sourceId: pinned(chainId as ChainId)?.wormholeId ?? 0, tokenIn: pad(tokenIn) }, protocolBps)

/** The event of a call, with its amount overwritten where a swap came before. */
const forwardedLog = ({ functionName, call, inner }: Outer): SimLog => {
  const { tokenIn: token, amountIn: amount, minMiddleAmount: middleAmount } = call
  const name =
    { forwardERC20: 'ForwardedERC20', swapAndForwardEth: 'SwapAndForwardedEth' }[functionName] ?? 'SwapAndForwardedERC20'
  const handed = writeInner({ ...inner, amountIn: (middleAmount ?? inner.amountIn) as bigint })
  return eventLog(EVENTS, name, FORWARDER, { ...call, token, amount, middleAmount, protocolData: handed, mayanData: handed })
}

const logsOf = ({ chainId, data }: SimTransaction): readonly SimLog[] => {
  const call = readCall(data)
  return [eventLog(EVENTS, 'OrderCreated', SWIFT, { key: keyOf(call.inner, chainId) }), forwardedLog(call)]
}

/** The contracts themselves are on the offline chains: e2e/journeys. */
export const createMayanNetwork = (): FakeNetwork => {
  let sent = 0
  const send = async () => {
    sent += 1
    return receiptOf(toHex(sent, { size: 32 }))
  }
  return createFakeNetwork({
    evm: { fund: async () => undefined, call: async () => '0x', send },
    landOnEvm: (transaction) => ({ ...transaction, logs: logsOf(transaction), status: 'success' }),
  })
}
