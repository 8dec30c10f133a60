import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import { type Ask, toQuery } from './map.ts'
import { isRefusal, buildRefusals as refusals } from './refusals.ts'
import { built } from './wire.ts'

/** The one used call of the API. Throws VenueError only. */
export const createJupiterClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient) => {
  const keyHeader = (key: string) => ({ 'x-api-key': key })
  const { get } = createVenueClient({ http, baseUrl, apiKey, keyHeader, refusals, isRefusal })
  return {
    /** Returns the price and the instructions of the swap. Without side effects. */
    build: (ask: Ask, signal: AbortSignal) => get('/swap/v2/build', { query: toQuery(ask), shape: built, signal }),
  }
}
