import { CHAINS } from '../core/chain.ts'
import type { Config } from './config.ts'
import { venueKey } from './venues.ts'

const listed = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join(', '))

const NETWORKS = {
  simnet:
    "NETWORK=simnet: every venue, price and chain is simulated. Nothing is worth anything. NETWORK=mainnet uses the venues' public hosts.",
  mainnet: "NETWORK=mainnet: the venues' public hosts, with real money.",
} as const

/** The summary at the start, in four lines: the network, the venues on and off, and the chains read from public endpoints. */
export const startSummary = ({ network, venues, venuesEnabled, venuesWithoutKey, rpcUrls }: Config): readonly string[] => {
  const chosen = [...venuesEnabled, ...venuesWithoutKey]
  const unlisted = Object.keys(venues).filter((id) => !chosen.includes(id))
  const off = [
    ...venuesWithoutKey.map((id) => `${id} (${venueKey(id, 'API_KEY')} is not set)`),
    ...unlisted.map((id) => `${id} (not in VENUES_ENABLED)`),
  ]
  const onPublic = CHAINS.filter(({ chainId }) => network === 'mainnet' && rpcUrls[chainId]?.length === 0)
  return [
    NETWORKS[network],
    `Venues on: ${listed(venuesEnabled)}`,
    `Venues off: ${listed(off)}`,
    `Chains on public endpoints: ${listed(onPublic.map(({ name }) => name))}`,
  ]
}
