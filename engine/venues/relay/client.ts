import type { HttpClient } from '../../net/httpClient.ts'
import { callVenue, type VenueRefusal } from '../kit/callVenue.ts'
import type { VenueConfig } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { type Ask, toPriceRequest, toQuoteRequest } from './map.ts'
import { quoteRefusal } from './refusal.ts'
import {
  chainsShape,
  type IntentStatus,
  intentStatusShape,
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
  /** Prices and builds. From Bitcoin it opens an address at the venue; elsewhere it changes nothing. */
  quote(ask: Ask, signal: AbortSignal): Promise<Quote>
  /** Prices only: changes nothing anywhere. */
  price(ask: Ask, signal: AbortSignal): Promise<Price>
  chains(signal: AbortSignal): Promise<readonly unknown[]>
  /** Null when the venue does not know the request. */
  status(requestId: string, signal: AbortSignal): Promise<IntentStatus | null>
  /** The requests that fit. Null without an API key, which this call needs. */
  requests: ((filter: RequestFilter, signal: AbortSignal) => Promise<readonly RequestRecord[]>) | null
}

/** An id that is not known, told apart from every other failure. */
class UnknownRequest extends VenueError {}

const statusRefusal = ({ status }: VenueRefusal): VenueError | null =>
  status === 404 || status === 400 ? new UnknownRequest('badResponse', 'no such request') : null

export const createRelayClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient): RelayClient => {
  const headers = apiKey === null ? {} : { 'x-api-key': apiKey.reveal() }
  const get = (path: string, signal: AbortSignal) => ({ method: 'GET', url: `${baseUrl}${path}`, headers, signal }) as const
  const post = (path: string, json: object, signal: AbortSignal) =>
    ({ method: 'POST', url: `${baseUrl}${path}`, headers, json, signal }) as const

  return {
    quote: (asked, signal) =>
      callVenue(http, post('/quote/v2', toQuoteRequest(asked), signal), { shape: quoteShape, refusal: quoteRefusal }),
    price: (asked, signal) =>
      callVenue(http, post('/price', toPriceRequest(asked), signal), { shape: priceShape, refusal: quoteRefusal }),
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
    requests:
      apiKey === null
        ? null
        : async (filter, signal) => {
            const request = get(`/requests/v3?${new URLSearchParams(filter)}`, signal)
            return (await callVenue(http, request, { shape: requestsShape, refusal: () => null })).requests
          },
  }
}
