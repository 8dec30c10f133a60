import type { HttpClient } from '../../net/httpClient.ts'
import type { VenueRefusal } from '../kit/callVenue.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import { errorCodeOf, isRefusal, refusalOf, UNKNOWN_QUOTE } from './refusals.ts'
import { jamQuoteShape, orderedShape, rfqQuoteShape, statusShape } from './wire.ts'

/** The documents name the one, the venue's own command line (bebop-dex/bebop-cli) sends the other. */
const keyHeader = (key: string) => ({ 'source-auth': key, Authorization: key })

type Query = { readonly [name: string]: string }

const isUnknownQuote = (refusal: VenueRefusal): boolean => refusal.status === 404 || errorCodeOf(refusal) === UNKNOWN_QUOTE

/** The calls of one chain's APIs, by the path it has there. Each throws VenueError only. */
export const createBebopClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient) => {
  const { get, post } = createVenueClient({ http, baseUrl, apiKey, keyHeader, refusals: refusalOf, isRefusal })
  return {
    rfqQuote: (path: string, query: Query, signal: AbortSignal) =>
      get(`/pmm/${path}/v3/quote`, { query, shape: rfqQuoteShape, signal }),
    jamQuote: (path: string, query: Query, signal: AbortSignal) =>
      get(`/jam/${path}/v2/quote`, { query, shape: jamQuoteShape, signal }),
    /** Null: the quote is not known, or no more. */
    postOrder: (path: string, json: object, signal: AbortSignal) =>
      post(`/jam/${path}/v2/order`, { json, shape: orderedShape, absent: isUnknownQuote, signal }),
    /** Null: no such order. */
    orderStatus: (path: string, quoteId: string, signal: AbortSignal) =>
      get(`/jam/${path}/v2/order-status`, { query: { quote_id: quoteId }, shape: statusShape, absent: isUnknownQuote, signal }),
  }
}

export type BebopClient = ReturnType<typeof createBebopClient>
