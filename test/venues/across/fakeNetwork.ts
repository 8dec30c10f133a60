import { decodeFunctionData, keccak256, numberToHex, pad, zeroHash } from 'viem'
import type { Hex } from '../../../engine/core/execution.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { createAcross } from '../../../engine/simnet/venues/across/across.ts'
import { across } from '../../../engine/venues/across/venue.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { eventLog } from '../../support/seenEvm.ts'
import { createVenueBench } from '../../support/venueBench.ts'
import { type Swap, transactionOf } from '../../support/venueKit/calls.ts'
import { createFakeNetwork, type FakeNetwork, receiptOf } from '../../support/venueKit/network.ts'
import { ABI, readCall, type Words, writeMessage } from './acrossAbi.ts'
import { CONTRACT, NATIVE, POOLS } from './support.ts'

export type Logs = { readonly [name: string]: SimLog }
type Named = { readonly [name: string]: unknown }

const RELAYER = '0xd02Ac4801b4cC7CB4301d8cC3C9a02d7D6CD9907'
export const word = (address: unknown): Hex => pad(String(address).toLowerCase() as Hex)
export const addressIn = (value: unknown): string => `0x${String(value).slice(-40)}`
export const poolOn = (chainId: number) => POOLS[chainId] ?? { pool: '', wrapped: '' }
export const log = (name: string, address: string, fields: Named): SimLog => eventLog(ABI, name, address, fields) as SimLog
export const transfer = (token: string, from: string, to: string, value: unknown): SimLog =>
  log('Transfer', token, { from, to, value })

/** The fields of a deposit as a SpokePool reports them. */
export const depositFields = (words: Words, from: string): Named => {
  const swap = words['swapAndDepositData'] as Named | undefined
  const { depositor = from, ...fields } = (swap?.['depositData'] ?? words) as Named
  return {
    ...fields,
    depositor: word(depositor),
    inputToken: word(fields['inputToken']),
    inputAmount: swap?.['minExpectedInputTokenAmount'] ?? fields['inputAmount'],
    exclusivityDeadline: fields['exclusivityParameter'],
    message: writeMessage(fields['message'] as never),
  }
}

type Call = { readonly chainId: number; readonly from: string; readonly to: string; readonly data: string }

/** What the contracts log about a deposit, in their order. The exchange before it gives the least that the call accepts. */
export const depositLogs = ({ chainId, from, to, data }: Call, depositId: bigint): Logs => {
  const words = readCall(data)
  const fields = depositFields(words, from)
  const { pool, wrapped } = poolOn(chainId)
  const deposited = log('FundsDeposited', pool, { ...fields, depositId })
  const [token, value] = [addressIn(fields['inputToken']), fields['inputAmount']]
  if (words.functionName === 'deposit') return { taken: transfer(token, from, pool, value), deposited }
  if (words.functionName === 'depositNative') return { wrapped: log('Deposit', wrapped, { to: pool, value }), deposited }
  const swap = words['swapAndDepositData'] as Named
  const swapped = log('SwapBeforeBridge', to, {
    ...{ ...swap, exchangeCalldata: swap['routerCalldata'], acrossInputToken: token, acrossInputAmount: value },
    ...{ acrossOutputToken: fields['outputToken'], acrossOutputAmount: fields['outputAmount'] },
  })
  const taken = transfer(String(swap['swapToken']), from, to, swap['swapTokenAmount'])
  return { taken, swapped, moved: transfer(token, to, pool, value), deposited }
}

export const paidBy = ({ order, execution }: Swap, depositId = 77n): Logs =>
  depositLogs({ ...transactionOf(execution), from: order.sender }, depositId)

/** What the contracts log about a fill, in their order: by the SpokePool alone, or through the handler. */
export const filledBy = ({ order, offer, execution }: Swap, depositId = 77n): Logs => {
  const fields = depositFields(readCall(transactionOf(execution).data), order.sender)
  const { outputAmount: amount, message, recipient } = fields as { outputAmount: bigint; message: Hex; recipient: string }
  const { pool, wrapped } = poolOn(order.output.chainId)
  const messageHash = message === '0x' ? zeroHash : keccak256(message)
  const originChainId = BigInt(order.input.chainId)
  const updated = { updatedRecipient: recipient, updatedMessageHash: messageHash, updatedOutputAmount: amount }
  const filled = log('FilledRelay', pool, {
    ...{ ...fields, depositId, originChainId, repaymentChainId: originChainId, relayer: word(RELAYER) },
    ...{ messageHash, relayExecutionInfo: { ...updated, fillType: 0 } },
  })
  const token = addressIn(fields['outputToken'])
  const holder = message === '0x' ? pool : addressIn(recipient)
  if (order.output.address === NATIVE) return { filled, withdrawn: log('Withdrawal', wrapped, { from: holder, value: amount }) }
  if (message === '0x') return { filled, paid: transfer(token, RELAYER, order.recipient, amount) }
  const net = amount - offer.fee.amount
  const drained = log('DrainedTokens', holder, { recipient: order.recipient, token, amount: net })
  return { filled, moved: transfer(token, RELAYER, holder, amount), paid: transfer(token, holder, order.recipient, net), drained }
}

/** The chains as this venue acts on them: they report the events of its contracts. */
export const createAcrossNetwork = (): FakeNetwork => {
  let count = 0
  return createFakeNetwork({
    evm: {
      rpc: async (_chainId, _method, [account]) => (account === CONTRACT ? '0x6001' : '0x'),
      call: async () => numberToHex(0, { size: 32 }),
      fund: async () => undefined,
      send: async ({ to, data }) => {
        count += 1
        const receipt = receiptOf(numberToHex(count, { size: 32 }))
        // `relayRootBundle`: a pool reports a root with its number.
        if (!data.startsWith('0x493a4f84')) return receipt
        const [relayerRefundRoot, slowRelayRoot] = decodeFunctionData({ abi: ABI, data: data as Hex }).args ?? []
        return { ...receipt, logs: [log('RelayedRootBundle', to, { rootBundleId: 7, relayerRefundRoot, slowRelayRoot })] }
      },
    },
    landOnEvm: (call) => ({ ...call, logs: Object.values(depositLogs(call, BigInt(++count))), status: 'success' }),
  })
}

export const openBench = async (options: { readonly settings?: { readonly [name: string]: string } } = {}) => {
  const chains = createFakeChains()
  const { evm, solana } = createAcrossNetwork()
  return { ...(await createVenueBench(across, createAcross, { chains, ...options, evm, solana })), chains }
}
