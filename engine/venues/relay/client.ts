import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { Shape } from '../kit/shapes.ts'
import type { VenueConfig } from '../venue.ts'
import { type Ask, toPriceRequest, toQuoteRequest } from './map.ts'
import { quoteRefusals } from './refusals.ts'
import { chainList, currencies, intentStatus, listedCurrency, price, quote, requestRecord, requests } from './wire.ts'

export type RequestFilter = { readonly id: string } | { readonly depositAddress: string }

/** The greatest request; no limit is documented. */
const CURRENCIES = 100

/** The readable entries of a list. Throws where no entry is readable. */
const readable = <T>(one: Shape<T>, all: readonly unknown[]): readonly T[] => {
  const read = all.flatMap((each) => one.readOrNull(each) ?? [])
  return read.length > 0 ? read : all.map(one.read)
}

/** The used calls of the API. All throw VenueError only. */
export const createRelayClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient) => {
  const keyHeader = (key: string) => ({ 'x-api-key': key })
  const { get, post } = createVenueClient({ http, baseUrl, apiKey, keyHeader })
  return {
    /** Prices and builds. From Bitcoin it opens an address at the venue; elsewhere it has no side effect. */
    quote: (ask: Ask, signal: AbortSignal) =>
      post('/quote/v2', { json: toQuoteRequest(ask), shape: quote, refusals: quoteRefusals, signal }),
    /** Prices only, without a side effect. */
    price: (ask: Ask, signal: AbortSignal) =>
      post('/price', { json: toPriceRequest(ask), shape: price, refusals: quoteRefusals, signal }),
    chains: async (signal: AbortSignal) => (await get('/chains', { shape: chainList, isList: true, signal })).chains,
    /** The tokens of a chain that the venue's own users see first. */
    currencies: async (wireId: number, signal: AbortSignal) => {
      const json = { chainIds: [wireId], verified: true, limit: CURRENCIES }
      return readable(listedCurrency, await post('/currencies/v2', { json, shape: currencies, isList: true, signal }))
    },
    /** Null for an unknown request. */
    status: (requestId: string, signal: AbortSignal) =>
      get('/intents/status/v3', {
        query: { requestId },
        shape: intentStatus,
        absent: ({ status }) => status === 404 || status === 400,
        signal,
      }),
    /** The matching requests. Null without an API key, which this call needs. */
    requests:
      apiKey === null
        ? null
        : async (query: RequestFilter, signal: AbortSignal) =>
            readable(requestRecord, (await get('/requests/v3', { query, shape: requests, signal })).requests),
  }
}

export type RelayClient = ReturnType<typeof createRelayClient>
