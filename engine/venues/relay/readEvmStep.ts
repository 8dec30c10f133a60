import type { Address } from '../../core/address.ts'
import { parseAddress } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import type { EvmChainId } from '../../core/chain.ts'
import type { Hex, WalletTransaction } from '../../core/execution.ts'
import type { Order } from '../../core/order.ts'
import { APPROVE, DEPOSIT_ERC20, DEPOSIT_NATIVE, readExactCall } from './abi.ts'
import { badAnswer } from './map.ts'
import { pinned, toWireChain } from './published.ts'
import { type EvmData, evmData } from './wire.ts'

type Asked = { readonly order: Order; readonly user: Address }

const addressOf = (text: string): Address | null => parseAddress('evm', text.toLowerCase())

const readData = (raw: unknown, { order, user }: Asked): EvmData => {
  const data = evmData.read(raw)
  if (data.chainId !== toWireChain(order.input.chainId)) throw badAnswer('chain')
  if (addressOf(data.from) !== user) throw badAnswer('payer')
  return data
}

/** An approval of the vendor's own making is not used, but must ask for nothing strange. A zero one comes before some tokens' others. */
export const checkApproval = async (raw: unknown, asked: Asked): Promise<void> => {
  const { to, data, value } = readData(raw, asked)
  const { input, inputAmount } = asked.order
  const [spender, amount] = (await readExactCall(APPROVE, data.toLowerCase() as Hex)) ?? []
  const isEnough = amount === 0n || (typeof amount === 'bigint' && amount >= inputAmount)
  if (addressOf(to) !== input.address || BigInt(value) !== 0n || !isEnough) throw badAnswer('approval')
  if (spender !== pinned(input.chainId).depository) throw badAnswer('spender')
}

export type EvmDeposit = { readonly transaction: WalletTransaction; readonly gasUnits: bigint | null }

/** The deposit a wallet is to make: a call of the depository, which books it to the wallet itself under the order's id. */
export const readEvmDeposit = async (raw: unknown, asked: Asked, orderId: Hex): Promise<EvmDeposit> => {
  const { order, user } = asked
  const chainId = order.input.chainId as EvmChainId
  const { to, data, value, gas } = readData(raw, asked)
  const depository = addressOf(to)
  if (depository === null || depository !== pinned(chainId).depository) throw badAnswer('contract')
  const call = data.toLowerCase() as Hex
  const isCoin = isNative(order.input)
  const args = await readExactCall(isCoin ? DEPOSIT_NATIVE : DEPOSIT_ERC20, call)
  const due = isCoin ? [user, orderId] : [user, order.input.address, order.inputAmount, orderId]
  if (!args || !due.every((value, index) => args[index] === value)) throw badAnswer('deposit')
  const paid = toAmount(BigInt(value))
  if (paid !== (isCoin ? order.inputAmount : 0n)) throw badAnswer('value')
  const gasUnits = BigInt(gas ?? 0)
  return { transaction: { chainId, to: depository, data: call, value: paid }, gasUnits: gasUnits === 0n ? null : gasUnits }
}
