import type { Hex } from '../../core/execution.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import type { VenueRefusal } from '../kit/callVenue.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import { type Ask, toQuery } from './map.ts'
import { PUBLIC_BASE_URL, PUBLIC_TRACKING_URL } from './published.ts'
import { isRefusal, refusals } from './refusals.ts'
import { chains, createTx, namedOrder, orderIds, trackedOrder } from './wire.ts'

const isNone = ({ status }: VenueRefusal): boolean => status === 404

/** The used calls of the API and of the tracking API. All throw VenueError only, and have no side effect. */
export const createDebridgeClient = ({ baseUrl, apiKey, settings }: VenueConfig, http: HttpClient) => {
  // The API expects the key as a parameter, not as a header.
  const keyHeader = () => ({})
  const key = apiKey === null ? {} : { accesstoken: apiKey.reveal() }
  const trackingUrl = settings['TRACKING_URL'] ?? (baseUrl === PUBLIC_BASE_URL ? PUBLIC_TRACKING_URL : baseUrl)
  const api = createVenueClient({ http, baseUrl, apiKey, keyHeader, refusals, isRefusal })
  const tracking = createVenueClient({ http, baseUrl: trackingUrl, apiKey: null, keyHeader })
  return {
    /** Prices and builds. */
    createTx: (ask: Ask, signal: AbortSignal) =>
      api.get('/dln/order/create-tx', { query: { ...toQuery(ask), ...key }, shape: createTx, signal }),
    chains: (signal: AbortSignal) => api.get('/supported-chains-info', { shape: chains, signal }),
    /** Null when the venue has no record of the order. */
    order: (orderId: string, signal: AbortSignal) =>
      tracking.get(`/api/Orders/${orderId}`, { shape: trackedOrder, absent: isNone, signal }),
    /** The recorded orders of a transaction. */
    ordersOf: async (hash: string, signal: AbortSignal): Promise<readonly Hex[]> => {
      const found = await tracking.get(`/api/Transaction/${hash}/orderIds`, { shape: orderIds, absent: isNone, signal })
      const named = (found?.orderIds ?? []).map((row) => namedOrder.readOrNull(row)?.stringValue.toLowerCase() as Hex | undefined)
      return named.filter((id) => id !== undefined)
    },
  }
}

export type DebridgeClient = ReturnType<typeof createDebridgeClient>
