import { keccak256, pad, zeroHash } from 'viem'
import type { Hex } from '../../../engine/core/execution.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { eventLog } from '../../support/seenEvm.ts'
import { ABI, readCall, type Words, writeMessage } from './acrossAbi.ts'

export type Logs = { readonly [name: string]: SimLog }
type Named = { readonly [name: string]: unknown }
/** A call of a wallet, the SpokePool of its chain, and the wrapped coin. */
export type Deposit = {
  readonly from: string
  readonly to: string
  readonly data: string
  readonly pool: string
  readonly wrapped: string
  readonly id: bigint
}

export const RELAYER = '0xd02Ac4801b4cC7CB4301d8cC3C9a02d7D6CD9907'
export const word = (address: unknown): Hex => pad(String(address).toLowerCase() as Hex)
export const addressIn = (value: unknown): string => `0x${String(value).slice(-40)}`
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

/** What the contracts log about a deposit, in their order. The exchange before it gives the least that the call accepts. */
export const depositLogs = ({ from, to, data, pool, wrapped, id }: Deposit): Logs => {
  const words = readCall(data)
  const fields = depositFields(words, from)
  const deposited = log('FundsDeposited', pool, { ...fields, depositId: id })
  const [token, value] = [addressIn(fields['inputToken']), fields['inputAmount']]
  if (words.functionName === 'deposit') return { taken: transfer(token, from, pool, value), deposited }
  if (words.functionName === 'depositNative') return { wrapped: log('Deposit', wrapped, { to: pool, value }), deposited }
  const swap = words['swapAndDepositData'] as Named
  const paid = String(swap['swapToken'])
  const swapped = log('SwapBeforeBridge', to, {
    ...{ exchange: swap['exchange'], exchangeCalldata: swap['routerCalldata'], swapToken: paid },
    ...{ swapTokenAmount: swap['swapTokenAmount'], acrossInputToken: token, acrossInputAmount: value },
    ...{ acrossOutputToken: fields['outputToken'], acrossOutputAmount: fields['outputAmount'] },
  })
  const taken = transfer(paid, from, to, swap['swapTokenAmount'])
  return { taken, swapped, moved: transfer(token, to, pool, value), deposited }
}

/** What the contracts log about a fill, in their order: by the SpokePool alone, or through the handler, whose message decides. */
export const fillLogs = (
  { from, data, id }: Deposit,
  {
    pool,
    wrapped,
    originChainId,
    fee,
    to,
    isCoins,
  }: {
    readonly pool: string
    readonly wrapped: string
    readonly originChainId: bigint
    readonly fee: bigint
    readonly to: string
    readonly isCoins: boolean
  },
): Logs => {
  const fields = depositFields(readCall(data), from)
  const { outputAmount: amount, message, recipient } = fields as { outputAmount: bigint; message: Hex; recipient: string }
  const messageHash = message === '0x' ? zeroHash : keccak256(message)
  const relayExecutionInfo = {
    ...{ updatedRecipient: recipient, updatedMessageHash: messageHash, updatedOutputAmount: amount, fillType: 0 },
  }
  const filled = log('FilledRelay', pool, {
    ...{ ...fields, depositId: id, originChainId, repaymentChainId: originChainId, relayer: word(RELAYER) },
    ...{ messageHash, relayExecutionInfo },
  })
  const token = addressIn(fields['outputToken'])
  const holder = message === '0x' ? pool : addressIn(recipient)
  if (isCoins) return { filled, withdrawn: log('Withdrawal', wrapped, { from: holder, value: amount }) }
  if (message === '0x') return { filled, paid: transfer(token, RELAYER, to, amount) }
  const [moved, paid] = [transfer(token, RELAYER, holder, amount), transfer(token, holder, to, amount - fee)]
  return { filled, moved, paid, drained: log('DrainedTokens', holder, { recipient: to, token, amount: amount - fee }) }
}
