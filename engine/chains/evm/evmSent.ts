import type { Address } from '../../core/address.ts'
import { isNative } from '../../core/asset.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { ChainError } from '../chains.ts'
import { isRefusal } from '../endpoints/endpoints.ts'
import type { Sent, SentQuery, SentTransaction } from '../oneChain.ts'
import type { BlockMark } from '../standing.ts'
import { type EvmNode, evmAnswer, toQuantity } from './evmAnswers.ts'
import { BLOCK_BYTES_MAX } from './evmCoins.ts'
import { TRANSFER_TOPIC, topicOf } from './evmMovements.ts'
import { demandEvmBlock } from './evmProgress.ts'

/** As in the search for payments: halved where a node refuses. */
const WINDOWS = { blocksMax: 2_000, most: 20, together: 4 } as const

/** A range is cut into so many parts at once, each end of them one call. */
const PARTS = 5
/** Where a search begins is found to within so many blocks. */
const START_BLOCKS = 64
/** Of one who sends all the time so many blocks are read in one search, and the rest in the next. */
const BLOCKS_MAX = 4
/** A block this far below the head stays: a later search begins behind it. */
const SETTLED_BLOCKS = 64

const LOGS = 'eth_getLogs'
const COUNT = 'eth_getTransactionCount'
const BLOCK = 'eth_getBlockByNumber'
const ZERO = /^0x0*$/

/** Heights in it; `from` excluded. */
type Range = { readonly from: number; readonly to: number }

const pointsIn = ({ from, to }: Range): readonly number[] => {
  const points = Array.from({ length: PARTS - 1 }, (_none, index) => from + Math.floor(((to - from) * (index + 1)) / PARTS))
  return [...new Set(points)].filter((point) => point > from && point < to)
}

/** Narrows a range at whose end something holds, and at whose start it does not, to one of at most so many blocks. */
const narrow = async (range: Range, blocks: number, holds: (height: number) => Promise<boolean>): Promise<Range> => {
  let { from, to } = range
  while (to - from > blocks) {
    const points = pointsIn({ from, to })
    const answers = await Promise.all(points.map(holds))
    const first = answers.indexOf(true)
    const [before, behind] = first < 0 ? [points.at(-1), to] : [points[first - 1], points[first]]
    from = before ?? from
    to = behind ?? to
  }
  return { from, to }
}

/** A block of about then, and no younger. */
const startOf = async (node: EvmNode, head: BlockMark, since: number, signal: AbortSignal): Promise<number> => {
  const isYounger = async (height: number) => (await demandEvmBlock(node, height, signal)).at >= since
  let back = WINDOWS.blocksMax
  while (back < head.height && (await isYounger(head.height - back))) back *= 4
  const range = { from: Math.max(0, head.height - back), to: head.height }
  return (await narrow(range, START_BLOCKS, isYounger)).from
}

/** What left the sender of a token. Transfers of nothing are left out: anybody can send those in anybody's name. */
const readTransfers = async (
  node: EvmNode,
  { asset, sender }: SentQuery,
  { from, to }: Range,
  signal: AbortSignal,
): Promise<readonly SentTransaction[]> => {
  const answer = evmAnswer(node.chainId, LOGS)
  const topics = [TRANSFER_TOPIC, topicOf(sender)]
  const filter = { address: asset.address, topics, fromBlock: toQuantity(from + 1), toBlock: toQuantity(to) }
  const found = answer.list(await node.call(LOGS, [filter], signal)).map((log) => {
    const hash = parseTransactionId(node.chainId, answer.word(log['transactionHash']))
    if (hash === null) throw answer.malformed()
    const [height, index] = [answer.count(log['blockNumber']), answer.count(log['logIndex'])]
    return { hash, height, index, isNothing: ZERO.test(answer.data(log['data'])) }
  })
  return found
    .filter(({ isNothing }) => !isNothing)
    .toSorted((a, b) => a.height - b.height || a.index - b.index)
    .map(({ hash, height }) => ({ hash, height }))
}

type Reached = { readonly transactions: readonly SentTransaction[]; readonly to: number }

/** Window behind window, as far as one search goes. */
const byTransfers = async (node: EvmNode, query: SentQuery, { from, to }: Range, signal: AbortSignal): Promise<Reached> => {
  const transactions = new Map<string, SentTransaction>()
  let [reached, blocks, taken]: [number, number, number] = [from, WINDOWS.blocksMax, 0]
  const tryWindow = (range: Range) =>
    readTransfers(node, query, range, signal).catch((error: unknown) => {
      if (isRefusal(error)) return null
      throw error
    })
  while (taken < WINDOWS.most && reached < to) {
    const starts = Array.from({ length: taken === 0 ? 1 : WINDOWS.together }, (_none, index) => reached + index * blocks)
    const windows = starts.filter((start) => start < to).map((start) => ({ from: start, to: Math.min(to, start + blocks) }))
    const reads = await Promise.all(windows.map(tryWindow))
    for (const [index, read] of reads.entries()) {
      if (read === null) break
      for (const one of read) if (!transactions.has(one.hash)) transactions.set(one.hash, one)
      reached = windows[index]?.to ?? reached
      taken += 1
    }
    if (!reads.includes(null)) continue
    if (blocks === 1) throw new ChainError('unreachable', node.chainId, `chain ${node.chainId}: the node looks through no logs`)
    blocks = Math.max(1, Math.floor(blocks / 2))
  }
  return { transactions: [...transactions.values()], to: reached }
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
      const { to: height } = await narrow({ from: reached, to }, 1, async (at) => (await countAt(at)) > known)
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
export const searchSent = async (node: EvmNode, query: SentQuery, head: BlockMark, signal: AbortSignal): Promise<Sent> => {
  const { asset, since, after } = query
  const from = Math.min(head.height, after ?? (await startOf(node, head, since, signal)))
  const range = { from, to: head.height }
  const found = isNative(asset) ? await byNonces(node, query, range, signal) : await byTransfers(node, query, range, signal)
  if (found === null) return { transactions: [], reached: null, at: null }
  const settled = Math.max(from, head.height - SETTLED_BLOCKS)
  return {
    transactions: found.transactions,
    reached: Math.min(found.to, settled),
    at: found.to === head.height ? head.at : null,
  }
}
