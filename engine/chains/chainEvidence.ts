import { BITCOIN, SOLANA } from '../core/chain.ts'
import type { HttpClient } from '../net/httpClient.ts'
import { readBitcoinPayments } from './bitcoin/bitcoinPayments.ts'
import { chainEndpoints, type RpcUrls } from './endpoints/chainEndpoints.ts'
import type { EndpointHealth } from './endpoints/endpointHealth.ts'
import { createJsonRpc } from './endpoints/jsonRpc.ts'
import { readEvmPayments } from './evm/evmPayments.ts'
import type { PaymentQuery, Payments } from './payments.ts'
import { readSolanaPayments } from './solana/solanaPayments.ts'

/** What the chains themselves say of a venue's claims. */
export interface ChainEvidence {
  /**
   * What a transaction paid to an address, once it is final enough to be believed: in a block on EVM chains, confirmed
   * on Solana, with one confirmation on Bitcoin. Null when the chain has no such transaction yet; nothing paid when it
   * failed. Throws ChainError when the chain cannot be read.
   */
  payments(query: PaymentQuery, signal: AbortSignal): Promise<Payments | null>
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
