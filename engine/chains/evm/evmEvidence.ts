import type { Address } from '../../core/address.ts'
import { type Asset, isNative } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { Chains } from '../chains.ts'
import type { OneChain, SearchQuery } from '../oneChain.ts'
import { confirmedHeight } from '../standing.ts'
import { type EvmNode, evmAnswer } from './evmAnswers.ts'
import { topicOf } from './evmMovements.ts'
import { demandEvmBlock } from './evmProgress.ts'
import type { EvmCall } from './evmReads.ts'
import { searchEvm } from './evmSearch.ts'
import { type EvmEvidenceParts, readSeenEvmTransaction } from './seenEvmTransaction.ts'

const BALANCE_OF = '0x70a08231'
const WORD = /^0x[0-9a-f]{64}$/i

const readCount = async (node: EvmNode, method: string, address: Address, signal: AbortSignal): Promise<bigint> =>
  evmAnswer(node.chainId, method).quantity(await node.call(method, [address, 'latest'], signal))

type EvmContractParts = EvmEvidenceParts & { readonly call: EvmCall; readonly code: Chains['code'] }

/** Null where the token does not tell. */
const readHeld = async (
  { node, call }: { readonly node: EvmNode; readonly call: EvmCall },
  { asset, recipient }: { readonly asset: Asset; readonly recipient: Address },
  signal: AbortSignal,
): Promise<bigint | null> => {
  if (isNative(asset)) return readCount(node, 'eth_getBalance', recipient, signal)
  const data = await call(asset, `${BALANCE_OF}${topicOf(recipient).slice(2)}` as Hex, signal)
  return data !== null && WORD.test(data) ? BigInt(data) : null
}

/**
 * An address that holds none, never sent a transaction and has no code can have moved none on. (Code that removed itself
 * is the exception, which the search finds as far as it goes.)
 */
const readIsUntouched = async (parts: EvmContractParts, query: SearchQuery, signal: AbortSignal) => {
  const { node, code } = parts
  const { recipient } = query
  const [held, sent, bytes] = await Promise.all([
    readHeld(parts, query, signal),
    readCount(node, 'eth_getTransactionCount', recipient, signal),
    code({ chainId: node.chainId, address: recipient }, signal),
  ])
  if (held !== 0n || sent !== 0n || bytes !== '0x') return false
  const { head } = await parts.progress(signal)
  return (await searchEvm(node, query, head, signal)).hashes.length === 0
}

/** What an EVM chain shows. */
export const createEvmEvidence = (parts: EvmContractParts): OneChain => {
  const { node, rule, progress } = parts
  return {
    transaction: (hash, signal) => readSeenEvmTransaction(parts, hash, signal),
    search: async (query, signal) => searchEvm(node, query, (await progress(signal)).head, signal),
    isUntouched: (query, signal) => readIsUntouched(parts, query, signal),
    confirmedTime: async (signal) => (await demandEvmBlock(node, confirmedHeight(rule, await progress(signal)), signal)).at,
  }
}
