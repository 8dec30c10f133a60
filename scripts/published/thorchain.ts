import type { ChainId } from '../../engine/core/chain.ts'
import type { HttpClient } from '../../engine/net/httpClient.ts'
import { createNode } from '../../engine/venues/thorchain/client.ts'
import { codeOf, PUBLIC_BASE_URL, ROUTERS, SECOND_URL, VENUE_ID } from '../../engine/venues/thorchain/published.ts'
import { readSettings } from '../../engine/venues/thorchain/settings.ts'
import { anyInbound } from '../../engine/venues/thorchain/wire.ts'
import { type Comparison, differencesOf } from './comparison.ts'

/** Both nodes, as each may know of a new router before the other. */
export const THORCHAIN_NODES: readonly string[] = [PUBLIC_BASE_URL, SECOND_URL]

const NODE_MS = 30_000

const CHAIN_IDS = Object.keys(ROUTERS).map((chainId) => Number(chainId) as ChainId)

/**
 * No package tells the routers of THORChain: the network's nodes do, in their inbound addresses. On each chain theirs must be
 * one of those we know, and no chain but ours may have one. Throws what the node's client throws.
 */
export const compareThorchain = async (http: HttpClient, baseUrl: string): Promise<Comparison> => {
  const settings = readSettings({ baseUrl, apiKey: null, settings: {} })
  const rows = await createNode(baseUrl, settings, http).inboundAddresses(AbortSignal.timeout(NODE_MS))
  const listed = new Map(
    rows.flatMap((row) => {
      const { chain, router } = anyInbound.readOrNull(row) ?? {}
      return typeof chain === 'string' && typeof router === 'string' && router !== '' ? [[chain, router]] : []
    }),
  )
  const ours = CHAIN_IDS.map((chainId) => {
    const code = codeOf({ chainId })
    const [known, theirs] = [ROUTERS[chainId] ?? [], listed.get(code)]
    listed.delete(code)
    const same = known.find((router) => router.toLowerCase() === theirs?.toLowerCase())
    return { what: `router on ${code}`, ours: same ?? known.join(' or '), theirs }
  })
  const others = [...listed].map(([code, theirs]) => ({ what: `router on ${code}`, ours: null, theirs }))
  const claims = [...ours, ...others]
  return { venue: VENUE_ID, sources: [baseUrl], compared: claims.length, differences: differencesOf(claims) }
}
