import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import { isRefusal, isUnknownQuote, refusalOf } from './refusals.ts'
import type { Way } from './settings.ts'
import { orderedShape, quoteShape, statusShape } from './wire.ts'

/** The documents name the first, the venue's own command line (bebop-dex/bebop-cli) sends the second. */
const keyHeader = (key: string) => ({ 'source-auth': key, Authorization: key })

const absent = isUnknownQuote

/** The calls of one chain's APIs, by its path. Each throws VenueError only. */
export const createBebopClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient) => {
  const { get, post } = createVenueClient({ http, baseUrl, apiKey, keyHeader, refusals: refusalOf, isRefusal })
  return {
    quote: (way: Way, path: string, query: { readonly [name: string]: string }, signal: AbortSignal) =>
      get(way === 'jam' ? `/jam/${path}/v2/quote` : `/pmm/${path}/v3/quote`, { query, shape: quoteShape, signal }),
    /** Null: the quote is unknown, or expired. */
    postOrder: (path: string, json: object, signal: AbortSignal) =>
      post(`/jam/${path}/v2/order`, { json, shape: orderedShape, absent, signal }),
    /** Null: an unknown order. */
    orderStatus: (path: string, quoteId: string, signal: AbortSignal) =>
      get(`/jam/${path}/v2/order-status`, { query: { quote_id: quoteId }, shape: statusShape, absent, signal }),
  }
}

export type BebopClient = ReturnType<typeof createBebopClient>
