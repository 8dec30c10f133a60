import { isNative } from '../../core/asset.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import { ChainError } from '../chains.ts'
import { isRefusal } from '../endpoints/endpoints.ts'
import type { Found, SearchQuery } from '../oneChain.ts'
import type { BlockMark } from '../standing.ts'
import { type EvmNode, evmAnswer, toQuantity } from './evmAnswers.ts'
import { TRANSFER_TOPIC, topicOf } from './evmMovements.ts'
import { demandEvmBlock } from './evmProgress.ts'

/** Nodes refuse longer ranges, some much shorter ones: the window is halved until it is taken. */
const WINDOWS = { blocksMax: 2_000, most: 20 } as const
const HASHES_MAX = 1_000

const METHOD = 'eth_getLogs'
const ZERO = /^0x0*$/

type Window = { readonly from: number; readonly to: number }

/** Latest first. Transfers of nothing are left out: anybody can send those in anybody's name. */
const readWindow = async (
  node: EvmNode,
  { asset, recipient }: SearchQuery,
  { from, to }: Window,
  signal: AbortSignal,
): Promise<readonly TransactionId[]> => {
  const answer = evmAnswer(node.chainId, METHOD)
  const topics = [TRANSFER_TOPIC, null, topicOf(recipient)]
  const filter = { address: asset.address, topics, fromBlock: toQuantity(from), toBlock: toQuantity(to) }
  const found = answer.list(await node.call(METHOD, [filter], signal)).map((log) => {
    const hash = parseTransactionId(node.chainId, answer.word(log['transactionHash']))
    if (hash === null) throw answer.malformed()
    return {
      hash,
      data: answer.data(log['data']),
      height: answer.count(log['blockNumber']),
      index: answer.count(log['logIndex']),
    }
  })
  return found
    .filter(({ data }) => !ZERO.test(data))
    .toSorted((a, b) => b.height - a.height || b.index - a.index)
    .map(({ hash }) => hash)
}

type Read = { readonly hashes: readonly TransactionId[]; readonly startedAt: number }

/** Null where the node refuses a range of that length. */
const tryWindow = async (node: EvmNode, query: SearchQuery, window: Window, signal: AbortSignal): Promise<Read | null> => {
  try {
    const reads = [readWindow(node, query, window, signal), demandEvmBlock(node, window.from, signal)] as const
    const [hashes, { at }] = await Promise.all(reads)
    return { hashes, startedAt: at }
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** See ChainEvidence.search: from the head back, in windows of blocks, to the first that starts before `since`. */
export const searchEvm = async (node: EvmNode, query: SearchQuery, head: BlockMark, signal: AbortSignal): Promise<Found> => {
  // No node keeps a list of who was paid coins.
  if (isNative(query.asset)) return { hashes: [], isWhole: false }
  const latestFirst = new Set<TransactionId>()
  let to = head.height
  let blocks: number = WINDOWS.blocksMax
  let isWhole = false
  for (let windows = 0; windows < WINDOWS.most && !isWhole && latestFirst.size <= HASHES_MAX; ) {
    const from = Math.max(0, to - blocks + 1)
    const window = await tryWindow(node, query, { from, to }, signal)
    if (window === null && from < to) {
      blocks = Math.floor((to - from + 1) / 2)
      continue
    }
    // Not even one block: what the node does not keep any more, or a node that keeps no logs at all.
    if (window === null && windows > 0) break
    if (window === null)
      throw new ChainError('unreachable', node.chainId, `chain ${node.chainId}: the node looks through no logs`)
    windows += 1
    for (const hash of window.hashes) latestFirst.add(hash)
    isWhole = from === 0 || window.startedAt < query.since
    to = from - 1
  }
  const hashes = [...latestFirst].slice(0, HASHES_MAX).toReversed()
  return { hashes, isWhole: isWhole && hashes.length === latestFirst.size }
}
