import { BITCOIN, SOLANA } from '../core/chain.ts'
import type { HttpClient } from '../net/httpClient.ts'
import { readBitcoinPayments } from './bitcoin/bitcoinPayments.ts'
import { chainEndpoints, type RpcUrls } from './endpoints/chainEndpoints.ts'
import type { EndpointHealth } from './endpoints/endpointHealth.ts'
import { createJsonRpc } from './endpoints/jsonRpc.ts'
import { readEvmPayments } from './evm/evmPayments.ts'
import type { PaymentQuery, Payments } from './payments.ts'
import { readSolanaPayments } from './solana/solanaPayments.ts'

/** Which transaction of a chain. */
export type TransactionQuery = { readonly chainId: ChainId; readonly hash: TransactionId }

/** Whose payments are looked for. `since`: epoch ms, by the chain's own time. */
export type SearchQuery = { readonly asset: Asset; readonly recipient: Address; readonly since: number }

/** `isWhole` false: there may be more than were found, since the chain keeps no list of them or it was cut short. */
export type Found = { readonly hashes: readonly TransactionId[]; readonly isWhole: boolean }

/**
 * What the chains themselves say of money. Every call throws ChainError when the chain cannot be read, and honours its
 * signal. Nothing here needs the state of an old block but `coinsByBalance`.
 */
export interface ChainEvidence {
  /** Null while the chain has no such transaction in a block. */
  transaction(query: TransactionQuery, signal: AbortSignal): Promise<SeenTransaction | null>
  /**
   * The coins that an address of an EVM chain gained in the block of a transaction, beyond those sent to it by the value of
   * any transaction of the block, and beside what it paid for its own: what arrived by calls between contracts. Null where
   * the node does not keep the balances of that block any more.
   */
  coinsByBalance(seen: SeenTransaction, recipient: Address, signal: AbortSignal): Promise<bigint | null>
  /** Transactions that paid an address, oldest first. Bounded: the latest are found rather than the first. */
  search(query: SearchQuery, signal: AbortSignal): Promise<Found>
  /** True when the chain shows that an address was never paid any of an asset. False whenever that is not certain. */
  isUntouched(where: Omit<SearchQuery, 'since'>, signal: AbortSignal): Promise<boolean>
  /** The time of the newest block that counts as confirmed, epoch ms: a deadline before it has passed for the chain. */
  confirmedTime(chainId: ChainId, signal: AbortSignal): Promise<number>
  /** Whether an address of an EVM chain has code now, its own or one that it delegates to (EIP-7702). */
  hasCode(where: { readonly chainId: EvmChainId; readonly address: Address }, signal: AbortSignal): Promise<boolean>
}

export type ChainEvidenceOptions = {
  readonly rpcUrls: RpcUrls
  readonly http: HttpClient
  /** The one the other reads of the same endpoints go by. */
  readonly health: EndpointHealth
  readonly deadlineMs?: number
}

const DEADLINE_MS = 3_000

export const createChainEvidence = ({ rpcUrls, http, health, deadlineMs = DEADLINE_MS }: ChainEvidenceOptions): ChainEvidence => {
  const endpointsOf = chainEndpoints(rpcUrls, health, deadlineMs)
  return {
    payments: (query, signal) => {
      const { chainId } = query.asset
      if (chainId === BITCOIN) return readBitcoinPayments(http, endpointsOf(BITCOIN), query, signal)
      const rpc = createJsonRpc(http, endpointsOf(chainId))
      return chainId === SOLANA ? readSolanaPayments(rpc, query, signal) : readEvmPayments(rpc, query, signal)
    },
  }
}
