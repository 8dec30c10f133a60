import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './stage.ts'

export type Request = {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: unknown
  readonly key?: string | null
  readonly requestId?: string
}

export type Failure = {
  readonly code: string
  readonly message: string
  readonly details?: { readonly [field: string]: unknown }
}

/** `lost`: how often it was asked before without an answer, or with one that says to ask again. */
export type Answer<T> = { readonly status: number; readonly lost: number } & (
  | { readonly data: T; readonly error: null }
  | { readonly data: null; readonly error: Failure }
)

/** A client that asks again, the very same, until it has an answer: over as many lives of the service as that takes. */
export type Client = <T>(request: Request) => Promise<Answer<T>>

type Envelope = { readonly data?: unknown; readonly error?: Failure }

const TRIES_MAX = 400
/** After so many answers that tell nothing yet the chains go on by so much: what waits for them would else wait for the next death. */
const STALL = { tries: 40, ms: 60_000 } as const
const PAUSE_MS = 100
const TIMEOUT_MS = 30_000

const isToRepeat = (status: number, { error }: Envelope): boolean =>
  status === 429 || (status >= 500 && error?.details?.['retryable'] === true)

export const createClient =
  ({ lives, advance }: Pick<Stage, 'lives' | 'advance'>): Client =>
  async <T>({ method, path, body, key, requestId }: Request): Promise<Answer<T>> => {
    const headers = {
      'content-type': 'application/json',
      ...(key && { 'x-api-key': key }),
      ...(requestId && { 'x-request-id': requestId }),
    }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    let [last, untold] = ['', 0]
    for (let lost = 0; lost < TRIES_MAX; lost += 1) {
      const { url, life } = await lives.listening()
      try {
        const response = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
        const { status } = response
        const envelope = (await response.json()) as Envelope
        if (!isToRepeat(status, envelope)) {
          const { data, error } = envelope
          return error === undefined ? { status, lost, data: data as T, error: null } : { status, lost, data: null, error }
        }
        last = `${status} ${JSON.stringify(envelope.error)}`
        await sleep(PAUSE_MS)
        untold += 1
        if (untold % STALL.tries === 0) await advance(STALL.ms)
      } catch (error) {
        last = String(error)
        // The process is gone, which is told a little later.
        await Promise.race([life.ended, sleep(PAUSE_MS)])
      }
    }
    throw new Error(`${method} ${path} never had an answer: ${last}`)
  }
