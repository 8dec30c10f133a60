import type { Address } from '../../core/address.ts'
import { isNative } from '../../core/asset.ts'
import type { ChainId } from '../../core/chain.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { ChainError } from '../chains.ts'
import { isRefusal } from '../endpoints/endpoints.ts'
import { headAgeMaxBlocks } from '../endpoints/publicEndpoints.ts'
import type { Sent, SentQuery, SentTransaction } from '../oneChain.ts'
import { type EvmNode, evmAnswer, toQuantity } from './evmAnswers.ts'
import { BLOCK_BYTES_MAX } from './evmCoins.ts'
import { TRANSFER_TOPIC, topicOf } from './evmMovements.ts'
import { type EvmProgress, readEvmBlock } from './evmProgress.ts'
import type { SearchParts } from './evmSearch.ts'
import { findStart } from './searchStart.ts'

/** A range is cut into so many parts at once, each end of them one call. */
const PARTS = 5
/** So many transfers are read at once; the rest once the caller has gone behind them. */
const TRANSFERS_MAX = 1_000
/** For a frequent sender this many blocks are read in one search, and the rest in the next. */
const BLOCKS_MAX = 4

const COUNT = 'eth_getTransactionCount'
const BLOCK = 'eth_getBlockByNumber'

/** A later search begins behind it: no endpoint that is in use lags so far. */
const settledBlock = (chainId: ChainId, head: number): number => head - headAgeMaxBlocks(chainId)

/** Heights in it; `from` excluded. */
type Range = { readonly from: number; readonly to: number }

const pointsIn = ({ from, to }: Range): readonly number[] => {
  const points = Array.from({ length: PARTS - 1 }, (_none, index) => from + Math.floor(((to - from) * (index + 1)) / PARTS))
  return [...new Set(points)].filter((point) => point > from && point < to)
}

/** Narrows a range at whose end something holds, and at whose start it does not, to one block. */
const narrow = async (range: Range, holds: (height: number) => Promise<boolean>): Promise<Range> => {
  let { from, to } = range
  while (to - from > 1) {
    const points = pointsIn({ from, to })
    const answers = await Promise.all(points.map(holds))
    const first = answers.indexOf(true)
    const [before, behind] = first < 0 ? [points.at(-1), to] : [points[first - 1], points[first]]
    from = before ?? from
    to = behind ?? to
  }
  return { from, to }
}

/** The token transfers of the sender, as far as the search has read. */
const byTransfers = async (
  { searchLogs, searchNode }: SearchParts,
  { asset, sender, since, after, budget = 'partner' }: SentQuery,
  progress: EvmProgress,
  signal: AbortSignal,
): Promise<Sent> => {
  const topics = [TRANSFER_TOPIC, topicOf(sender)] as const
  const how = { areTransfers: true, order: 'oldest', most: TRANSFERS_MAX } as const
  const query = { address: asset.address, topics, since, after, budget, ...how }
  const { logs, reached, isWhole, isUnfinished } = await searchLogs(searchNode, query, progress, signal)
  if (reached === null) return { transactions: [], reached, at: null, isUnfinished: true }
  const read = logs.filter(({ height }) => height <= reached)
  const { head } = progress
  const settled = Math.max(after ?? 0, progress.isAhead ? 0 : Math.min(reached, settledBlock(asset.chainId, head.height)))
  return {
    transactions: read.map(({ hash, height }) => ({ hash, height })),
    reached: settled,
    at: isWhole ? head.at : null,
    ...(isUnfinished && { isUnfinished: true }),
  }
}

const readSentIn = async (node: EvmNode, sender: Address, height: number, signal: AbortSignal) => {
  const answer = evmAnswer(node.chainId, BLOCK)
  const found = await node.call(BLOCK, [toQuantity(height), true], signal, { bytesMax: BLOCK_BYTES_MAX })
  if (found === null) throw new ChainError('unreachable', node.chainId, `chain ${node.chainId}: no block ${height} yet`)
  const all = answer.list(answer.fields(found)['transactions']).filter(({ from }) => answer.address(from) === sender)
  return all.map(({ hash }) => {
    const id = parseTransactionId(node.chainId, answer.word(hash))
    if (id === null) throw answer.malformed()
    return { hash: id, height }
  })
}

type Reached = { readonly transactions: readonly SentTransaction[]; readonly to: number }

/** Where the sender's nonce rises it sent something. Null where the node does not keep what it was then. */
const byNonces = async (
  node: EvmNode,
  { sender }: SentQuery,
  { from, to }: Range,
  signal: AbortSignal,
): Promise<Reached | null> => {
  const countAt = async (height: number): Promise<bigint> =>
    evmAnswer(node.chainId, COUNT).quantity(await node.call(COUNT, [sender, toQuantity(height)], signal))
  const transactions: SentTransaction[] = []
  try {
    const sent = await countAt(to)
    let [before, reached] = [await countAt(from), from]
    for (let blocks = 0; before < sent; blocks += 1) {
      if (blocks === BLOCKS_MAX) return { transactions, to: reached }
      const known = before
      const { to: height } = await narrow({ from: reached, to }, async (at) => (await countAt(at)) > known)
      transactions.push(...(await readSentIn(node, sender, height, signal)))
      before = await countAt(height)
      reached = height
    }
    return { transactions, to }
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** See ChainEvidence.sentBy: forwards, from where an earlier search came to. */
export const searchSent = async (
  parts: SearchParts & { readonly node: EvmNode },
  query: SentQuery,
  progress: EvmProgress,
  signal: AbortSignal,
): Promise<Sent> => {
  const { asset, since, after } = query
  if (!isNative(asset)) return byTransfers(parts, query, progress, signal)
  const { node } = parts
  const { head } = progress
  const start = after ?? (await findStart((height) => readEvmBlock(node, height, signal), head, since)).height
  const from = Math.min(head.height, start)
  const found = await byNonces(node, query, { from, to: head.height }, signal)
  if (found === null) return { transactions: [], reached: null, at: null }
  if (progress.isAhead) return { transactions: found.transactions, reached: after, at: null }
  const settled = Math.max(from, settledBlock(asset.chainId, head.height))
  return {
    transactions: found.transactions,
    reached: Math.min(found.to, settled),
    at: found.to === head.height ? head.at : null,
  }
}
