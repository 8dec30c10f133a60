import type { HttpClient } from '../../net/httpClient.ts'
import type { EndpointTry } from '../endpoints/endpointHealth.ts'
import { type AskOptions, askInOrder, EndpointError, type Endpoints, endpointErrorOf } from '../endpoints/endpoints.ts'

/** The result of `read` for the JSON at a path; null for HTTP 404. `read` throws EndpointError for an undocumented answer. */
export type GetOfOne = <T>(path: string, read: (body: unknown) => T) => Promise<T | null>

/**
 * GET of the Esplora API: https://github.com/Blockstream/esplora/blob/master/API.md. After an EndpointError it reads the next
 * endpoint. Throws ChainError.
 */
export interface Esplora {
  get<T>(path: string, read: (body: unknown) => T, signal: AbortSignal): Promise<T | null>
  /** What several answers of one endpoint, at `url`, come to: those of two may be of different times. */
  askOne<T>(
    ask: (get: GetOfOne, url: string, sawHead: EndpointTry['sawHead']) => Promise<T>,
    signal: AbortSignal,
    options?: AskOptions,
  ): Promise<T>
}

export const notAsDocumented = (cause?: unknown): EndpointError =>
  new EndpointError('unreachable', 'an answer that is not as documented', cause)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // A block hash comes as bare text.
    if (/^[0-9a-f]{64}$/.test(text)) return text
    throw notAsDocumented(cause)
  }
}

const getOf =
  (http: HttpClient, url: string, signal: AbortSignal): GetOfOne =>
  async (path, read) => {
    const request = { method: 'GET', url: `${url.replace(/(?<!\/)\/+$/, '')}${path}`, signal } as const
    const { status, text } = await http.send(request).catch((error: unknown) => {
      throw endpointErrorOf(error)
    })
    if (status === 404) return null
    if (status !== 200) throw new EndpointError('unreachable', `HTTP ${status}`)
    return read(parsed(text))
  }

export const createEsplora = (http: HttpClient, endpoints: Endpoints): Esplora => {
  const askOne: Esplora['askOne'] = (ask, signal, options) =>
    askInOrder(endpoints, signal, (url, attemptSignal, sawHead) => ask(getOf(http, url, attemptSignal), url, sawHead), options)
  return { askOne, get: (path, read, signal) => askOne((get) => get(path, read), signal) }
}
