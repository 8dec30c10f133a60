import type { Hex } from '../../core/execution.ts'
import type { TransactionId } from '../../core/transactionId.ts'
import { ChainError } from '../chains.ts'
import type { ConfirmationRule } from '../confirmations.ts'
import { foundByTwo } from '../endpoints/endpoints.ts'
import type { SeenCall, SeenLog, SeenTransaction } from '../seen.ts'
import { depthOf, standingOf } from '../standing.ts'
import { type EvmAnswer, type EvmNode, evmAnswer } from './evmAnswers.ts'
import { evmMovements } from './evmMovements.ts'
import { demandEvmBlock, type EvmProgress } from './evmProgress.ts'

export type EvmEvidenceParts = {
  readonly node: EvmNode
  /** The same chain, for reads that only confirm another one: a short deadline. */
  readonly second: EvmNode
  readonly rule: ConfirmationRule
  progress(signal: AbortSignal): Promise<EvmProgress>
}

/** Some 25,000 transfers, more than fit a block of any chain here today. One with more cannot be read: ChainError. */
const RECEIPT_BYTES_MAX = 16 * 1024 * 1024

const RECEIPT = 'eth_getTransactionReceipt'
const TRANSACTION = 'eth_getTransactionByHash'

type Receipt = {
  readonly isSuccess: boolean
  readonly blockHash: Hex
  readonly height: number
  readonly logs: readonly SeenLog[]
}

/** The most topics a log can have: https://ethereum.github.io/yellowpaper/paper.pdf, section 4.4.1. */
const TOPICS_MAX = 4

/** Counted in the transaction, since the number in the block is another one once a reorganisation has moved it. */
const readLogs = (answer: EvmAnswer, value: unknown): readonly SeenLog[] => {
  let last = -1
  return answer.list(value).map(({ logIndex, address, topics, data }, index) => {
    const number = answer.count(logIndex)
    if (number <= last || !Array.isArray(topics) || topics.length > TOPICS_MAX) throw answer.malformed()
    last = number
    const seen = { address: answer.data(address), topics: topics.map(answer.word), data: answer.data(data) }
    if (seen.address.length !== 42) throw answer.malformed()
    return { index, ...seen }
  })
}

/** Null while it is in no block. */
const readReceipt = (node: EvmNode, hash: TransactionId, found: unknown): Receipt | null => {
  if (found === null) return null
  const answer = evmAnswer(node.chainId, RECEIPT)
  const { transactionHash, status, blockHash, blockNumber, logs } = answer.fields(found)
  if (answer.word(transactionHash) !== (hash as string)) throw answer.malformed()
  if (blockHash === null || blockNumber === null) return null
  if (status !== '0x1' && status !== '0x0') throw answer.malformed()
  const block = { blockHash: answer.word(blockHash), height: answer.count(blockNumber) }
  return { isSuccess: status === '0x1', ...block, logs: readLogs(answer, logs) }
}

type Placed = { readonly call: SeenCall; readonly blockHash: Hex | null }

const readTransaction = (node: EvmNode, hash: TransactionId, found: unknown): Placed | null => {
  if (found === null) return null
  const answer = evmAnswer(node.chainId, TRANSACTION)
  const { hash: own, from, to, input, value, blockHash } = answer.fields(found)
  if (answer.word(own) !== (hash as string)) throw answer.malformed()
  const sides = { from: answer.address(from), to: to === null || to === undefined ? null : answer.address(to) }
  const call = { ...sides, data: answer.data(input), value: answer.quantity(value) }
  return { call, blockHash: blockHash === null || blockHash === undefined ? null : answer.word(blockHash) }
}

/** Whether another endpoint than the one at `url` shows the transaction in the same block. A failure there is no evidence. */
const isSeenBySecond = async (
  { second }: EvmEvidenceParts,
  { hash, blockHash, url }: { readonly hash: TransactionId; readonly blockHash: Hex; readonly url: string },
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    const found = await second.call(TRANSACTION, [hash], signal, { except: url })
    return readTransaction(second, hash, found)?.blockHash === blockHash
  } catch (error) {
    if (error instanceof ChainError && !signal.aborted) return false
    throw error
  }
}

/** The same node without the endpoint at `except`. */
const withoutEndpoint = (node: EvmNode, except: string): EvmNode => ({
  chainId: node.chainId,
  ask: (method, params, signal, options) => node.ask(method, params, signal, { ...options, except }),
  call: (method, params, signal, options) => node.call(method, params, signal, { ...options, except }),
})

/**
 * A transaction as its receipt, itself and its block show it. Null while it is in no block of the chain. A second endpoint
 * confirms each null: one that lags lacks the latest blocks. Some nodes keep the receipts of blocks that were replaced. Throws
 * ChainError while the nodes do not agree on the rest.
 */
export const readSeenEvmTransaction = async (
  parts: EvmEvidenceParts,
  hash: TransactionId,
  signal: AbortSignal,
): Promise<SeenTransaction | null> =>
  foundByTwo((except) => readSeen(except ? { ...parts, node: withoutEndpoint(parts.node, except) } : parts, hash, signal))

/** The URL of the endpoint that shows none in place of null. */
const readSeen = async (parts: EvmEvidenceParts, hash: TransactionId, signal: AbortSignal): Promise<SeenTransaction | string> => {
  const { node, rule } = parts
  const [{ result, url }, found] = await Promise.all([
    node.ask(RECEIPT, [hash], signal, { bytesMax: RECEIPT_BYTES_MAX }),
    node.call(TRANSACTION, [hash], signal),
  ])
  const receipt = readReceipt(node, hash, result)
  if (receipt === null) return url
  const { blockHash, height, isSuccess } = receipt
  const early = readTransaction(node, hash, found)
  // Its block may be newer than the first read of it: a read after the receipt is no older than the receipt.
  const isPlaced = early?.blockHash === blockHash
  const transaction = isPlaced ? early : readTransaction(node, hash, await node.call(TRANSACTION, [hash], signal))
  if (transaction?.blockHash !== blockHash)
    throw new ChainError('unreachable', node.chainId, `chain ${node.chainId}: its nodes place a transaction in two ways`)
  const [block, progress] = await Promise.all([demandEvmBlock(node, height, signal), parts.progress(signal)])
  if (block.hash !== blockHash) return url
  const needsSecond = rule.kind === 'sequenced' && depthOf(height, progress) < rule.blocks
  const isSeenTwice = needsSecond && (await isSeenBySecond(parts, { hash, blockHash, url }, signal))
  const { call } = transaction
  const logs = isSuccess ? receipt.logs : []
  return {
    chainId: node.chainId,
    hash,
    isSuccess,
    standing: standingOf(rule, block, progress, isSeenTwice),
    at: block.at,
    height,
    movements: isSuccess ? evmMovements(call, logs) : [],
    call,
    logs,
    instructions: [],
    notes: [],
  }
}
