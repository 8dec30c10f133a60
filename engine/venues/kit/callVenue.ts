import { type HttpClient, HttpError, type HttpRequest, type HttpResponse } from '../../net/httpClient.ts'
import { VenueError } from '../venueError.ts'
import type { Shape } from './shapes.ts'
import { afterString } from './verbatim.ts'

/** A venue's answer that is not 2xx, its body parsed when it is JSON. */
export type VenueRefusal = {
  readonly status: number
  readonly body: unknown
  /** The wait that its headers request: Retry-After, else the second at which its limit resets; ms. */
  readonly retryAfterMs?: number | null
}

/** Some venues write amounts as bare numbers. */
const BARE_AMOUNT = /(?<=[:,[\s])[1-9][0-9]{15,}(?=\s*[,\]}])/g

/**
 * Quotes a whole number that a JSON number does not hold exactly. A reviver with the source of each number takes ten times as
 * long as the parsing itself.
 */
const quoteBareAmounts = (json: string): string => {
  const parts: string[] = []
  let copied = 0
  let stringStart = json.indexOf('"')
  let stringEnd = 0
  for (const { 0: digits, index } of json.matchAll(BARE_AMOUNT)) {
    while (stringStart !== -1 && stringStart < index) {
      stringEnd = afterString(json, stringStart)
      stringStart = json.indexOf('"', stringEnd)
    }
    const isExact = digits.length === 16 && Number.isSafeInteger(Number(digits))
    if (isExact || stringEnd > index) continue
    parts.push(json.slice(copied, index), '"', digits, '"')
    copied = index + digits.length
  }
  return parts.length === 0 ? json : parts.join('') + json.slice(copied)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(quoteBareAmounts(text))
  } catch {
    return undefined
  }
}

/** The meaning of an HTTP status without documents of the venue. */
export const refusalByStatus = ({ status, body, retryAfterMs = null }: VenueRefusal): VenueError => {
  if (status === 429) return new VenueError('rateLimited', 'HTTP 429', { retryAfterMs })
  if (status === 401 || status === 403)
    return new VenueError('unavailable', `HTTP ${status}: our key is not accepted`, { nature: 'keyRefused' })
  if (status >= 500 || status === 408) return new VenueError('unavailable', `HTTP ${status}`)
  const isWellFormed = status >= 400 && typeof body === 'object' && body !== null
  return new VenueError('badResponse', `HTTP ${status}, undocumented`, isWellFormed ? { nature: 'unexplained' } : {})
}

/**
 * RFC 9110, 10.2.3: seconds, or a date by the writer's clock. Many venues omit it, and send beside a 429 the Unix second at which
 * their count restarts: https://dev.jup.ag/portal/rate-limit
 */
const readRetryAfter = ({ headers }: HttpResponse): number | null => {
  const [text = '', reset = ''] = ['retry-after', 'x-ratelimit-reset'].map((name) => String(headers[name] ?? '').trim())
  if (/^[0-9]+$/.test(text)) return Number(text) * 1_000
  // A date begins with a weekday; Date.parse would read a year into any number.
  const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN
  const at = text === '' && /^[0-9]{10}$/.test(reset) ? Number(reset) * 1_000 : date
  if (Number.isNaN(at)) return null
  const sentAt = Date.parse(String(headers['date'] ?? ''))
  return Math.max(0, at - (Number.isNaN(sentAt) ? Date.now() : sentAt))
}

const fromHttpError = (error: HttpError): VenueError => {
  if (error.failure === 'starved') return new VenueError('unavailable', error.message, { nature: 'notSent', cause: error })
  const kind = { aborted: 'timeout', tooLarge: 'badResponse', malformed: 'badResponse', unreachable: 'unavailable' } as const
  return new VenueError(kind[error.failure], error.message, { cause: error })
}

export type VenueHearing<T> = {
  readonly shape: Shape<T>
  readonly refusal: (refusal: VenueRefusal) => VenueError | null
  /** Receives the text of a JSON answer, before it is read. */
  readonly heard?: ((text: string) => void) | undefined
  /** Which bodies of a 2xx are refusals; absent: none of them. */
  readonly isRefusal?: ((body: unknown) => boolean) | undefined
}

/**
 * One call to a venue: a 2xx whose body fits `shape` is the answer, every other result a VenueError. `refusal` turns the venue's
 * own error answers into kinds; where it returns null, the status alone decides.
 */
export const callVenue = async <T>(
  http: HttpClient,
  request: HttpRequest,
  { shape, refusal, heard, isRefusal = () => false }: VenueHearing<T>,
): Promise<T> => {
  const response = await http.send(request).catch((error: unknown) => {
    if (error instanceof VenueError) throw error
    throw error instanceof HttpError ? fromHttpError(error) : new VenueError('unavailable', 'the call failed', { cause: error })
  })
  const body = parseJson(response.text)
  if (response.status < 200 || response.status > 299 || isRefusal(body)) {
    const answer = { status: response.status, body, retryAfterMs: readRetryAfter(response) }
    throw refusal(answer) ?? refusalByStatus(answer)
  }
  if (body === undefined) throw new VenueError('badResponse', `HTTP ${response.status} with a body that is not JSON`)
  heard?.(response.text)
  return shape.read(body)
}
