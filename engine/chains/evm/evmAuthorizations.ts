import type { Address } from '../../core/address.ts'
import type { EvmChainId } from '../../core/chain.ts'
import { systemClock } from '../../core/clock.ts'
import type { Hex } from '../../core/execution.ts'
import type { TransactionId } from '../../core/transactionId.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import { confirmationRule } from '../confirmations.ts'
import { chainEndpoints, type RpcUrls } from '../endpoints/chainEndpoints.ts'
import type { EndpointHealth } from '../endpoints/endpointHealth.ts'
import { createJsonRpc } from '../endpoints/jsonRpc.ts'
import { clocksApartMs } from '../oneChain.ts'
import { confirmedHeight } from '../standing.ts'
import { createEvmNode, evmAnswer, toQuantity } from './evmAnswers.ts'
import { keccakText } from './evmCodec.ts'
import { topicOf } from './evmMovements.ts'
import { demandEvmBlock, readEvmProgress } from './evmProgress.ts'
import { createEvmCallAt } from './evmReads.ts'
import { createLogSearch } from './logSearch.ts'
import { createSearchCalls, type SearchCalls } from './searchCalls.ts'
import { createSearchNode } from './searchNode.ts'

/** https://eips.ethereum.org/EIPS/eip-3009 */
export const AUTHORIZATION_USED_TOPIC = keccakText('AuthorizationUsed(address,bytes32)')
export const AUTHORIZATION_CANCELED_TOPIC = keccakText('AuthorizationCanceled(address,bytes32)')
const AUTHORIZATION_STATE = keccakText('authorizationState(address,bytes32)').slice(0, 10)

/** Something signed that a token moves money by, once (EIP-3009). Times are epoch ms. */
export type Authorization = {
  readonly chainId: EvmChainId
  readonly token: Address
  readonly authorizer: Address
  /** 32 bytes, in lower case. */
  readonly nonce: Hex
  /** It was not used before. */
  readonly since: number
  readonly validBefore: number
}

/**
 * `closed`: used or cancelled, by the latest block. `open`: neither, and it may still be. `expired`: neither, as of a
 * confirmed block from which on it cannot be used.
 */
export type AuthorizationStanding = 'closed' | 'open' | 'expired'

/** Evidence of a token about signed authorizations. Every call throws ChainError only and honours its signal. */
export interface EvmAuthorizations {
  standing(authorization: Authorization, signal: AbortSignal): Promise<AuthorizationStanding>
  /** The transaction that used or cancelled it. Null when none was found, which proves nothing. */
  closing(authorization: Authorization, signal: AbortSignal): Promise<TransactionId | null>
}

export type EvmAuthorizationsOptions = {
  readonly rpcUrls: RpcUrls
  /** How many blocks count as confirmed, where the operator decides that. */
  readonly confirmations?: Parameters<typeof confirmationRule>[1]
  readonly http: HttpClient
  readonly health: EndpointHealth
  /** Shared with the others that search. Left out: one of its own. */
  readonly searchCalls?: SearchCalls
  /** For one read, all its endpoints together. */
  readonly deadlineMs?: number
}

const DEADLINE_MS = 3_000

export const createEvmAuthorizations = ({
  rpcUrls,
  confirmations = {},
  http,
  health,
  searchCalls = createSearchCalls(),
  deadlineMs = DEADLINE_MS,
}: EvmAuthorizationsOptions): EvmAuthorizations => {
  const endpointsOf = chainEndpoints(rpcUrls, health, deadlineMs)
  const rpcOf = (chainId: EvmChainId) => createJsonRpc(http, endpointsOf(chainId))
  const call = createEvmCallAt(rpcOf)
  const searchLogs = createLogSearch({ clock: systemClock, calls: searchCalls })

  const isClosed = async (
    { chainId, token, authorizer, nonce }: Authorization,
    block: Hex | 'latest',
    signal: AbortSignal,
  ): Promise<boolean> => {
    const data = `${AUTHORIZATION_STATE}${topicOf(authorizer).slice(2)}${nonce.slice(2)}` as Hex
    const found = await call({ chainId, address: token }, data, { block, signal })
    const answer = evmAnswer(chainId, 'eth_call')
    const state = BigInt(answer.word(found))
    if (state > 1n) throw answer.malformed()
    return state === 1n
  }

  return {
    standing: async (authorization, signal) => {
      const { chainId, validBefore } = authorization
      const node = createEvmNode(chainId, rpcOf(chainId))
      const [progress, closed] = await Promise.all([readEvmProgress(node, signal), isClosed(authorization, 'latest', signal)])
      if (closed) return 'closed'
      if (progress.head.at < validBefore) return 'open'
      const { height, at } = await demandEvmBlock(
        node,
        confirmedHeight(confirmationRule(chainId, confirmations), progress),
        signal,
      )
      if (at < validBefore) return 'open'
      // As of that very block: the node that answered before may have been behind it.
      return (await isClosed(authorization, toQuantity(height), signal)) ? 'closed' : 'expired'
    },
    closing: async ({ chainId, token, authorizer, nonce, since: from }, signal) => {
      const node = createEvmNode(chainId, rpcOf(chainId))
      const topics = [[AUTHORIZATION_USED_TOPIC, AUTHORIZATION_CANCELED_TOPIC], topicOf(authorizer), nonce] as const
      const since = from - clocksApartMs(chainId)
      const how = { areTransfers: false, order: 'latest', most: 1, budget: 'partner' } as const
      const searchNode = createSearchNode(chainId, { http, endpoints: endpointsOf(chainId), calls: searchCalls })
      const progress = await readEvmProgress(node, signal)
      const { logs } = await searchLogs(searchNode, { address: token, topics, since, ...how }, progress, signal)
      return logs.at(-1)?.hash ?? null
    },
  }
}
