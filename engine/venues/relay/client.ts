import type { HttpClient } from '../../net/httpClient.ts'
import { callVenue, type VenueRefusal } from '../callVenue.ts'
import type { VenueConfig } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { type Ask, toRequest } from './map.ts'
import { quoteRefusal } from './refusal.ts'
import {
  chainsShape,
  type IntentStatus,
  intentStatusShape,
  type ListedChain,
  type Price,
  priceShape,
  type Quote,
  quoteShape,
  type RequestRecord,
  requestsShape,
} from './wire.ts'

export type RequestFilter = { readonly id: string } | { readonly depositTxHash: string } | { readonly depositAddress: string }

/** The calls of the API that are used. All throw VenueError only. */
export interface RelayClient {
  /** Prices and builds. Changes nothing, unless it is asked to open a deposit address. */
  quote(ask: Ask, signal: AbortSignal): Promise<Quote>
  /** Prices only. */
  price(ask: Ask, signal: AbortSignal): Promise<Price>
  chains(signal: AbortSignal): Promise<readonly ListedChain[]>
  /** Null when the venue does not know the request. */
  status(requestId: string, signal: AbortSignal): Promise<IntentStatus | null>
  /** The one request that fits; null when there is none. Null too without an API key, which this call needs. */
  request: ((filter: RequestFilter, signal: AbortSignal) => Promise<RequestRecord | null>) | null
}

/** An id that is not known, told apart from every other failure. */
class UnknownRequest extends VenueError {}

const statusRefusal = ({ status }: VenueRefusal): VenueError | null =>
  status === 404 || status === 400 ? new UnknownRequest('badResponse', 'no such request') : null

export const createRelayClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient): RelayClient => {
  const headers = apiKey === null ? {} : { 'x-api-key': apiKey.reveal() }
  const get = (path: string, signal: AbortSignal) => ({ method: 'GET', url: `${baseUrl}${path}`, headers, signal }) as const
  const ask = (path: string, asked: Ask, signal: AbortSignal) =>
    ({ method: 'POST', url: `${baseUrl}${path}`, headers, json: toRequest(asked), signal }) as const

  return {
    quote: (asked, signal) => callVenue(http, ask('/quote/v2', asked, signal), { shape: quoteShape, refusal: quoteRefusal }),
    price: (asked, signal) => callVenue(http, ask('/price', asked, signal), { shape: priceShape, refusal: quoteRefusal }),
    chains: async (signal) => (await callVenue(http, get('/chains', signal), { shape: chainsShape, refusal: () => null })).chains,
    status: async (requestId, signal) => {
      const request = get(`/intents/status/v3?${new URLSearchParams({ requestId })}`, signal)
      try {
        return await callVenue(http, request, { shape: intentStatusShape, refusal: statusRefusal })
      } catch (error) {
        if (error instanceof UnknownRequest) return null
        throw error
      }
    },
    request:
      apiKey === null
        ? null
        : async (filter, signal) => {
            const request = get(`/requests/v3?${new URLSearchParams(filter)}`, signal)
            const { requests } = await callVenue(http, request, { shape: requestsShape, refusal: () => null })
            return requests.length === 1 ? (requests[0] ?? null) : null
          },
  }
}
