import type { Hex } from '../../core/execution.ts'
import { ChainError } from '../chains.ts'
import type { BlockMark, Progress } from '../standing.ts'
import { type EvmNode, evmAnswer, toQuantity } from './evmAnswers.ts'

export type EvmBlock = BlockMark & { readonly hash: Hex }

export type EvmProgress = Progress & { readonly head: EvmBlock }

const METHOD = 'eth_getBlockByNumber'

/** Null where the node has no such block. */
export const readEvmBlock = async (
  node: EvmNode,
  where: number | 'latest' | 'finalized',
  signal: AbortSignal,
): Promise<EvmBlock | null> => {
  const isHead = where === 'latest'
  const params = [typeof where === 'number' ? toQuantity(where) : where, false]
  const { result: found, sawHead } = await node.ask(METHOD, params, signal, { isHead })
  if (found === null) return null
  const answer = evmAnswer(node.chainId, METHOD)
  const { number, hash, timestamp } = answer.fields(found)
  const height = answer.count(number)
  if (typeof where === 'number' && height !== where) throw answer.malformed()
  const at = answer.count(timestamp) * 1_000
  if (isHead) sawHead(at)
  return { height, hash: answer.word(hash), at }
}

/** As readEvmBlock, of a block that must be there: a node without it is behind the one that told of it. */
export const demandEvmBlock = async (node: EvmNode, where: number | 'latest', signal: AbortSignal): Promise<EvmBlock> => {
  const block = await readEvmBlock(node, where, signal)
  if (block === null) throw new ChainError('unreachable', node.chainId, `chain ${node.chainId}: no block ${where} yet`)
  return block
}

/**
 * A node may lack the tag, and says so with any code: whatever keeps it from telling, the depth of a block must do, which
 * takes longer. Had the whole read failed, nothing would ever be final by such a node.
 */
const readFinalized = async (node: EvmNode, signal: AbortSignal): Promise<number | null> => {
  try {
    return (await readEvmBlock(node, 'finalized', signal))?.height ?? null
  } catch (error) {
    if (error instanceof ChainError && !signal.aborted) return null
    throw error
  }
}

export const readEvmProgress = async (node: EvmNode, signal: AbortSignal): Promise<EvmProgress> => {
  const [head, finalized] = await Promise.all([demandEvmBlock(node, 'latest', signal), readFinalized(node, signal)])
  return { head, finalized }
}
