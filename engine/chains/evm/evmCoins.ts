import type { Address } from '../../core/address.ts'
import { ChainError } from '../chains.ts'
import { isRefusal } from '../endpoints/endpoints.ts'
import type { SeenTransaction } from '../seen.ts'
import { type EvmNode, evmAnswer, toQuantity } from './evmAnswers.ts'

/** A block with all its transactions: those of a full block here come to some megabytes. */
export const BLOCK_BYTES_MAX = 16 * 1024 * 1024
const WEI_PER_GWEI = 1_000_000_000n

const BLOCK = 'eth_getBlockByNumber'
const BALANCE = 'eth_getBalance'
const RECEIPT = 'eth_getTransactionReceipt'

type Where = { readonly node: EvmNode; readonly seen: SeenTransaction; readonly recipient: Address }

const readBalance = async (node: EvmNode, owner: Address, where: number | 'latest', signal: AbortSignal): Promise<bigint> => {
  const block = where === 'latest' ? where : toQuantity(where)
  return evmAnswer(node.chainId, BALANCE).quantity(await node.call(BALANCE, [owner, block], signal))
}

/**
 * The coins that the recipient got in the block otherwise than by calls. These are the value of any transaction, failed ones
 * included, and withdrawals of validators (EIP-4895). Null for the recipient of the block's fees: other income is unknown.
 */
const readOtherwise = async ({ node, seen, recipient }: Where, signal: AbortSignal): Promise<bigint | null> => {
  const found = await node.call(BLOCK, [toQuantity(seen.height), true], signal, { bytesMax: BLOCK_BYTES_MAX })
  if (found === null) throw new ChainError('unreachable', node.chainId, `chain ${node.chainId}: no block ${seen.height} yet`)
  const answer = evmAnswer(node.chainId, BLOCK)
  const { transactions, withdrawals = [], miner } = answer.fields(found)
  const all = answer.list(transactions)
  if (!all.some(({ hash }) => answer.word(hash) === (seen.hash as string)))
    throw new ChainError('unreachable', node.chainId, `chain ${node.chainId}: block ${seen.height} is another one by now`)
  if (answer.address(miner) === recipient) return null
  const isToRecipient = (value: unknown) => typeof value === 'string' && answer.address(value) === recipient
  // Coins that it sent to itself are no gain.
  const sent = all.filter(({ from, to }) => isToRecipient(to) && !isToRecipient(from))
  const withdrawn = answer.list(withdrawals).filter(({ address }) => isToRecipient(address))
  const values = sent.map(({ value }) => answer.quantity(value))
  const rewards = withdrawn.map(({ amount }) => answer.quantity(amount) * WEI_PER_GWEI)
  return [...values, ...rewards].reduce((sum, value) => sum + value, 0n)
}

/** The network fee that the recipient paid for the transaction itself; `l1Fee`: the additional fee of OP stack chains. */
const readOwnFee = async ({ node, seen, recipient }: Where, signal: AbortSignal): Promise<bigint> => {
  if (seen.call?.from !== recipient) return 0n
  const answer = evmAnswer(node.chainId, RECEIPT)
  const { gasUsed, effectiveGasPrice, l1Fee } = answer.fields(
    await node.call(RECEIPT, [seen.hash], signal, { bytesMax: BLOCK_BYTES_MAX }),
  )
  const besides = l1Fee === undefined || l1Fee === null ? 0n : answer.quantity(l1Fee)
  return answer.quantity(gasUsed) * answer.quantity(effectiveGasPrice) + besides
}

/** Null where the node is well, and does not keep the balances of that block. */
const readGain = async ({ node, seen, recipient }: Where, signal: AbortSignal): Promise<bigint | null> => {
  const balanceAt = (height: number) => readBalance(node, recipient, height, signal)
  try {
    const [before, after] = await Promise.all([balanceAt(seen.height - 1), balanceAt(seen.height)])
    return after - before
  } catch (error) {
    if (!isRefusal(error)) throw error
    await readBalance(node, recipient, 'latest', signal)
    return null
  }
}

/** See ChainEvidence.coinsByBalance. */
export const readEvmCoins = async (
  node: EvmNode,
  seen: SeenTransaction,
  recipient: Address,
  signal: AbortSignal,
): Promise<bigint | null> => {
  const where = { node, seen, recipient }
  // First: it shows that the node has the block, so that it can only be its state that is missing.
  const otherwise = await readOtherwise(where, signal)
  if (otherwise === null) return 0n
  const [gain, fee] = await Promise.all([readGain(where, signal), readOwnFee(where, signal)])
  if (gain === null) return null
  const byCalls = gain + fee - otherwise
  return byCalls > 0n ? byCalls : 0n
}
