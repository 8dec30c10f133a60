import type { ChainId } from '../../core/chain.ts'
import type { PinSource, VenueProfile } from '../venue.ts'
import type { ThorNode } from './client.ts'
import { codeOf } from './published.ts'
import { anyInbound } from './wire.ts'

type Node = Pick<ThorNode, 'host' | 'inboundAddresses'>

/** The routers in the inbound addresses of each node: either may list a new one first. */
export const createPins = (nodes: readonly Node[], routers: VenueProfile['contracts']): readonly PinSource[] =>
  nodes.map(({ host, inboundAddresses }) => ({
    name: `inbound addresses of ${host}`,
    claims: async (signal) => {
      const rows = (await inboundAddresses(signal)).flatMap((row) => anyInbound.readOrNull(row) ?? [])
      const listed = rows.flatMap(({ chain, router }) =>
        typeof chain === 'string' && typeof router === 'string' && router !== '' ? [{ code: chain, router }] : [],
      )
      const pinned = new Map(Object.entries(routers).map(([id, own]) => [codeOf({ chainId: Number(id) as ChainId }), own]))
      return [...new Set([...pinned.keys(), ...listed.map(({ code }) => code)])].map((chain) => ({
        what: `router on ${chain}`,
        pinned: pinned.get(chain) ?? [],
        published: listed.flatMap(({ code, router }) => (code === chain ? [router] : [])),
      }))
    },
  }))
