import { type HttpClient, HttpError } from '../net/httpClient.ts'

/** Whether the process can reach any venue at all. */
export interface VenueReach {
  /** The same client; every answer to it shows that a venue can be reached. */
  readonly http: HttpClient
  /** No venue answered the last check, and none has answered since. */
  readonly isCutOff: boolean
  /** Sends a request to all venues when none has answered for a minute; every ten seconds while none does. */
  look(): void
  stop(): Promise<void>
}

const CHECK_MS = 60_000
const CUT_OFF_CHECK_MS = 10_000
const ANSWER_MS = 5_000
/** The content of the answer is not used. */
const ANSWER_BYTES = 1_024

/** An answer over its bounds is an answer. A process without a descriptor shows nothing of the venue. */
const isSilence = (error: unknown): boolean =>
  error instanceof HttpError && (error.failure === 'unreachable' || error.failure === 'aborted')

/** `urls`: of the venues that are asked for quotes. `now`: ms, never running backwards. */
export const createVenueReach = (http: HttpClient, urls: readonly string[], now: () => number): VenueReach => {
  const over = new AbortController()
  let isCutOff = false
  let dueAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | null = null
  const reached = () => {
    isCutOff = false
    dueAt = now() + CHECK_MS
  }
  const send: HttpClient['send'] = async (request) => {
    try {
      const response = await http.send(request)
      reached()
      return response
    } catch (error) {
      if (!isSilence(error)) reached()
      throw error
    }
  }
  const check = async (): Promise<void> => {
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(ANSWER_MS)])
    const asked = urls.map((url) => send({ method: 'GET', url: new URL('/', url).href, bytesMax: ANSWER_BYTES, signal }))
    const ends = await Promise.allSettled(asked)
    if (over.signal.aborted || !ends.every((end) => end.status === 'rejected' && isSilence(end.reason))) return
    isCutOff = true
    dueAt = now() + CUT_OFF_CHECK_MS
  }
  return {
    http: { send, close: () => http.close() },
    get isCutOff() {
      return isCutOff
    },
    look: () => {
      if (checking || urls.length === 0 || now() < dueAt) return
      checking = check().finally(() => {
        checking = null
      })
    },
    stop: async () => {
      over.abort()
      await checking
    },
  }
}
