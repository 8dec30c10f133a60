import { type Address, parseEvmAddress } from '../../core/address.ts'
import { isNative, NATIVE } from '../../core/asset.ts'
import { ChainError } from '../chains.ts'
import type { JsonRpc } from '../endpoints/jsonRpc.ts'
import type { PaymentQuery, Payments } from '../payments.ts'

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const QUANTITY = /^0x[0-9a-f]{1,64}$/i

type Log = { readonly address?: unknown; readonly topics?: unknown; readonly data?: unknown }
type Receipt = {
  readonly status?: unknown
  readonly blockNumber?: unknown
  readonly from?: unknown
  readonly to?: unknown
  readonly gasUsed?: unknown
  readonly effectiveGasPrice?: unknown
  readonly logs?: unknown
}

const quantity = (value: unknown, query: PaymentQuery): bigint => {
  if (typeof value === 'string' && QUANTITY.test(value)) return BigInt(value)
  const { chainId } = query.asset
  throw new ChainError('unreachable', chainId, `chain ${chainId}: a quantity was answered with something else`)
}

const isSame = (text: unknown, address: string): boolean =>
  typeof text === 'string' && text.toLowerCase() === address.toLowerCase()

/** By token, what the recipient got by ERC-20 transfers less what it gave. ERC-721 has its id in a topic, and no data. */
const tokensTo = ({ logs }: Receipt, query: PaymentQuery): ReadonlyMap<Address, bigint> => {
  const topicOfRecipient = `0x${query.recipient.slice(2).toLowerCase().padStart(64, '0')}`
  const gained = new Map<Address, bigint>()
  for (const { address, topics, data } of (Array.isArray(logs) ? logs : []) as readonly Log[]) {
    const [topic, from, to] = Array.isArray(topics) ? (topics as readonly unknown[]) : []
    const isTransfer = isSame(topic, TRANSFER_TOPIC) && typeof data === 'string' && data.length === 66
    const sides = BigInt(isSame(to, topicOfRecipient)) - BigInt(isSame(from, topicOfRecipient))
    const token = isTransfer && sides !== 0n && typeof address === 'string' ? parseEvmAddress(address.toLowerCase()) : null
    if (token === null) continue
    gained.set(token, (gained.get(token) ?? 0n) + sides * quantity(data, query))
  }
  return gained
}

/**
 * Coins may arrive by calls between contracts, of which a receipt says nothing: so they are told by the recipient's balance
 * before and after the block. Another payment in the same block counts too; what a contract wallet spent there hides it.
 */
const coinsGained = async (rpc: JsonRpc, receipt: Receipt, query: PaymentQuery, signal: AbortSignal): Promise<bigint> => {
  const block = quantity(receipt.blockNumber, query)
  const balanceAt = async (number: bigint) =>
    quantity(await rpc.call('eth_getBalance', [query.recipient, `0x${number.toString(16)}`], signal), query)
  const [before, after] = await Promise.all([balanceAt(block - 1n), balanceAt(block)])
  const isSender = isSame(receipt.from, query.recipient)
  const gas = isSender ? quantity(receipt.gasUsed, query) * quantity(receipt.effectiveGasPrice, query) : 0n
  return after - before + gas
}

/** What was sent to the recipient itself is told by the transaction. Null when the node does not have it. */
const coinsTo = async (rpc: JsonRpc, receipt: Receipt, query: PaymentQuery, signal: AbortSignal): Promise<bigint | null> => {
  const { from, to } = receipt
  // A wallet that is a contract too may be called to earn the coins, by itself or by others who send none.
  if (!isSame(to, query.recipient) || isSame(from, query.recipient)) return coinsGained(rpc, receipt, query, signal)
  const found = (await rpc.call('eth_getTransactionByHash', [query.txHash], signal)) as { readonly value?: unknown } | null
  if (found === null) return null
  const value = quantity(found.value, query)
  return value > 0n ? value : coinsGained(rpc, receipt, query, signal)
}

const readBlockTime = async (
  rpc: JsonRpc,
  { blockNumber }: Receipt,
  query: PaymentQuery,
  signal: AbortSignal,
): Promise<number | null> => {
  const block = (await rpc.call('eth_getBlockByNumber', [blockNumber, false], signal)) as { readonly timestamp?: unknown } | null
  return block && Number(quantity(block.timestamp, query)) * 1_000
}

/** What a transaction of an EVM chain paid to an address: tokens by its receipt, coins by its value or by balances. */
export const readEvmPayments = async (rpc: JsonRpc, query: PaymentQuery, signal: AbortSignal): Promise<Payments | null> => {
  const receipt = (await rpc.call('eth_getTransactionReceipt', [query.txHash], signal)) as Receipt | null
  if (receipt === null) return null
  if (receipt.status !== '0x1') return { amount: 0n, paidIn: [], paidAt: null }
  const tokens = tokensTo(receipt, query)
  const paidIn = [...tokens].flatMap(([token, amount]) => (amount > 0n ? [token] : []))
  const [paidAt, coins] = await Promise.all([
    readBlockTime(rpc, receipt, query, signal),
    isNative(query.asset) || paidIn.length === 0 ? coinsTo(rpc, receipt, query, signal) : 0n,
  ])
  // A node that is behind the one that gave the receipt: ask again.
  if (paidAt === null || coins === null) return null
  const amount = isNative(query.asset) ? coins : (tokens.get(query.asset.address) ?? 0n)
  return { amount: amount > 0n ? amount : 0n, paidIn: coins > 0n ? [...paidIn, NATIVE] : paidIn, paidAt }
}
