import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import { refusals } from './refusals.ts'
import { chains, quote, status } from './wire.ts'

type Query = { readonly [name: string]: string }

/** The calls of the API. All throw VenueError only, and have no side effect. */
export const createLifiClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient) => {
  const keyHeader = (key: string) => ({ 'x-lifi-api-key': key })
  const { get } = createVenueClient({ http, baseUrl, apiKey, keyHeader, refusals })
  return {
    chains: (signal: AbortSignal) => get('/v1/chains', { query: { chainTypes: 'EVM' }, shape: chains, signal }),
    quote: (query: Query, signal: AbortSignal) => get('/v1/quote', { query, shape: quote, signal }),
    status: (query: Query, signal: AbortSignal) => get('/v1/status', { query, shape: status, signal }),
  }
}

export type LifiClient = ReturnType<typeof createLifiClient>
