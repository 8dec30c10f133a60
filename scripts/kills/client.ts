import { setTimeout as sleep } from 'node:timers/promises'
import type { Failure } from '../client/wire.ts'
import type { Stage } from './stage.ts'

export type Request = {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: unknown
  readonly key?: string | null
  readonly requestId?: string
}

/** `lost`: how often the request was sent without a final answer. */
export type Answer<T> = { readonly status: number; readonly lost: number } & (
  | { readonly data: T; readonly error: null }
  | { readonly data: null; readonly error: Failure }
)

/** Repeats each request, unchanged, until a process answers it finally: over as many processes as that takes. */
export type Client = {
  send<T>(request: Request): Promise<Answer<T>>
  /** The number of answers so far. */
  answered(): number
}

type Envelope = { readonly data?: unknown; readonly error?: Failure }

const TRIES_MAX = 400
/** After so many refusals the chains' time moves on. What waits for them would otherwise wait for the next kill. */
const STALL = { tries: 40, ms: 60_000 } as const
const PAUSE_MS = 100
const TIMEOUT_MS = 30_000

const isToRepeat = (status: number, { error }: Envelope): boolean =>
  status === 429 || (status >= 500 && error?.details?.retryable === true)

export const createClient = ({ processes, advance }: Pick<Stage, 'processes' | 'advance'>): Client => {
  let [answered, addresses] = [0, 0]
  const send = async <T>({ method, path, body, key, requestId }: Request): Promise<Answer<T>> => {
    addresses += 1
    const headers = {
      'content-type': 'application/json',
      // Each request is from another address, so that only the check of the limit meets it.
      'x-forwarded-for': `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
      ...(key && { 'x-api-key': key }),
      ...(requestId && { 'x-request-id': requestId }),
    }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    let [last, refusals] = ['', 0]
    for (let lost = 0; lost < TRIES_MAX; lost += 1) {
      const { url, program } = await processes.listening()
      try {
        const response = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
        const { status } = response
        const envelope = (await response.json()) as Envelope
        const { data, error } = envelope
        if (!isToRepeat(status, envelope)) {
          answered += 1
          return error === undefined ? { status, lost, data: data as T, error: null } : { status, lost, data: null, error }
        }
        last = `${status} ${JSON.stringify(error)}`
        await sleep(status === 429 ? 1_000 * Number(error?.details?.retryAfterSec ?? 1) : PAUSE_MS)
        refusals += 1
        if (refusals % STALL.tries === 0) await advance(STALL.ms)
      } catch (error) {
        last = String(error)
        await Promise.race([program.ended, sleep(PAUSE_MS)])
      }
    }
    throw new Error(`${method} ${path} was never answered: ${last}`)
  }
  return { send, answered: () => answered }
}
