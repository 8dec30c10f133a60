import type { Exchange } from '../net/exchanges.ts'

/** Why a venue gave no offer, execution or status: everything the engine needs to know of its errors. */
export type VenueErrorKind =
  | 'unsupportedPair'
  | 'amountTooSmall'
  | 'amountTooLarge'
  | 'noLiquidity'
  | 'badRequest'
  | 'rateLimited'
  | 'unavailable'
  | 'timeout'
  | 'badResponse'
  | 'rejected'

type KindFacts = { readonly isDecline: boolean; readonly isRetryable: boolean; readonly isTrouble: boolean }

const KINDS = {
  unsupportedPair: { isDecline: true, isRetryable: false, isTrouble: false },
  amountTooSmall: { isDecline: true, isRetryable: false, isTrouble: false },
  amountTooLarge: { isDecline: true, isRetryable: false, isTrouble: false },
  noLiquidity: { isDecline: true, isRetryable: true, isTrouble: false },
  badRequest: { isDecline: true, isRetryable: false, isTrouble: false },
  // Neither a decline nor a failure of the venue: our own callers sent too many requests.
  rateLimited: { isDecline: false, isRetryable: true, isTrouble: false },
  unavailable: { isDecline: false, isRetryable: true, isTrouble: true },
  timeout: { isDecline: false, isRetryable: true, isTrouble: true },
  badResponse: { isDecline: false, isRetryable: true, isTrouble: true },
  // A check of ours rejects an answer that has a price, a payload or a status: an event of its own, see VenueErrorOptions.check.
  rejected: { isDecline: false, isRetryable: true, isTrouble: false },
} as const satisfies Record<VenueErrorKind, KindFacts>

/**
 * `boundTooWide`: the guaranteed minimum lies further below the expected output than requested. `senderCannotSign`: the sender's
 * code gives no signature that the venue accepts. `notSold`: a limit of the service, not of the venue.
 */
export type VenueErrorReason = 'boundTooWide' | 'senderCannotSign' | 'notSold'

/**
 * Properties of an error beside its kind. `keyRefused`: the venue rejects our key. `unexplained`: a well-formed refusal with an
 * undocumented code, which is no sign of a failure. `notSent`: the engine sent no call, because the venue keeps failing or asked
 * for a pause. `ownLimit`: the engine sent no call, because a limit of the service is used up.
 */
export type VenueErrorNature = 'keyRefused' | 'unexplained' | 'notSent' | 'ownLimit'

export type VenueErrorOptions = {
  /** Smallest accepted input, in the input token's smallest units, when the venue states it. */
  readonly minimum?: bigint
  /** Largest input amount, likewise. */
  readonly maximum?: bigint
  /** For `badRequest`: the party whose address the venue refused. */
  readonly party?: 'sender' | 'recipient' | 'refundTo' | 'signature' | 'slippageBps'
  /** A more precise reason than the kind, for the caller. */
  readonly reason?: VenueErrorReason
  readonly nature?: VenueErrorNature
  /** For `rejected`: the check that rejects the answer, unique within the venue, in camelCase: `router`, `settler`. */
  readonly check?: string
  /** For `rejected`: the value that the check rejects. Reported to the operator, at most 200 characters. */
  readonly found?: string
  /** For `rateLimited`: how long the venue asks us to wait, ms; null where it states no time. */
  readonly retryAfterMs?: number | null
  readonly cause?: unknown
}

const FOUND_LENGTH_MAX = 200

/** The only error that a venue throws. `message` is for the log: it may quote the venue, and never reaches a client. */
export class VenueError extends Error {
  override readonly name = 'VenueError'
  readonly kind: VenueErrorKind
  readonly minimum: bigint | null
  readonly maximum: bigint | null
  readonly party: NonNullable<VenueErrorOptions['party']> | null
  readonly reason: VenueErrorReason | null
  readonly nature: VenueErrorNature | null
  readonly check: string | null
  readonly found: string | null
  readonly retryAfterMs: number | null
  /** For `rejected`: request and answer of that call. Set by the guard. */
  exchanges: readonly Exchange[] = []

  constructor(kind: VenueErrorKind, message: string, options: VenueErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.minimum = options.minimum ?? null
    this.maximum = options.maximum ?? null
    this.party = options.party ?? null
    this.reason = options.reason ?? null
    this.nature = options.nature ?? null
    this.check = options.check ?? null
    this.found = options.found?.slice(0, FOUND_LENGTH_MAX) ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
  }

  /** A considered refusal of this order. */
  get isDecline(): boolean {
    return KINDS[this.kind].isDecline
  }

  /** The venue failed. Only this counts against its health. */
  get isTrouble(): boolean {
    return KINDS[this.kind].isTrouble
  }

  /** Whether the same request may succeed later without a change. */
  get isRetryable(): boolean {
    return KINDS[this.kind].isRetryable
  }

  /** Whether the engine called the venue. */
  get isSent(): boolean {
    return this.nature !== 'notSent' && this.nature !== 'ownLimit'
  }

  /** The venue fails now and may serve the same order later. */
  get isOutage(): boolean {
    if (this.kind === 'rejected' || this.isDecline || !this.isRetryable) return false
    return this.nature !== 'ownLimit' && this.nature !== 'unexplained'
  }
}

/** A value as a report shows it. */
const shown = (value: unknown): string => {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}` : part)) ?? 'nothing'
  } catch {
    return 'a value that cannot be shown'
  }
}

/** The error of our check that rejects an answer. `found`: the rejected value. */
export const rejected = (check: string, message: string, found: unknown = message): VenueError =>
  new VenueError('rejected', message, { check, found: shown(found) })

/** Words that name a check as its id: camelCase, at most 40 characters. */
export const checkId = (words: string): string =>
  words
    .slice(0, 60)
    .replace(/[^a-zA-Z0-9]+(.)?/g, (_gap, next: string | undefined) => next?.toUpperCase() ?? '')
    .replace(/^[A-Z]/, (first) => first.toLowerCase())
    .slice(0, 40)
