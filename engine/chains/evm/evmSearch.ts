import { isNative } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { Found, SearchQuery } from '../oneChain.ts'
import { TRANSFER_TOPIC, topicOf } from './evmMovements.ts'
import type { EvmProgress } from './evmProgress.ts'
import type { LogSearch } from './logSearch.ts'
import type { SearchNode } from './searchNode.ts'

const HASHES_MAX = 1_000
const ZERO = /^0x0*$/

/** Transfers of nothing are left out: anybody can send those in anybody's name. */
export const isTransferKept = (data: Hex): boolean => !ZERO.test(data)

/** A search over the endpoints of one chain. */
export type SearchParts = { readonly searchLogs: LogSearch; readonly searchNode: SearchNode }

/** See ChainEvidence.search. */
export const searchEvm = async (
  { searchLogs, searchNode }: SearchParts,
  { asset, recipient, since, budget = 'partner' }: SearchQuery,
  progress: EvmProgress,
  signal: AbortSignal,
): Promise<Found> => {
  // No node keeps a list of who was paid coins.
  if (isNative(asset)) return { hashes: [], isWhole: false }
  const topics = [TRANSFER_TOPIC, null, topicOf(recipient)] as const
  const how = { isKept: isTransferKept, order: 'latest', most: HASHES_MAX } as const
  const { logs, isWhole, isUnfinished } = await searchLogs(
    searchNode,
    { address: asset.address, topics, since, budget, ...how },
    progress,
    signal,
  )
  return { hashes: logs.map(({ hash }) => hash), isWhole, ...(isUnfinished && { isUnfinished: true }) }
}
