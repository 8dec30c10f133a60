import type { Hex } from 'viem'
import { chainOf } from '../../../engine/core/chain.ts'
import type { SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { eventLog } from '../../support/seenEvm.ts'
import { createFakeNetwork } from '../../support/venueKit/network.ts'
import { bridgeIn, type Call, dataIn, EVENTS, readCall, stepsIn } from './lifiAbi.ts'

export const [ESCROW, OUTPUT_SETTLER] = [
  '0x00fC00edbe7C003b006f870068c548940000223e',
  '0x75220B7600c300005038432a0000f308e0000068',
]
export const POOLS: { readonly [chainId: number]: string } = {
  324: '0xE0B015E54d54fc84a6cB9B666099c46adE9335FF',
  8453: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64',
  42161: '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A',
}

const ZERO = `0x${'0'.repeat(40)}`
export const wordOf = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

type Log = ReturnType<typeof eventLog>
export type Landing = { readonly chainId: number; readonly diamond: string; readonly data: string; readonly depositId?: bigint }

const swapLogs = ({ args }: Call, diamond: string, got: bigint): readonly Log[] => {
  const steps = stepsIn({ name: '', args })
  const [from, to] = [steps[0]?.sendingAssetId, steps.at(-1)?.receivingAssetId ?? ZERO]
  const { transactionId, integrator, referrer, receiver } = args
  const told = { transactionId, integrator, referrer, receiver, fromAssetId: from, toAssetId: to }
  const paid = to === ZERO ? [] : [eventLog(EVENTS, 'Transfer', to, { from: diamond, to: receiver, value: got })]
  return [
    ...paid,
    eventLog(EVENTS, 'LiFiGenericSwapCompleted', diamond, { ...told, fromAmount: steps[0]?.fromAmount, toAmount: got }),
  ]
}

/** What is bridged is the least that the call insists on. */
export const depositOf = (call: Call, { chainId, depositId = 77n }: Pick<Landing, 'chainId' | 'depositId'>) => {
  const [bridge, data] = [bridgeIn(call), dataIn(call)]
  const { minAmount: inputAmount } = bridge
  const token = bridge.sendingAssetId === ZERO ? (chainOf(chainId as never).wrappedNative ?? ZERO) : bridge.sendingAssetId
  const outputAmount = (inputAmount * (data['outputAmountMultiplier'] as bigint)) / 10n ** 18n
  return {
    ...{ inputToken: wordOf(token), outputToken: data['receivingAssetId'], inputAmount, outputAmount },
    ...{ quoteTimestamp: data['quoteTimestamp'], fillDeadline: data['fillDeadline'], exclusivityDeadline: 0, depositId },
    ...{ depositor: data['refundAddress'], recipient: data['receiverAddress'], exclusiveRelayer: data['exclusiveRelayer'] },
    ...{ destinationChainId: bridge.destinationChainId, message: data['message'] },
  }
}

/** What the escrow reports of the order that a call opens; its id is of the test's own making. */
export const openedOf = (call: Call, { chainId, depositId = 77n }: Pick<Landing, 'chainId' | 'depositId'>) => {
  const [{ minAmount, sendingAssetId, destinationChainId }, data] = [bridgeIn(call), dataIn(call)]
  const output = {
    ...{ oracle: data['outputOracle'], settler: data['outputSettler'], chainId: destinationChainId, token: data['outputToken'] },
    amount: (minAmount * (data['outputAmountMultiplier'] as bigint)) / 10n ** 18n,
    ...{ recipient: data['recipient'], callbackData: '0x', context: data['outputContext'] },
  }
  const order = {
    ...{ user: data['depositAndRefundAddress'], nonce: data['nonce'], originChainId: BigInt(chainId) },
    ...{ expires: data['expires'], fillDeadline: data['fillDeadline'], inputOracle: data['inputOracle'] },
    ...{ inputs: [[BigInt(sendingAssetId), minAmount]], outputs: [output] },
  }
  return { orderId: `0x${depositId.toString(16).padStart(64, '0')}`, order }
}

/** The events that the contracts leave of a call; a swap within one chain gives the least that it insists on, or more. */
export const logsOf = (landing: Landing, more = 0n): readonly Log[] => {
  const { chainId, diamond, data } = landing
  const call = readCall(data)
  if (call.name.startsWith('swapTokens')) return swapLogs(call, diamond, (call.args['minAmountOut'] as bigint) + more)
  const started = eventLog(EVENTS, 'LiFiTransferStarted', diamond, { bridgeData: bridgeIn(call) })
  if (call.name.endsWith('IntentEscrowV2')) return [eventLog(EVENTS, 'Open', ESCROW, openedOf(call, landing)), started]
  if (!call.name.endsWith('AcrossV4')) return [started]
  return [eventLog(EVENTS, 'FundsDeposited', POOLS[chainId] ?? ZERO, depositOf(call, landing)), started]
}

const asTold = ({ address, topics, data }: Log) => ({ address, topics, data })

/** The chains that this venue acts on: they tell the events of its contracts. */
export const createLifiNetwork = () =>
  createFakeNetwork({
    evm: { fund: async () => undefined },
    landOnEvm: (transaction: SimTransaction) => {
      const { chainId, to: diamond, data } = transaction
      return { ...transaction, logs: logsOf({ chainId, diamond, data }).map(asTold), status: 'success' as const }
    },
  })
