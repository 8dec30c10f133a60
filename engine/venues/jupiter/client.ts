import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import { type Ask, toQuery } from './map.ts'
import { isRefusal, buildRefusals as refusals } from './refusals.ts'
import { built } from './wire.ts'

/** The one call of the API that is used. Throws VenueError only. */
export const createJupiterClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient) => {
  const keyHeader = (key: string) => ({ 'x-api-key': key })
  const { get } = createVenueClient({ http, baseUrl, apiKey, keyHeader, refusals, isRefusal })
  return {
    /** Prices, and gives the instructions of the swap. Changes nothing. */
    build: (ask: Ask, signal: AbortSignal) => get('/swap/v2/build', { query: toQuery(ask), shape: built, signal }),
  }
}
