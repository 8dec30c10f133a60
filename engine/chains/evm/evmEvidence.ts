import { isNative } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import { ChainError } from '../chains.ts'
import type { OneChain, SearchQuery } from '../oneChain.ts'
import { confirmedHeight } from '../standing.ts'
import { type EvmNode, evmAnswer, toQuantity } from './evmAnswers.ts'
import { topicOf } from './evmMovements.ts'
import { demandEvmBlock } from './evmProgress.ts'
import type { EvmCallAt } from './evmReads.ts'
import { type SearchParts, searchEvm } from './evmSearch.ts'
import { searchSent } from './evmSent.ts'
import { type EvmEvidenceParts, readSeenEvmTransaction } from './seenEvmTransaction.ts'

const BALANCE_OF = '0x70a08231'
const CODE = 'eth_getCode'
const WORD = /^0x[0-9a-f]{64}$/i

type EvmContractParts = EvmEvidenceParts &
  SearchParts & {
    readonly call: EvmCallAt
    /** A few seconds older than `progress`. */
    readonly searchProgress: EvmEvidenceParts['progress']
  }

/** An address at a block: a node that has not reached it refuses, where its own latest block would show less. */
type Held = { readonly query: SearchQuery; readonly block: Hex; readonly signal: AbortSignal }

const readCount = async (node: EvmNode, method: string, { query, block, signal }: Held): Promise<bigint> =>
  evmAnswer(node.chainId, method).quantity(await node.call(method, [query.recipient, block], signal))

const readBytes = async (node: EvmNode, { query, block, signal }: Held): Promise<Hex> =>
  evmAnswer(node.chainId, CODE).data(await node.call(CODE, [query.recipient, block], signal))

/** Null where the token returns no balance. */
const readHeld = async ({ node, call }: EvmContractParts, held: Held): Promise<bigint | null> => {
  const { query, block, signal } = held
  const { asset, recipient } = query
  if (isNative(asset)) return readCount(node, 'eth_getBalance', held)
  const data = await call(asset, `${BALANCE_OF}${topicOf(recipient).slice(2)}` as Hex, { block, signal })
  return data !== null && WORD.test(data) ? BigInt(data) : null
}

/**
 * An address that holds none, never sent a transaction and has no code can have moved none on. (Code that removed itself
 * is the exception, which the search finds: of a token nothing is certain before it is whole. Coins are in no list.)
 */
const readUntouchedUntil = async (parts: EvmContractParts, query: SearchQuery, signal: AbortSignal) => {
  const { node } = parts
  const progress = await parts.searchProgress(signal)
  const { head } = progress
  const held: Held = { query, block: toQuantity(head.height), signal }
  const [amount, sent, bytes] = await Promise.all([
    readHeld(parts, held),
    readCount(node, 'eth_getTransactionCount', held),
    readBytes(node, held),
  ])
  if (amount !== 0n || sent !== 0n || bytes !== '0x') return null
  const { hashes, isWhole, isUnfinished } = await searchEvm(parts, query, progress, signal)
  if (hashes.length > 0) return null
  if (isUnfinished) return 'unfinished'
  return (isWhole || isNative(query.asset)) && !progress.isAhead ? head.at : 'cannotTell'
}

/** Evidence of an EVM chain. */
export const createEvmEvidence = (parts: EvmContractParts): OneChain => {
  const { node, rule, searchProgress } = parts
  return {
    transaction: (hash, signal) => readSeenEvmTransaction(parts, hash, signal),
    search: async (query, signal) => searchEvm(parts, query, await searchProgress(signal), signal),
    sentBy: async (query, signal) => searchSent(parts, query, await searchProgress(signal), signal),
    untouchedUntil: (query, signal) => readUntouchedUntil(parts, query, signal),
    confirmedTime: async (signal) => {
      const reached = await searchProgress(signal)
      if (reached.isAhead)
        throw new ChainError('unreachable', node.chainId, `chain ${node.chainId}: its newest block is of the future`)
      return (await demandEvmBlock(node, confirmedHeight(rule, reached), signal)).at
    },
  }
}
