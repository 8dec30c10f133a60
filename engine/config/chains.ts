import type { RpcUrls } from '../chains/endpoints/chainEndpoints.ts'
import { BITCOIN, CHAIN_IDS, type ChainId, SOLANA } from '../core/chain.ts'
import type { Reader } from './reader.ts'

/** The required confirmations of a payment, its own block included; for chains where the operator sets them. */
export type Confirmations = { readonly [chainId in ChainId]?: number }

const CONFIRMATIONS_MAX = 10_000

const keyOf = (prefix: string, chainId: ChainId): string =>
  `${prefix}_${chainId === BITCOIN ? 'BITCOIN' : chainId === SOLANA ? 'SOLANA' : chainId}`

/** The variable of one chain's endpoints. */
export const rpcUrlsKey = (chainId: ChainId): string => keyOf('RPC_URLS', chainId)

export const readRpcUrls = (reader: Reader): RpcUrls =>
  Object.fromEntries(CHAIN_IDS.map((chainId) => [chainId, reader.urls(rpcUrlsKey(chainId))]))

export const readConfirmations = (reader: Reader): Confirmations => {
  const given = CHAIN_IDS.flatMap((chainId) => {
    const key = keyOf('CONFIRMATIONS', chainId)
    if (reader.optional(key) === null) return []
    if (chainId === SOLANA) reader.problems.push(`${key} cannot be set: what counts there is the commitment "confirmed"`)
    return [[chainId, reader.integer(key, 1, { min: 1, max: CONFIRMATIONS_MAX })]]
  })
  return Object.fromEntries(given) as Confirmations
}
