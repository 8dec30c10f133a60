import type { ChainId } from '../../core/chain.ts'
import data from './publicEndpoints.json' with { type: 'json' }

/** A well-known endpoint that needs no key, who runs it, and its limits as its provider documents them or as they were measured. */
export type PublicEndpoint = {
  readonly url: string
  readonly provider: string
  /** The most blocks that one `eth_getLogs` may span. 0: the method is disabled. Null: unknown. */
  readonly logBlocks: number | null
  /** For one address of the caller. Null: unknown. */
  readonly requestsPerMinute: number | null
  readonly source: string
}

const CHAINS: { readonly [chainId in ChainId]: readonly string[] } = data.chains

const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** A host that belongs to no provider of the list throws. */
const readEndpoint = (url: string): PublicEndpoint => {
  const { hostname } = new URL(url)
  const row = data.providers.find(({ domain }) => isUnder(hostname, domain))
  if (!row) throw new Error(`${hostname} belongs to no known provider`)
  const { domain: _domain, ...facts } = row
  return { url, ...facts }
}

const ENDPOINTS = new Map(Object.values(CHAINS).flatMap((urls) => urls.map((url) => [url, readEndpoint(url)] as const)))

/** The limits of an endpoint; null where it is no public one, such as the operator's own. */
export const endpointFacts = (url: string): PublicEndpoint | null => ENDPOINTS.get(url) ?? null

/** The endpoints of a chain for operators who set none, in order of preference: JSON-RPC, or Esplora for Bitcoin. */
export const publicEndpoints = (chainId: ChainId): readonly PublicEndpoint[] =>
  CHAINS[chainId].flatMap((url) => endpointFacts(url) ?? [])
