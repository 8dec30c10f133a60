import type { HttpClient } from '../../net/httpClient.ts'
import { askInOrder, EndpointError, type Endpoints, endpointErrorOf } from '../endpoints/endpoints.ts'

/** GET of the Esplora API: https://github.com/Blockstream/esplora/blob/master/API.md */
export interface Esplora {
  /**
   * What `read` makes of the JSON at a path; null where there is nothing (404). `read` throws EndpointError for what is
   * not as documented: the next endpoint is asked. Throws ChainError.
   */
  get<T>(path: string, read: (body: unknown) => T, signal: AbortSignal): Promise<T | null>
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

export const createEsplora = (http: HttpClient, endpoints: Endpoints): Esplora => ({
  get: (path, read, signal) =>
    askInOrder(endpoints, signal, async (url, attemptSignal) => {
      const request = { method: 'GET', url: `${url.replace(/(?<!\/)\/+$/, '')}${path}`, signal: attemptSignal } as const
      const { status, text } = await http.send(request).catch((error: unknown) => {
        throw endpointErrorOf(error)
      })
      if (status === 404) return null
      if (status !== 200) throw new EndpointError('unreachable', `HTTP ${status}`)
      return read(parsed(text))
    }),
})
