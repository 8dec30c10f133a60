import type { ChainId } from '../../core/chain.ts'
import type { PinSource, VenueProfile } from '../venue.ts'
import type { ThorNode } from './client.ts'
import { codeOf } from './published.ts'
import { anyInbound } from './wire.ts'

/** THORChain has one router for each of about five chains. */
const ROUTERS_MAX = 300

type Node = Pick<ThorNode, 'host' | 'inboundAddresses'>

/** The routers in the inbound addresses of each node: either node may list a new one first. */
export const createPins = (nodes: readonly Node[], routers: VenueProfile['contracts']): readonly PinSource[] =>
  nodes.map(({ host, inboundAddresses }) => ({
    name: `inbound addresses of ${host}`,
    claims: async (signal) => {
      const listed = (await inboundAddresses(signal)).flatMap((row) => {
        const { chain, router } = anyInbound.readOrNull(row) ?? {}
        return typeof chain === 'string' && typeof router === 'string' && router !== '' ? [{ chain, router }] : []
      })
      if (listed.length > ROUTERS_MAX) throw new Error(`too many rows: ${listed.length} routers`)
      const published = Map.groupBy(listed, ({ chain }) => chain)
      const pinned = new Map(Object.entries(routers).map(([id, own]) => [codeOf({ chainId: Number(id) as ChainId }), own]))
      return [...new Set([...pinned.keys(), ...published.keys()])].map((chain) => ({
        what: `router on ${chain}`,
        pinned: pinned.get(chain) ?? [],
        published: (published.get(chain) ?? []).map(({ router }) => router),
      }))
    },
  }))
