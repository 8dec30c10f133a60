import type { Address } from '../core/address.ts'
import { isNative } from '../core/asset.ts'
import { BITCOIN, type ChainId, type EvmChainId, isEvmChainId, SOLANA } from '../core/chain.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import type { TransactionId } from '../core/transactionId.ts'
import type { HttpClient } from '../net/httpClient.ts'
import { createReadCache } from '../net/readCache.ts'
import { createBitcoinEvidence, readTipHeight } from './bitcoin/bitcoinEvidence.ts'
import { createEsplora } from './bitcoin/esplora.ts'
import { ChainError } from './chains.ts'
import { confirmationRule } from './confirmations.ts'
import { askTwo, createTimeByTwo, timeOf } from './endpoints/byTwo.ts'
import type { ChainClock } from './endpoints/chainClock.ts'
import { chainEndpoints, type RpcUrls } from './endpoints/chainEndpoints.ts'
import type { ChainHealth, EndpointHealth } from './endpoints/endpointHealth.ts'
import type { Endpoints } from './endpoints/endpoints.ts'
import { createJsonRpc } from './endpoints/jsonRpc.ts'
import { headAgeMaxMs, keepsOldState } from './endpoints/publicEndpoints.ts'
import { createEvmNode, type EvmNode } from './evm/evmAnswers.ts'
import { readEvmCoins } from './evm/evmCoins.ts'
import { createEvmEvidence } from './evm/evmEvidence.ts'
import { demandEvmBlock, type EvmProgress, readEvmProgress } from './evm/evmProgress.ts'
import { createEvmCallAt, readCode } from './evm/evmReads.ts'
import { createLogSearch } from './evm/logSearch.ts'
import { createSearchCalls, type SearchCalls } from './evm/searchCalls.ts'
import { createSearchNode } from './evm/searchNode.ts'
import { clocksApartMs, type Found, type OneChain, type SearchQuery, type Sent, type SentQuery } from './oneChain.ts'
import type { SeenTransaction } from './seen.ts'
import { createSolanaEvidence, readClock, readFinalizedSlot } from './solana/solanaEvidence.ts'

export type { Found, SearchQuery, Sent, SentQuery }

/** The lists that two endpoints found, each alone. */
export type FoundByTwo = { readonly lists: readonly Found[]; readonly isWhole: boolean }

/** Identifies a transaction of a chain. */
export type TransactionQuery = { readonly chainId: ChainId; readonly hash: TransactionId }

/**
 * Evidence of the chains themselves about money. Every call throws ChainError when the chain cannot be read, or its answers do
 * not fit together, and honours its signal. Only `coinsByBalance` needs the state of an old block.
 */
export interface ChainEvidence {
  /** Null while no block of the chain has the transaction. A receipt of more than 16 MiB cannot be read. */
  transaction(query: TransactionQuery, signal: AbortSignal): Promise<SeenTransaction | null>
  /**
   * The coins that an address of an EVM chain gained in the block of a transaction by calls between contracts. Coins sent to it
   * as the value of any transaction of the block do not count. The network fee of this one does not reduce it. Null where the
   * node has dropped the balances of that block.
   *
   * It is the gain of the whole block: two transactions of one block show the same. A claim to it must claim the block.
   */
  coinsByBalance(seen: SeenTransaction, recipient: Address, signal: AbortSignal): Promise<bigint | null>
  /** Transactions that paid an address, oldest first, those of `least` last. Bounded: the latest count before the first. */
  search(query: SearchQuery, signal: AbortSignal): Promise<Found>
  /**
   * The same search by two endpoints, each alone: one that hides a payment from `search`, or adds invented ones, spoils one list
   * only. One list for each; none where the chain has one endpoint, or keeps no list. `isWhole`: both are, or none can exist.
   */
  searchByTwo(query: SearchQuery, signal: AbortSignal): Promise<FoundByTwo>
  /**
   * Transactions by which an address may have paid of an asset. On EVM chains: those that moved the token from it, and for coins
   * those that it sent itself, while the node has its old nonces. On Solana: all that name it. Bounded; none on Bitcoin.
   */
  sentBy(query: SentQuery, signal: AbortSignal): Promise<Sent>
  /**
   * Until when the chain shows that an address was never paid any of an asset, epoch ms, by the chain's own time. Two endpoints
   * must each show it alone; one is enough where the chain has no other. `since`: before that it cannot have been. Null when
   * uncertain: also for an hour while one endpoint shows a payment, then unless all others, two at least, show none.
   */
  untouchedUntil(query: SearchQuery, signal: AbortSignal): Promise<number | null>
  /**
   * The time of the newest block that counts as confirmed, epoch ms: the chain has passed any deadline before it. On Bitcoin the
   * earlier of two endpoints.
   */
  confirmedTime(chainId: ChainId, signal: AbortSignal): Promise<number>
  /** Our clock by that of the chains, as the reads so far show it. */
  readonly clock?: ChainClock
  /** Reads the newest block of a chain for `clock`, in one call. Not of Bitcoin. A failure is not held against the endpoint. */
  readHead?(chainId: ChainId, signal: AbortSignal): Promise<unknown>
  /** Whether an address of an EVM chain has code now, its own or one that it delegates to (EIP-7702). */
  hasCode(where: { readonly chainId: EvmChainId; readonly address: Address }, signal: AbortSignal): Promise<boolean>
}

export type ChainEvidenceOptions = {
  readonly rpcUrls: RpcUrls
  /** How many blocks a payment must be under, where the operator decides that. */
  readonly confirmations?: { readonly [chainId in ChainId]?: number }
  readonly http: HttpClient
  /** The one the other reads of the same endpoints go by. */
  readonly health: EndpointHealth
  /** For one read, all its endpoints together. */
  readonly deadlineMs?: number
  readonly clock?: Clock
  /** Shared with the others that search. Left out: one of its own. */
  readonly searchCalls?: SearchCalls
}

const DEADLINE_MS = 3_000
/** What only saves waiting for another block is not waited for longer than for that. */
const SECOND_DEADLINE_MS = 1_000
/**
 * All transactions that are read within this time share one read of how far their chain has come. Searches and deadlines share one for
 * longer, so that 50 searches stay below the documented limits of public endpoints.
 */
const [PROGRESS_LIFETIME_MS, SEARCH_PROGRESS_LIFETIME_MS] = [1_000, 5_000]

/** Shares a read of a chain, or of its endpoint `alone`, for `lifetimeMs`. */
const createMoment = <T>(clock: Clock, lifetimeMs: number) => {
  const cache = createReadCache<T>({ entriesMax: 256, lifetimeMs }, clock)
  return (chainId: ChainId, read: (signal: AbortSignal) => Promise<T>, alone: string | null = null) =>
    (signal: AbortSignal): Promise<T> => {
      const onAbort = () => new ChainError('timeout', chainId, `chain ${chainId}: cut by the caller`)
      // Belongs to none of those who wait for it, and ends by its own deadline.
      return cache.get(`${chainId} ${alone}`, () => read(new AbortController().signal), { signal, onAbort })
    }
}

const createMoments = (clock: Clock) => ({
  progress: createMoment<EvmProgress>(clock, PROGRESS_LIFETIME_MS),
  searchProgress: createMoment<EvmProgress>(clock, SEARCH_PROGRESS_LIFETIME_MS),
  height: createMoment<number>(clock, PROGRESS_LIFETIME_MS),
  confirmedTime: createMoment<number>(clock, SEARCH_PROGRESS_LIFETIME_MS),
})

/** By the chain's own time, at the earliest. */
const inItsTime = <Q extends SearchQuery | SentQuery>(query: Q): Q => ({
  ...query,
  since: query.since - clocksApartMs(query.asset.chainId),
})

const createReadHead =
  (http: HttpClient, endpointsOf: (chainId: ChainId) => Endpoints): NonNullable<ChainEvidence['readHead']> =>
  async (chainId, signal) => {
    const { health, ...endpoints } = endpointsOf(chainId)
    const begin: ChainHealth['begin'] = (position) => ({ ...health.begin(position), failed: () => undefined })
    const rpc = createJsonRpc(http, { ...endpoints, health: { ...health, begin } })
    if (isEvmChainId(chainId)) return demandEvmBlock(createEvmNode(chainId, rpc), 'latest', signal)
    return chainId === SOLANA && readClock(rpc, signal)
  }

export const createChainEvidence = ({
  rpcUrls,
  confirmations = {},
  http,
  health,
  deadlineMs = DEADLINE_MS,
  clock = systemClock,
  searchCalls = createSearchCalls(),
}: ChainEvidenceOptions): ChainEvidence => {
  const endpointsOf = chainEndpoints(rpcUrls, health, deadlineMs)
  const secondsOf = chainEndpoints(rpcUrls, health, Math.min(deadlineMs, SECOND_DEADLINE_MS))
  const { progress, searchProgress, height, confirmedTime } = createMoments(clock)
  const rpcOf = (chainId: EvmChainId | typeof SOLANA, of: Endpoints = endpointsOf(chainId)) => createJsonRpc(http, of)
  const nodeOf = (chainId: EvmChainId): EvmNode => createEvmNode(chainId, rpcOf(chainId))
  const code = readCode(rpcOf)
  const [searchLogs, timeByTwo] = [createLogSearch({ clock, calls: searchCalls }), createTimeByTwo(clock)]

  /** `alone`: the URL of the only endpoint that is read. */
  const oneChain = (chainId: ChainId, endpoints = endpointsOf(chainId), alone: string | null = null): OneChain => {
    if (isEvmChainId(chainId)) {
      const node = createEvmNode(chainId, rpcOf(chainId, endpoints))
      const latestAt = () => clock.now() + headAgeMaxMs(chainId)
      const ownProgress = progress(chainId, (signal) => readEvmProgress(node, signal, latestAt()), alone)
      const second = createEvmNode(chainId, createJsonRpc(http, secondsOf(chainId)))
      const rule = confirmationRule(chainId, confirmations)
      return createEvmEvidence({
        node,
        second,
        rule,
        call: createEvmCallAt(() => rpcOf(chainId, endpoints)),
        searchLogs,
        searchNode: createSearchNode(chainId, { http, endpoints, calls: searchCalls }, alone),
        progress: ownProgress,
        searchProgress: searchProgress(chainId, ownProgress, alone),
      })
    }
    if (chainId === SOLANA) {
      const rpc = rpcOf(SOLANA, endpoints)
      return createSolanaEvidence({ rpc, finalizedSlot: height(SOLANA, (signal) => readFinalizedSlot(rpc, signal)) })
    }
    const esplora = createEsplora(http, endpoints)
    const rule = confirmationRule(BITCOIN, confirmations)
    const readTip = (signal: AbortSignal) => readTipHeight(esplora, signal)
    return createBitcoinEvidence({ esplora, rule, tipHeight: height(BITCOIN, readTip, alone) })
  }

  return {
    transaction: async ({ chainId, hash }, signal) => oneChain(chainId).transaction(hash, signal),
    coinsByBalance: async (seen, recipient, signal) =>
      isEvmChainId(seen.chainId) ? readEvmCoins(nodeOf(seen.chainId), seen, recipient, signal) : 0n,
    search: async (query, signal) => oneChain(query.asset.chainId).search(inItsTime(query), signal),
    searchByTwo: async (query, signal) => {
      const { chainId } = query.asset
      const endpoints = endpointsOf(chainId)
      if ((await endpoints.urls()).length === 1 || (isEvmChainId(chainId) && isNative(query.asset)))
        return { lists: [], isWhole: true }
      const { answers, failure } = await askTwo<Found>(endpoints, async (of, alone) => {
        const found = await oneChain(chainId, of, alone).search(inItsTime(query), signal)
        return found.isWhole || found.isUnfinished || found.hashes.length > 0 ? found : 'cannotTell'
      })
      if (answers.length === 0 && failure !== null) throw failure
      const lists = answers.map(({ answer }) => answer)
      return { lists, isWhole: lists.length > 1 && lists.every(({ isWhole }) => isWhole) }
    },
    sentBy: async (query, signal) => oneChain(query.asset.chainId).sentBy(inItsTime(query), signal),
    untouchedUntil: async (query, signal) => {
      const { chainId } = query.asset
      if (!keepsOldState(chainId)) return null
      const { asset, recipient, since } = query
      const address = { endpoints: endpointsOf(chainId), key: JSON.stringify([chainId, asset.address, recipient, since]) }
      return timeByTwo(address, (of, alone) => oneChain(chainId, of, alone).untouchedUntil(inItsTime(query), signal))
    },
    confirmedTime: (chainId, signal) => {
      const readTime = (own: AbortSignal) =>
        timeOf(endpointsOf(chainId), (of, alone) => oneChain(chainId, of, alone).confirmedTime(own))
      return confirmedTime(chainId, readTime)(signal)
    },
    clock: health.chainClock,
    readHead: createReadHead(http, endpointsOf),
    hasCode: async (where, signal) => (await code(where, signal)) !== '0x',
  }
}
