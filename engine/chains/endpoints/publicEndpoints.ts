import type { ChainId } from '../../core/chain.ts'
import data from './publicEndpoints.json' with { type: 'json' }

/** A public endpoint without a key, its provider, and its limits as documented or as measured. */
export type PublicEndpoint = {
  readonly url: string
  readonly provider: string
  /** The most blocks that one `eth_getLogs` may span. 0: the method is disabled. Null: unknown. */
  readonly logBlocks: number | null
  /** For one address of the caller. Null: unknown. */
  readonly requestsPerMinute: number | null
  readonly source: string
}

const CHAINS: { readonly [chainId in ChainId]: (typeof data.chains)['1' | '-1'] } = data.chains

/** A host that belongs to no provider of the list throws. */
const readEndpoint = (url: string): PublicEndpoint => {
  const { hostname } = new URL(url)
  const row = data.providers.find(({ domain }) => `.${hostname}`.endsWith(`.${domain}`))
  if (!row) throw new Error(`${hostname} belongs to no known provider`)
  const { domain: _domain, ...facts } = row
  return { url, ...facts }
}

const ENDPOINTS = new Map(Object.values(CHAINS).flatMap(({ urls }) => urls.map((url) => [url, readEndpoint(url)] as const)))

/** The limits of an endpoint; null where it is no public one, such as the operator's own. */
export const endpointFacts = (url: string): PublicEndpoint | null => ENDPOINTS.get(url) ?? null

/** The endpoints of a chain for operators who set none, in order of preference: JSON-RPC, or Esplora for Bitcoin. */
export const publicEndpoints = (chainId: ChainId): readonly PublicEndpoint[] =>
  CHAINS[chainId].urls.flatMap((url) => endpointFacts(url) ?? [])

/**
 * The age in ms from which the newest block of an endpoint counts as lagging: several blocks, more where blocks are only made for
 * transactions. Bitcoin's blocks come by chance: its bound is that of twelve.
 */
export const headAgeMaxMs = (chainId: ChainId): number => CHAINS[chainId].headAgeSeconds * 1_000

/** The same in blocks, at least 64. */
export const headAgeMaxBlocks = (chainId: ChainId): number =>
  Math.max(64, Math.ceil(headAgeMaxMs(chainId) / 1_000 / CHAINS[chainId].blockSeconds))

/**
 * Whether the nodes of a chain can show its state at an old block. Those of HyperEVM answer with the latest state, and without an error:
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/hyperevm/json-rpc ("only the latest block is supported").
 */
export const keepsOldState = (chainId: ChainId): boolean => CHAINS[chainId].hasOldState
