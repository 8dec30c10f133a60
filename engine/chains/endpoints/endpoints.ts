import type { ChainId } from '../../core/chain.ts'
import { deadline } from '../../net/deadline.ts'
import { HttpError } from '../../net/httpClient.ts'
import { pause } from '../../net/pause.ts'
import { ChainError } from '../chains.ts'
import type { ChainHealth, EndpointTry } from './endpointHealth.ts'

/**
 * `unreachable`: no usable answer, by a fault of the endpoint or of the connection, which may pass soon. `timeout`: none in its
 * share of the time. `refused`: it works and answers, but not this question. `notAsked`: we had nothing left to ask it with.
 * `none`: no endpoint is left by `except`.
 */
export type EndpointFailure = 'unreachable' | 'timeout' | 'refused' | 'notAsked' | 'none'

/** Failures that count against an endpoint. */
const FAULTS: readonly EndpointFailure[] = ['unreachable', 'timeout']

/** An endpoint that gave no usable answer: the next one may. Its address stays out of the message, it may hold a key. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError'
  readonly failure: EndpointFailure
  constructor(failure: EndpointFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.failure = failure
  }
}

/** A refusal of an answer that would be too large: a smaller question is answered. */
export class TooMuch extends EndpointError {
  constructor(message: string) {
    super('refused', message)
  }
}

/** What the lack of an HTTP answer means for an endpoint. The cause is left behind: it names the host. */
export const endpointErrorOf = (error: unknown): unknown => {
  if (!(error instanceof HttpError)) return error
  if (error.failure === 'tooLarge') return new TooMuch(error.message)
  const failures = {
    aborted: 'timeout',
    malformed: 'unreachable',
    unreachable: 'unreachable',
    starved: 'notAsked',
  } as const
  return new EndpointError(failures[error.failure], error.message)
}

export type Endpoints = {
  readonly chainId: ChainId
  /** In order of preference; read when first needed. */
  urls(): Promise<readonly string[]>
  /** Ms for all tries together. The first has half of it and the others share the rest: one that hangs leaves time. */
  readonly deadlineMs: number
  readonly health: ChainHealth
}

export type AskOptions = {
  /** False for a call that is not a read: no endpoint receives it twice. */
  readonly isRepeatable?: boolean
  /** The URL of an endpoint that is not read, at any place in the list. */
  readonly except?: string | undefined
  /** True for a read of the newest block, whose time goes to `sawHead`. */
  readonly isHead?: boolean
}

/** Asks one endpoint. `sawHead`: see EndpointTry. */
export type Attempt<T> = (url: string, signal: AbortSignal, sawHead: EndpointTry['sawHead']) => Promise<T>

/** Whether a chain was not read because its endpoints, which work, would not or could not answer this question. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ChainError && error.cause instanceof EndpointError && error.cause.failure === 'refused'

export const isTooMuch = (error: unknown): boolean => error instanceof ChainError && error.cause instanceof TooMuch

/** Whether a read failed only because the chain has no other endpoint. */
const isLone = (error: unknown): boolean =>
  error instanceof ChainError && error.cause instanceof EndpointError && error.cause.failure === 'none'

/**
 * `read` returns a URL when that endpoint, which may lag, found nothing: another one is read then. Null where that finds nothing
 * either, or the chain has no other.
 */
export const foundByTwo = async <T extends object>(read: (except?: string) => Promise<T | string>): Promise<T | null> => {
  const first = await read()
  if (typeof first === 'object') return first
  try {
    const second = await read(first)
    return typeof second === 'object' ? second : null
  } catch (error) {
    if (isLone(error)) return null
    throw error
  }
}

/** One endpoint of a chain alone. */
export const aloneAt = (endpoints: Endpoints, position: number, url: string): Endpoints => {
  const { health } = endpoints
  const isWell = () => health.isWell(position)
  return {
    ...endpoints,
    urls: async () => [url],
    health: { ...health, order: () => [0], isWell, begin: () => health.begin(position) },
  }
}

/** Long enough for a reset to pass, and by chance, so that those who failed together do not come back together. */
const RETRY_PAUSE = { leastMs: 50, mostMs: 250 } as const

const retryPauseMs = (): number => RETRY_PAUSE.leastMs + Math.random() * (RETRY_PAUSE.mostMs - RETRY_PAUSE.leastMs)

type Failed = { readonly position: number; readonly error: EndpointError }
type Round<T> = { readonly value: T } | { readonly failed: readonly Failed[] }

const askEach = async <T>(
  positions: readonly number[],
  limit: AbortSignal,
  ask: (position: number) => Promise<T>,
): Promise<Round<T>> => {
  const failed: Failed[] = []
  for (const position of positions) {
    if (limit.aborted) break
    try {
      return { value: await ask(position) }
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error
      failed.push({ position, error })
    }
  }
  return { failed }
}

/** Asks one endpoint for no longer than `ms`, and takes note of how it went. `caller` leaving is not its fault. */
const askOne = async <T>(
  health: ChainHealth,
  position: number,
  { ms, limit, caller }: { readonly ms: number; readonly limit: AbortSignal; readonly caller: AbortSignal },
  attempt: (signal: AbortSignal, sawHead: EndpointTry['sawHead']) => Promise<T>,
): Promise<T> => {
  const share = deadline(ms, limit)
  const endpoint = health.begin(position)
  try {
    const value = await attempt(share.signal, endpoint.sawHead)
    endpoint.answered()
    return value
  } catch (error) {
    if (!(error instanceof EndpointError)) endpoint.answered()
    else if (FAULTS.includes(error.failure) && !caller.aborted) endpoint.failed(error.message)
    throw error
  } finally {
    share.clear()
  }
}

/** The preferred endpoint keeps its share of the time even when slow, however many endpoints follow. */
const shareOf = (deadlineMs: number, place: number, count: number): number => {
  if (count <= 1) return deadlineMs
  return Math.ceil(deadlineMs / 2 / (place === 0 ? 1 : count - 1))
}

/** A refusal is more informative than a missing answer. */
const toChainError = (chainId: ChainId, failed: readonly Failed[], isCut: boolean): ChainError => {
  const telling = failed.findLast(({ error }) => error.failure === 'refused') ?? failed.at(-1)
  const error = telling?.error ?? new EndpointError('unreachable', 'no endpoint')
  const failure = isCut || error.failure === 'timeout' ? 'timeout' : 'unreachable'
  return new ChainError(failure, chainId, `chain ${chainId}: ${error.message}`, error)
}

/**
 * Reads the endpoints of a chain, healthy ones first, until one gives a usable answer. When none does, those that failed by a
 * fault are read once more after a moment, within the same deadline; not those that timed out. `attempt` throws EndpointError to
 * pass on to the next; any other error is final. Throws ChainError when none answered in time, with the most informative
 * EndpointError as its cause.
 *
 * Made for reads: an endpoint that broke off may have done all of the call before the next one gets it. Other calls are safe only
 * when repeats have no effect, such as a signed Solana transaction, identified by its signature. Such a call is not
 * `isRepeatable`.
 */
export const askInOrder = async <T>(
  { chainId, urls, deadlineMs, health }: Endpoints,
  caller: AbortSignal,
  attempt: Attempt<T>,
  { isRepeatable = true, except, isHead = false }: AskOptions = {},
): Promise<T> => {
  const candidates = await urls()
  const { signal: limit, clear } = deadline(deadlineMs, caller)
  const asked = health.order(candidates.length, isHead).filter((position) => candidates[position] !== except)
  if (asked.length === 0) throw toChainError(chainId, [{ position: -1, error: new EndpointError('none', 'no endpoint') }], false)
  const ask = (position: number): Promise<T> => {
    const ms = shareOf(deadlineMs, asked.indexOf(position), asked.length)
    return askOne(health, position, { ms, limit, caller }, (signal, sawHead) =>
      attempt(candidates[position] ?? '', signal, sawHead),
    )
  }
  try {
    const first = await askEach(asked, limit, ask)
    if ('value' in first) return first.value
    const faulty = first.failed.filter(({ error }) => isRepeatable && error.failure === 'unreachable')
    if (faulty.length === 0 || limit.aborted) throw toChainError(chainId, first.failed, caller.aborted)
    await pause(retryPauseMs(), limit)
    const second = await askEach(
      faulty.map(({ position }) => position),
      limit,
      ask,
    )
    if ('value' in second) return second.value
    throw toChainError(chainId, [...first.failed, ...second.failed], caller.aborted)
  } finally {
    clear()
  }
}
