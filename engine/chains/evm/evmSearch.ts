import type { Address } from '../../core/address.ts'
import { isNative } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import { ChainError } from '../chains.ts'
import { isRefusal } from '../endpoints/endpoints.ts'
import type { Found, SearchQuery } from '../oneChain.ts'
import type { BlockMark } from '../standing.ts'
import { type EvmNode, evmAnswer, toQuantity } from './evmAnswers.ts'
import { TRANSFER_TOPIC, topicOf } from './evmMovements.ts'
import { demandEvmBlock } from './evmProgress.ts'

/**
 * Nodes refuse longer ranges, some much shorter ones: the window is halved until it is taken. The first goes alone, since it
 * is mostly enough; then some together, since the caller does not wait for ever.
 */
const WINDOWS = { blocksMax: 2_000, most: 20, together: 4 } as const
const HASHES_MAX = 1_000

const METHOD = 'eth_getLogs'
const ZERO = /^0x0*$/

type Window = { readonly from: number; readonly to: number }

/** Which logs are looked for, back to those of before `since`, epoch ms by the chain's own time. */
export type LogSearch = {
  readonly address: Address
  /** By eth_getLogs: null for any, a list for one of several. */
  readonly topics: readonly (Hex | readonly Hex[] | null)[]
  readonly isKept: (data: Hex) => boolean
  readonly since: number
  /** No further back than to so many transactions, and no more than those. */
  readonly most: number
}

/** Latest first. */
const readWindow = async (
  node: EvmNode,
  { address, topics, isKept }: LogSearch,
  { from, to }: Window,
  signal: AbortSignal,
): Promise<readonly TransactionId[]> => {
  const answer = evmAnswer(node.chainId, METHOD)
  const filter = { address, topics, fromBlock: toQuantity(from), toBlock: toQuantity(to) }
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
    .filter(({ data }) => isKept(data))
    .toSorted((a, b) => b.height - a.height || b.index - a.index)
    .map(({ hash }) => hash)
}

type Read = { readonly from: number; readonly hashes: readonly TransactionId[]; readonly startedAt: number }

/** Null where the node refuses a range of that length. */
const tryWindow = async (node: EvmNode, query: LogSearch, window: Window, signal: AbortSignal): Promise<Read | null> => {
  try {
    const reads = [readWindow(node, query, window, signal), demandEvmBlock(node, window.from, signal)] as const
    const [hashes, { at }] = await Promise.all(reads)
    return { from: window.from, hashes, startedAt: at }
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** Backwards from a block, one behind the other. */
const windowsFrom = (to: number, blocks: number, count: number): readonly Window[] =>
  Array.from({ length: count }, (_none, index) => ({
    from: Math.max(0, to - (index + 1) * blocks + 1),
    to: to - index * blocks,
  })).filter((window) => window.to >= 0)

/** From the head back, in windows of blocks, to the first that starts before `since`. Oldest first. */
export const searchLogs = async (node: EvmNode, query: LogSearch, head: BlockMark, signal: AbortSignal): Promise<Found> => {
  const latestFirst = new Set<TransactionId>()
  let [to, blocks, taken]: [number, number, number] = [head.height, WINDOWS.blocksMax, 0]
  let isWhole = false
  while (taken < WINDOWS.most && !isWhole && latestFirst.size < query.most) {
    const windows = windowsFrom(to, blocks, taken === 0 ? 1 : Math.min(WINDOWS.together, WINDOWS.most - taken))
    const reads = await Promise.all(windows.map((window) => tryWindow(node, query, window, signal)))
    const refusedAt = reads.indexOf(null)
    for (const read of refusedAt < 0 ? reads : reads.slice(0, refusedAt)) {
      if (read === null || isWhole) break
      for (const hash of read.hashes) latestFirst.add(hash)
      taken += 1
      to = read.from - 1
      isWhole = read.from === 0 || read.startedAt < query.since
    }
    if (isWhole || refusedAt < 0) continue
    // Not even one block: what the node does not keep any more, or a node that keeps no logs at all.
    if (blocks === 1 && taken > 0) break
    if (blocks === 1) throw new ChainError('unreachable', node.chainId, `chain ${node.chainId}: the node looks through no logs`)
    blocks = Math.max(1, Math.floor(Math.min(blocks, to + 1) / 2))
  }
  const hashes = [...latestFirst].slice(0, query.most).toReversed()
  return { hashes, isWhole: isWhole && hashes.length === latestFirst.size }
}

/** See ChainEvidence.search. Transfers of nothing are left out: anybody can send those in anybody's name. */
export const searchEvm = async (
  node: EvmNode,
  { asset, recipient, since }: SearchQuery,
  head: BlockMark,
  signal: AbortSignal,
): Promise<Found> => {
  // No node keeps a list of who was paid coins.
  if (isNative(asset)) return { hashes: [], isWhole: false }
  const topics = [TRANSFER_TOPIC, null, topicOf(recipient)] as const
  const isKept = (data: Hex) => !ZERO.test(data)
  return searchLogs(node, { address: asset.address, topics, isKept, since, most: HASHES_MAX }, head, signal)
}
