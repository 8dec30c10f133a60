import { isNative } from '../../core/asset.ts'
import { enoughLast, type Found, type SearchQuery } from '../oneChain.ts'
import { TRANSFER_TOPIC, topicOf } from './evmMovements.ts'
import type { EvmProgress } from './evmProgress.ts'
import type { LogSearch } from './logSearch.ts'
import type { SearchNode } from './searchNode.ts'

const HASHES_MAX = 1_000

/** A search over the endpoints of one chain. */
export type SearchParts = { readonly searchLogs: LogSearch; readonly searchNode: SearchNode }

/** See ChainEvidence.search. */
export const searchEvm = async (
  { searchLogs, searchNode }: SearchParts,
  { asset, recipient, since, least = 0n, budget = 'partner' }: SearchQuery,
  progress: EvmProgress,
  signal: AbortSignal,
): Promise<Found> => {
  // No node keeps a list of coin payments.
  if (isNative(asset)) return { hashes: [], isWhole: false }
  const topics = [TRANSFER_TOPIC, null, topicOf(recipient)] as const
  const how = { areTransfers: true, order: 'latest', most: HASHES_MAX } as const
  const { logs, isWhole, isUnfinished } = await searchLogs(
    searchNode,
    { address: asset.address, topics, since, least, budget, ...how },
    progress,
    signal,
  )
  const hashes = enoughLast(logs, ({ amount }) => amount >= least).map(({ hash }) => hash)
  return { hashes, isWhole: isWhole && hashes.length < HASHES_MAX, ...(isUnfinished && { isUnfinished: true }) }
}
