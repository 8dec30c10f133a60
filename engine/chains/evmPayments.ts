import { isNative } from '../core/asset.ts'
import { ChainError } from './chains.ts'
import type { JsonRpc } from './jsonRpc.ts'
import type { PaymentQuery, Payments } from './payments.ts'

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const QUANTITY = /^0x[0-9a-f]{1,64}$/i

type Log = { readonly address?: unknown; readonly topics?: unknown; readonly data?: unknown }
type Receipt = {
  readonly status?: unknown
  readonly blockNumber?: unknown
  readonly from?: unknown
  readonly gasUsed?: unknown
  readonly effectiveGasPrice?: unknown
  readonly logs?: unknown
}

const NOTHING: Payments = { amount: 0n, isAnything: false }

const quantity = (value: unknown, query: PaymentQuery): bigint => {
  if (typeof value === 'string' && QUANTITY.test(value)) return BigInt(value)
  const { chainId } = query.asset
  throw new ChainError('unreachable', chainId, `chain ${chainId}: a quantity was answered with something else`)
}

const isSame = (text: unknown, address: string): boolean =>
  typeof text === 'string' && text.toLowerCase() === address.toLowerCase()

/** The ERC-20 transfers to the recipient, as [token, amount]. ERC-721 has its id in a topic, and no data. */
const transfersTo = ({ logs }: Receipt, query: PaymentQuery): readonly (readonly [unknown, bigint])[] => {
  const recipientTopic = `0x${query.recipient.slice(2).toLowerCase().padStart(64, '0')}`
  return (Array.isArray(logs) ? (logs as readonly Log[]) : []).flatMap(({ address, topics, data }) => {
    const [topic, , to] = Array.isArray(topics) ? (topics as readonly unknown[]) : []
    const isTransfer =
      isSame(topic, TRANSFER_TOPIC) && isSame(to, recipientTopic) && typeof data === 'string' && data.length === 66
    return isTransfer ? [[address, quantity(data, query)] as const] : []
  })
}

/**
 * Coins may arrive by calls between contracts, of which a receipt says nothing: so it is told by the recipient's balance
 * before and after the block. Another payment in the same block counts too; what a contract wallet spent there hides it.
 */
const coinsTo = async (rpc: JsonRpc, receipt: Receipt, query: PaymentQuery, signal: AbortSignal): Promise<bigint> => {
  const block = quantity(receipt.blockNumber, query)
  const balanceAt = async (number: bigint) =>
    quantity(await rpc.call('eth_getBalance', [query.recipient, `0x${number.toString(16)}`], signal), query)
  const [before, after] = await Promise.all([balanceAt(block - 1n), balanceAt(block)])
  const isSender = isSame(receipt.from, query.recipient)
  const gas = isSender ? quantity(receipt.gasUsed, query) * quantity(receipt.effectiveGasPrice, query) : 0n
  const gained = after - before + gas
  return gained > 0n ? gained : 0n
}

/** What a transaction of an EVM chain paid to an address, by its receipt; coins by balances. */
export const readEvmPayments = async (rpc: JsonRpc, query: PaymentQuery, signal: AbortSignal): Promise<Payments | null> => {
  const receipt = (await rpc.call('eth_getTransactionReceipt', [query.txHash], signal)) as Receipt | null
  if (receipt === null) return null
  if (receipt.status !== '0x1') return NOTHING
  const transfers = transfersTo(receipt, query)
  const coins = isNative(query.asset) || transfers.length === 0 ? await coinsTo(rpc, receipt, query, signal) : 0n
  const tokens = transfers.filter(([token]) => isSame(token, query.asset.address)).reduce((sum, [, amount]) => sum + amount, 0n)
  return { amount: isNative(query.asset) ? coins : tokens, isAnything: coins > 0n || transfers.some(([, amount]) => amount > 0n) }
}
