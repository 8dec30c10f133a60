import { Secret } from '../../../engine/core/secret.ts'
import { type HttpClient, HttpError } from '../../../engine/net/httpClient.ts'
import type { SimVenue } from '../../../engine/simnet/kit/simVenue.ts'
import type { Venue, VenueDefinition } from '../../../engine/venues/venue.ts'
import { createFakeChains, type FakeChains } from '../fakeChains.ts'
import { START_OF_TIME, type VenueBench } from '../venueBench.ts'

/** What the adapter asked. */
export type Asked = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
  /** As it was sent. */
  readonly rawBody: string
}

/** `raw`: sent as it is, whether JSON or not. */
export type Answer = {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
  readonly raw?: string
}
export type Answering = (asked: Asked) => Answer | Promise<Answer>

export type CannedOptions = {
  readonly settings?: { readonly [name: string]: string | null }
  readonly apiKey?: string
  readonly chains?: FakeChains
  readonly now?: () => number
  /** None when left out. */
  readonly wellVenues?: readonly string[]
}

export type Canned = {
  readonly venue: Venue
  /** In order. */
  readonly asked: readonly Asked[]
  /** What the adapter told the operator. */
  readonly notices: readonly string[]
  readonly chains: FakeChains
}

/** The real adapter, given answers of the test's own making. Nothing is listened on, and nothing has to be closed. */
export const canned = (
  definition: VenueDefinition,
  answering: Answering,
  { settings = {}, apiKey, chains = createFakeChains(), now = () => START_OF_TIME, wellVenues = [] }: CannedOptions = {},
): Canned => {
  const asked: Asked[] = []
  const notices: string[] = []
  const http: HttpClient = {
    send: async ({ method, url, headers: given = {}, json, jsonText = JSON.stringify(json), signal }) => {
      if (signal.aborted) throw new HttpError('aborted', 'cut before it was sent')
      const { pathname: path, searchParams: query } = new URL(url)
      const body: unknown = jsonText === undefined ? undefined : JSON.parse(jsonText)
      const headers = jsonText === undefined ? given : { 'content-type': 'application/json', ...given }
      const call = { method, path, query, headers, body, rawBody: jsonText ?? '' }
      asked.push(call)
      const answer = await answering(call)
      return {
        status: answer.status ?? 200,
        headers: answer.headers ?? {},
        text: answer.raw ?? JSON.stringify(answer.body) ?? '',
      }
    },
    close: async () => undefined,
  }
  const venue = definition.create(
    { baseUrl: 'http://canned', apiKey: apiKey === undefined ? null : new Secret(apiKey), settings },
    { http, chains, clock: { now }, wellVenues: () => wellVenues, notice: (what) => notices.push(what) },
  )
  return { venue, asked, notices, chains }
}

/** What a simulated venue answers. */
export const toldBy =
  (sim: Pick<SimVenue, 'handle'>): Answering =>
  async (asked) => {
    // As a server reads them.
    const headers = Object.fromEntries(Object.entries(asked.headers).map(([name, value]) => [name.toLowerCase(), value]))
    const { status, body: told } = await sim.handle({ ...asked, headers })
    return { status, body: structuredClone(told) }
  }

/** Answers with the bodies of some paths changed on their way; a change may alter what it is given, or return another. */
export const changing =
  (answering: Answering, changes: { readonly [path: string]: (body: never, asked: Asked) => unknown }): Answering =>
  async (asked) => {
    const answer = await answering(asked)
    const change = changes[asked.path]
    return change ? { ...answer, body: change(answer.body as never, asked) ?? answer.body } : answer
  }

export type Telling = CannedOptions & {
  readonly changes?: Parameters<typeof changing>[1]
  /** What is answered in place of the simulator; null leaves it to it. */
  readonly instead?: (asked: Asked) => Answer | null
}

/** The adapter with its simulator's answers and clock, but for what is changed on its way or said instead. */
export const toldAs =
  (definition: VenueDefinition, usual: CannedOptions = {}) =>
  (
    { sim, clock }: Pick<VenueBench, 'sim'> & Partial<Pick<VenueBench, 'clock'>>,
    { changes = {}, instead = () => null, ...options }: Telling = {},
  ): Canned => {
    const simulated = changing(toldBy(sim), changes)
    return canned(definition, (asked) => instead(asked) ?? simulated(asked), {
      ...(clock && { now: clock.now }),
      ...usual,
      ...options,
    })
  }
