import type { Config } from '../engine/config/config.ts'
import { Secret } from '../engine/core/secret.ts'

/** A port without a listener: calls of a venue that does not run fail at once. https://www.rfc-editor.org/rfc/rfc863 */
const NOWHERE = 'http://127.0.0.1:9'

/** The addresses of the parts of an offline network. */
export type SimnetPlaces = {
  readonly venues: { readonly [id: string]: { readonly baseUrl: string; readonly settings: { readonly [name: string]: string } } }
  readonly rpcUrls: { readonly [chainId: string]: string }
  readonly facilitator: { readonly url: string }
}

/** The same configuration with the addresses of the offline network for every running venue and every chain. */
export const onSimnet = (config: Config, { venues, rpcUrls, facilitator }: SimnetPlaces): Config => ({
  ...config,
  x402: { ...config.x402, facilitator: { url: facilitator.url, token: null } },
  rpcUrls: Object.fromEntries(
    Object.entries(config.rpcUrls).map(([chainId, urls]) => [chainId, rpcUrls[chainId] ? [rpcUrls[chainId]] : urls]),
  ),
  venues: Object.fromEntries(
    Object.entries(config.venues).map(([id, venue]) => {
      const simulated = venues[id]
      if (!simulated) return [id, { ...venue, baseUrl: NOWHERE }]
      const { API_KEY: key, ...settings } = simulated.settings
      const apiKey = key === undefined ? venue.apiKey : new Secret(key)
      return [id, { ...venue, baseUrl: simulated.baseUrl, apiKey, settings: { ...venue.settings, ...settings } }]
    }),
  ),
})
