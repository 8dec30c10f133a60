import type { Hex } from '../../core/execution.ts'
import { ChainError } from '../chains.ts'
import type { BlockMark, Progress } from '../standing.ts'
import { type EvmNode, evmAnswer, toQuantity } from './evmAnswers.ts'

export type EvmBlock = BlockMark & { readonly hash: Hex }

/**
 * `url`: of the endpoint that shows the head; it may hold a key. `isAhead`: the head is too far in the future, by the bound for
 * its age, and no second endpoint answers. Such a head proves nothing about the contents of the chain.
 */
export type EvmProgress = Progress & { readonly head: EvmBlock; readonly url: string; readonly isAhead: boolean }

const METHOD = 'eth_getBlockByNumber'

type Where = number | 'latest' | 'finalized'

const askBlock = async (node: EvmNode, where: Where, signal: AbortSignal, except: { readonly except?: string } = {}) => {
  const isHead = where === 'latest'
  const params = [typeof where === 'number' ? toQuantity(where) : where, false]
  const { result: found, sawHead, url } = await node.ask(METHOD, params, signal, { isHead, ...except })
  if (found === null) return { block: null, url, lags: false }
  const answer = evmAnswer(node.chainId, METHOD)
  const { number, hash, timestamp } = answer.fields(found)
  const height = answer.count(number)
  if (typeof where === 'number' && height !== where) throw answer.malformed()
  const at = answer.count(timestamp) * 1_000
  const lags = isHead && sawHead(at)
  return { block: { height, hash: answer.word(hash), at } satisfies EvmBlock, url, lags }
}

/** Null where the node lacks the block. */
export const readEvmBlock = async (node: EvmNode, where: Where, signal: AbortSignal): Promise<EvmBlock | null> =>
  (await askBlock(node, where, signal)).block

/** As readEvmBlock, for a block that must exist: a node without it is behind the endpoint that reported it. */
const demand = (node: EvmNode, where: Where, block: EvmBlock | null): EvmBlock => {
  if (block === null) throw new ChainError('unreachable', node.chainId, `chain ${node.chainId}: no block ${where} yet`)
  return block
}

export const demandEvmBlock = async (node: EvmNode, where: number | 'latest', signal: AbortSignal): Promise<EvmBlock> =>
  demand(node, where, await readEvmBlock(node, where, signal))

/**
 * A node may lack the tag, and reports that with any code. After any failure the depth of a block decides, which takes longer.
 * Had the whole read failed, nothing would ever be final by such a node.
 */
const readFinalized = async (node: EvmNode, signal: AbortSignal): Promise<number | null> => {
  try {
    return (await readEvmBlock(node, 'finalized', signal))?.height ?? null
  } catch (error) {
    if (error instanceof ChainError && !signal.aborted) return null
    throw error
  }
}

/**
 * A second endpoint judges a head that is later than `latestAt`: when it shows such a head too, our clock is wrong. It also
 * replaces an endpoint that still lags.
 */
const readHead = async (node: EvmNode, latestAt: number, signal: AbortSignal): Promise<Omit<EvmProgress, 'finalized'>> => {
  const read = async (except: { readonly except?: string } = {}) => {
    const { block, url, lags } = await askBlock(node, 'latest', signal, except)
    return { lags, progress: { head: demand(node, 'latest', block), url, isAhead: false } }
  }
  const { lags, progress: first } = await read()
  const isAhead = first.head.at > latestAt
  if (!isAhead && !lags) return first
  try {
    const { progress: second } = await read({ except: first.url })
    const { at } = second.head
    return (isAhead ? at < first.head.at : at > first.head.at && at <= latestAt) ? second : first
  } catch (error) {
    if (error instanceof ChainError && !signal.aborted) return { ...first, isAhead }
    throw error
  }
}

/** `latestAt`: epoch ms by our clock; no honest head is later. */
export const readEvmProgress = async (
  node: EvmNode,
  signal: AbortSignal,
  latestAt = Number.POSITIVE_INFINITY,
): Promise<EvmProgress> => {
  const [head, finalized] = await Promise.all([readHead(node, latestAt, signal), readFinalized(node, signal)])
  return { ...head, finalized: finalized === null ? null : Math.min(finalized, head.head.height) }
}
