import { Agent, type Dispatcher } from 'undici'
import { createJsonScan } from '../core/jsonScan.ts'
import { USER_AGENT } from '../core/serviceVersion.ts'
import { untilAborted } from './deadline.ts'
import { isStarved } from './descriptors.ts'
import { type HttpClient, HttpError, type HttpRequest, type HttpResponse } from './httpClient.ts'

export type HttpClientOptions = {
  /** See HttpRequest. */
  readonly bytesMax: number
  /** Sockets per origin. */
  readonly connectionsMax: number
  /** Sent with every request: hosts behind bot protection challenge requests without a user agent. */
  readonly userAgent: string
}

/** Recorded answers of venues nest 10 levels at most. */
const DEPTH_MAX = 32
/** Recorded answers have 15 bytes or more for each value. The bound on values follows: 87,382 values for 1 MiB. */
const BYTES_PER_VALUE = 12
/** The same for the pieces in which an answer arrives: 16,384 for 1 MiB. Each piece is an event of its own. */
const BYTES_PER_PIECE = 64

const DEFAULTS: HttpClientOptions = { bytesMax: 4 * 1024 * 1024, connectionsMax: 128, userAgent: USER_AGENT }

const failureOf = (error: unknown, signal: AbortSignal): HttpError => {
  if (error instanceof HttpError) return error
  if (signal.aborted) return new HttpError('aborted', 'cut at the deadline', error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return isStarved(error)
    ? new HttpError('starved', `not sent: nothing left to connect with (${code})`, error)
    : new HttpError('unreachable', `no answer (${code})`, error)
}

const headersOf = ({ headers = {} }: HttpRequest, body: string | null, userAgent: string): Record<string, string> => ({
  'user-agent': userAgent,
  accept: 'application/json',
  ...(body === null ? {} : { 'content-type': 'application/json' }),
  ...headers,
})

type Incoming = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>

/**
 * The text of an answer within bounds. Empty where an answer with another status than 2xx exceeds them: its status and headers
 * still count. Destroying the body closes the socket: the rest of an answer over a bound stays unread. Reads by events: an async
 * iterator over each of a dozen answers takes a tenth of the work of a quote.
 */
const readBounded = ({ statusCode, headers, body }: Incoming, bytesMax: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const valuesMax = Math.ceil(bytesMax / BYTES_PER_VALUE)
    const piecesMax = Math.ceil(bytesMax / BYTES_PER_PIECE)
    const scan = createJsonScan({ depthMax: DEPTH_MAX, valuesMax })
    const excesses = {
      bytes: `is larger than ${bytesMax} bytes`,
      depth: `nests deeper than ${DEPTH_MAX} levels`,
      values: `holds more than ${valuesMax} values`,
      pieces: `arrives in more than ${piecesMax} pieces`,
    }
    const announced = Number(headers['content-length'] ?? 0)
    const chunks: Buffer[] = []
    let size = 0
    const refuse = (excess: keyof typeof excesses) => {
      const of = announced > 0 ? `of ${announced} bytes` : `of ${size} bytes or more`
      const failure = excess === 'bytes' ? 'tooLarge' : 'malformed'
      if (statusCode < 200 || statusCode > 299) resolve('')
      body.destroy(new HttpError(failure, `an answer ${of} ${excesses[excess]}`))
    }
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      const excess = size > bytesMax ? 'bytes' : chunks.length > piecesMax ? 'pieces' : scan(chunk)
      if (excess !== null) refuse(excess)
    })
    body.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    body.on('error', reject)
    if (announced > bytesMax) refuse('bytes')
  })

/** The real client: one pool per origin, no redirects, no retries, every answer bounded in size, depth and number of values. */
export const createHttpClient = (options: Partial<HttpClientOptions> = {}): HttpClient => {
  const { bytesMax, connectionsMax, userAgent } = { ...DEFAULTS, ...options }
  const agent = new Agent({ connections: connectionsMax, pipelining: 1, keepAliveTimeout: 30_000 })

  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    const { method, url, signal, json, jsonText } = request
    if (signal.aborted) throw new HttpError('aborted', 'cut before it was sent')
    try {
      const { origin, pathname, search } = new URL(url)
      const body = jsonText ?? (json === undefined ? null : JSON.stringify(json))
      const path = `${pathname}${search}`
      const asked = agent.request({ origin, path, method, headers: headersOf(request, body, userAgent), body, signal })
      // The agent ends a request that is still connecting only at its own limit of 10 s.
      const response = await untilAborted(asked, signal)
      return {
        status: response.statusCode,
        headers: response.headers,
        text: await readBounded(response, request.bytesMax ?? bytesMax),
      }
    } catch (error) {
      throw failureOf(error, signal)
    }
  }

  return { send, close: () => agent.destroy() }
}
