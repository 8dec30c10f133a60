import type { HttpClient } from '../../net/httpClient.ts'
import { callVenue } from '../kit/callVenue.ts'
import type { VenueConfig } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { quoteRefusal } from './refusal.ts'
import { type TokenRow, tokenRows } from './tokenRows.ts'
import { type QuoteRequest, type QuoteResponse, quoteResponse, type StatusResponse, statusResponse } from './wire.ts'

/** The three calls of the 1Click API that are used. All throw VenueError only. */
export interface OneClickClient {
  tokens(signal: AbortSignal): Promise<readonly TokenRow[]>
  quote(request: QuoteRequest, signal: AbortSignal): Promise<QuoteResponse>
  /** Null when the venue does not know the address. */
  status(depositAddress: string, signal: AbortSignal): Promise<StatusResponse | null>
}

/** Three parts of base64url: a JSON Web Token. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Partners were given tokens, which go as Bearer, before they were given keys; a wrong header costs 20 bps silently. */
const headersFor = (key: string): Record<string, string> =>
  TOKEN.test(key) ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key }

export const createOneClickClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient): OneClickClient => {
  const headers = apiKey === null ? {} : headersFor(apiKey.reveal())
  const get = (path: string, signal: AbortSignal) => ({ method: 'GET', url: `${baseUrl}${path}`, headers, signal }) as const

  const tokens: OneClickClient['tokens'] = (signal) =>
    callVenue(http, get('/v0/tokens', signal), { shape: tokenRows, refusal: () => null })

  const quote: OneClickClient['quote'] = (request, signal) =>
    callVenue(
      http,
      { method: 'POST', url: `${baseUrl}/v0/quote`, headers, json: request, signal },
      { shape: quoteResponse, refusal: quoteRefusal(BigInt(request.amount)) },
    )

  const status: OneClickClient['status'] = async (depositAddress, signal) => {
    const unknownAddress = new VenueError('badRequest', 'the deposit address is not known')
    try {
      return await callVenue(http, get(`/v0/status?${new URLSearchParams({ depositAddress })}`, signal), {
        shape: statusResponse,
        refusal: (answer) => (answer.status === 404 ? unknownAddress : null),
      })
    } catch (error) {
      if (error === unknownAddress) return null
      throw error
    }
  }
  return { tokens, quote, status }
}
