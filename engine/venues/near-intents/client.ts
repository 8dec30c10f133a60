import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import type { QuoteRequest } from './map.ts'
import { quoteRefusals } from './refusals.ts'
import { quoteResponse, statusResponse, tokenRows } from './wire.ts'

/** Three parts of base64url: a JSON Web Token. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Earlier partners have tokens, sent as Bearer, later ones keys; a wrong header costs 20 bps silently. */
const keyHeader = (key: string) => (TOKEN.test(key) ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key })

/** The three used calls of the 1Click API. All throw VenueError only. */
export const createOneClickClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient) => {
  const { get, post } = createVenueClient({ http, baseUrl, apiKey, keyHeader })
  return {
    tokens: (signal: AbortSignal) => get('/v0/tokens', { shape: tokenRows, isList: true, signal }),
    quote: (json: QuoteRequest, signal: AbortSignal) =>
      post('/v0/quote', { json, shape: quoteResponse, refusals: quoteRefusals(BigInt(json.amount)), signal }),
    /** Null for an unknown address. */
    status: (depositAddress: string, signal: AbortSignal) =>
      get('/v0/status', {
        query: { depositAddress },
        shape: statusResponse,
        absent: ({ status }) => status === 404,
        signal,
      }),
  }
}

export type OneClickClient = ReturnType<typeof createOneClickClient>
