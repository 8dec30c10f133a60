import type { ChainId } from '../core/chain.ts'
import { HttpError } from '../net/httpClient.ts'
import { ChainError } from './chains.ts'

/** An endpoint that gave no usable answer: the next one may. Its address stays out of the message, it may hold a key. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError'
  readonly failure: 'unreachable' | 'timeout'
  constructor(failure: 'unreachable' | 'timeout', message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.failure = failure
  }
}

/** What the lack of an HTTP answer means for an endpoint. */
export const endpointErrorOf = (error: unknown): unknown =>
  error instanceof HttpError
    ? new EndpointError(error.failure === 'aborted' ? 'timeout' : 'unreachable', error.message, error)
    : error

export type Endpoints = {
  readonly chainId: ChainId
  /** In order of preference; read when first needed. */
  urls(): Promise<readonly string[]>
  /** For all tries together, shared out evenly, so that one that hangs leaves time for the next. */
  readonly deadlineMs: number
}

/**
 * Asks the endpoints of a chain in order until one gives a usable answer. `attempt` throws EndpointError to pass on to
 * the next; anything else it throws is final. Throws ChainError when none answered in time.
 */
export const askInOrder = async <T>(
  { chainId, urls, deadlineMs }: Endpoints,
  signal: AbortSignal,
  attempt: (url: string, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const candidates = await urls()
  const shareMs = Math.ceil(deadlineMs / Math.max(candidates.length, 1))
  let last = new EndpointError('unreachable', 'no endpoint')
  for (const url of candidates) {
    if (signal.aborted) break
    try {
      return await attempt(url, AbortSignal.any([signal, AbortSignal.timeout(shareMs)]))
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error
      last = error
    }
  }
  const failure = signal.aborted ? 'timeout' : last.failure
  throw new ChainError(failure, chainId, `chain ${chainId}: ${last.message}`, last)
}
