import { rpcUrlsKey } from '../engine/config/chains.ts'
import { venueKey } from '../engine/config/venues.ts'
import { CHAIN_IDS } from '../engine/core/chain.ts'
import type { Simnet } from '../engine/simnet/simnet.ts'

/** What an operator would set to have the service of the public network talk to an offline one instead. */
export const liveEnvironment = ({ venues, rpcUrls }: Simnet): { readonly [name: string]: string } => ({
  NETWORK: 'mainnet',
  ...Object.fromEntries(CHAIN_IDS.map((chainId) => [rpcUrlsKey(chainId), rpcUrls[chainId] ?? ''])),
  ...Object.fromEntries(
    Object.entries(venues).flatMap(([id, { baseUrl, settings }]) =>
      Object.entries({ BASE_URL: baseUrl, ...settings }).map(([name, value]) => [venueKey(id, name), value]),
    ),
  ),
})
