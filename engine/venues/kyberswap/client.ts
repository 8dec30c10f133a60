import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { Shape } from '../kit/shapes.ts'
import { verbatim } from '../kit/verbatim.ts'
import type { VenueConfig } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { isStale, refusals } from './refusals.ts'
import { type Answer, answer, built, type Routed, routed } from './wire.ts'

/** A route, with the exact text of its summary, which the venue requires in the build request. */
export type FoundRoute = { readonly found: Routed; readonly summary: string }

const read = <T>(told: Answer, shape: Shape<{ readonly data: T }>): T => {
  if (told.code === 0) return shape.read(told).data
  throw refusals({ status: 200, body: told }) ?? new VenueError('badResponse', `code ${told.code}`)
}

/** The calls of the API. All throw VenueError only. */
export const createKyberClient = ({ baseUrl, apiKey }: VenueConfig, clientId: string, http: HttpClient) => {
  const keyHeader = (key: string) => ({ 'X-Api-Key': key })
  // Clients without this header have a stricter limit.
  const headers = { 'x-client-id': clientId }
  const { get, post } = createVenueClient({ http, baseUrl, apiKey, keyHeader, headers, refusals })
  return {
    routes: async (slug: string, query: { readonly [name: string]: string }, signal: AbortSignal): Promise<FoundRoute> => {
      let text = ''
      const heard = (told: string) => {
        text = told
      }
      const found = read(await get(`/${slug}/api/v1/routes`, { query, shape: answer, heard, signal }), routed)
      return { found, summary: verbatim(text, ['data', 'routeSummary']) ?? '{}' }
    },
    /** Null where the route has expired. */
    build: async (slug: string, summary: string, wish: object, signal: AbortSignal) => {
      const jsonText = `{"routeSummary":${summary},${JSON.stringify(wish).slice(1)}`
      const told = await post(`/${slug}/api/v1/route/build`, { jsonText, shape: answer, absent: isStale, signal })
      return told === null || isStale({ body: told }) ? null : read(told, built)
    },
  }
}

export type KyberClient = ReturnType<typeof createKyberClient>
