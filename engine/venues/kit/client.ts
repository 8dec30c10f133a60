import type { Secret } from '../../core/secret.ts'
import { addExchange, startRequest } from '../../net/exchanges.ts'
import type { HttpClient, HttpRequest } from '../../net/httpClient.ts'
import { VenueError } from '../venueError.ts'
import { callVenue, type VenueRefusal } from './callVenue.ts'
import type { Shape } from './shapes.ts'

/** Without a key, HTTP 401 and 403 concern the missing key or the caller's address. Filters before the venue often send them. */
const keyless = (status: number): VenueError =>
  new VenueError(
    'unavailable',
    `HTTP ${status} without a key: the venue, or a filter in front of it, asks for one or refuses this address`,
  )

/** The meaning of a venue's refusal; null where the HTTP status alone decides. */
export type Refusals = (refusal: VenueRefusal) => VenueError | null

export type VenueCall<T> = {
  readonly shape: Shape<T>
  readonly signal: AbortSignal
  readonly query?: { readonly [name: string]: string }
  readonly json?: object
  /** JSON text that is sent unchanged in place of `json`. */
  readonly jsonText?: string
  /** Receives the text of the answer, before it is read: see `verbatim`. */
  readonly heard?: (text: string) => void
  /** Replaces the client's own. */
  readonly refusals?: Refusals
  /** Whether the answer is a list of tokens or chains, which may be larger than other answers. */
  readonly isList?: boolean
}

/** The refusal that means "not found": the call then returns null. Every other refusal is thrown. */
export type Absent = { readonly absent: (refusal: VenueRefusal) => boolean }

export interface VenueVerb {
  <T>(path: string, call: VenueCall<T> & Absent): Promise<T | null>
  <T>(path: string, call: VenueCall<T>): Promise<T>
}

/** The calls of a venue's API. All throw VenueError only. */
export type VenueClient = { readonly get: VenueVerb; readonly post: VenueVerb; readonly put: VenueVerb }

export type VenueClientOptions = {
  readonly http: HttpClient
  /** Origin and path prefix, without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: Secret | null
  /** The header that carries a key. */
  readonly keyHeader: (key: string) => { readonly [name: string]: string }
  /** Sent with every call, such as the caller's name. */
  readonly headers?: { readonly [name: string]: string }
  /** Absent: the HTTP status alone decides the meaning of a refusal. */
  readonly refusals?: Refusals
  /** Which bodies of a 2xx are refusals; absent: none of them. */
  readonly isRefusal?: (body: unknown) => boolean
}

/** The forms of a key in an answer or a URL: as it is, in a query, in JSON, and encoded. */
const spellingsOf = (key: string): readonly string[] => [
  key,
  encodeURIComponent(key),
  `${new URLSearchParams([['', key]])}`.slice(1),
  JSON.stringify(key).slice(1, -1),
  Buffer.from(key).toString('base64').replaceAll('=', ''),
  Buffer.from(key).toString('hex'),
]

/** A shorter text is no secret, and occurs in answers by chance. */
const KEY_MIN = 5

/** Parts of a base URL that may be secret: path parts, query values and credentials. No published path has such a part. */
const secretsInUrl = (baseUrl: string): readonly string[] => {
  const { pathname = '', searchParams = null, username = '', password = '' } = URL.parse(baseUrl) ?? {}
  const inPath = pathname.split('/').filter((part) => part.length >= 16 || (part.length >= 8 && /[0-9]/.test(part)))
  return [...inPath, ...(searchParams?.values() ?? []), username, password]
}

const hiding = (secrets: readonly string[]): ((text: string) => string) => {
  const spellings = new Set(secrets.filter((secret) => secret.length >= KEY_MIN).flatMap(spellingsOf))
  const hidden = [...spellings].map((spelling) => spelling.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|') || '(?!)'
  const pattern = new RegExp(hidden, 'gi')
  return (text) => text.replace(pattern, '[secret]')
}

/**
 * Venues repeat request data, and refusals go to the log: the adapter reads answers without keys. A user name or a query value
 * may be an ordinary word, so these are hidden in the recorded copy only.
 */
const recorded = (http: HttpClient, keys: readonly string[], inUrl: readonly string[]): HttpClient => {
  const hideKeys = hiding([...keys, ...inUrl.filter((secret) => secret.length >= 16)])
  const hide = hiding([...keys, ...inUrl])
  return {
    ...http,
    send: async (request) => {
      const { method, url, json, jsonText, isList = false } = request
      if (!isList) startRequest()
      const response = await http.send(request)
      addExchange(() => ({
        method,
        url: hide(url),
        request: json === undefined && jsonText === undefined ? null : hide(jsonText ?? JSON.stringify(json)),
        status: response.status,
        answer: hide(response.text),
      }))
      return { ...response, text: hideKeys(response.text) }
    },
  }
}

export const createVenueClient = (options: VenueClientOptions): VenueClient => {
  const { baseUrl, apiKey, keyHeader, refusals: usual = () => null, isRefusal } = options
  const headers = { ...options.headers, ...(apiKey === null ? {} : keyHeader(apiKey.reveal())) }
  const http = recorded(options.http, apiKey === null ? [] : [apiKey.reveal()], secretsInUrl(baseUrl))

  const verb = (method: HttpRequest['method']): VenueVerb => {
    async function send<T>(path: string, call: VenueCall<T>): Promise<T>
    async function send<T>(path: string, call: VenueCall<T> & Partial<Absent>): Promise<T | null> {
      const { shape, signal, query, json, jsonText, heard, refusals = usual, absent, isList } = call
      const url = `${baseUrl}${path}${query ? `?${new URLSearchParams(query)}` : ''}`
      const absence = absent ? new VenueError('badRequest', 'there is no such thing') : null
      const refusal = (refused: VenueRefusal) => {
        if (absent?.(refused)) return absence
        const isKeyless = apiKey === null && [401, 403].includes(refused.status)
        return refusals(refused) ?? (isKeyless ? keyless(refused.status) : null)
      }
      try {
        const body = jsonText === undefined ? { json } : { jsonText }
        return await callVenue(http, { method, url, headers, ...body, isList, signal }, { shape, refusal, heard, isRefusal })
      } catch (error) {
        if (absence !== null && error === absence) return null
        throw error
      }
    }
    return send
  }
  return { get: verb('GET'), post: verb('POST'), put: verb('PUT') }
}
