import type { Json } from './core/json.ts'

/** Every code a client can meet. Closed: clients branch on it. */
export type ErrorCode =
  | 'INVALID_REQUEST'
  | 'UNSUPPORTED_TOKEN'
  | 'UNSUPPORTED_CHAIN'
  | 'NO_LIQUIDITY'
  | 'QUOTE_EXPIRED'
  | 'QUOTE_INVALID'
  | 'QUOTE_NOT_EXECUTABLE'
  | 'RATE_LIMITED'
  | 'UNAUTHORIZED'
  | 'NOT_CONFIGURED'
  | 'NOT_FOUND'
  | 'INTERNAL'
  | 'ORDER_REJECTED'
  | 'BUILD_FAILED'
  | 'PAYMENT_REQUIRED'
  | 'PAYMENT_PENDING'
  | 'OVERLOADED'

export type ErrorDetails = { readonly [key: string]: Json }

/** One field of a request that cannot be taken, and why, in words for the caller. */
export type FieldProblem = { readonly path: string; readonly reason: string }

/**
 * The only error that the engine throws on purpose. The client receives `publicMessage` and `details` unchanged. So neither may
 * contain a secret, an address of the service or a venue's raw text. `cause` goes to the log only.
 */
export class SwapError extends Error {
  override readonly name = 'SwapError'
  readonly code: ErrorCode
  readonly publicMessage: string
  readonly details: ErrorDetails | null
  /** Venues failed: neither the request nor the service is at fault. */
  readonly isOutage: boolean
  /** A documented answer that asks for a repetition: nothing failed. */
  readonly isRetry: boolean

  constructor(
    code: ErrorCode,
    publicMessage: string,
    options: { details?: ErrorDetails; cause?: unknown; isOutage?: boolean; isRetry?: boolean } = {},
  ) {
    super(publicMessage, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.publicMessage = publicMessage
    this.details = options.details ?? null
    this.isOutage = options.isOutage ?? false
    this.isRetry = options.isRetry ?? code === 'PAYMENT_PENDING'
  }
}

/** How many fields one answer lists, and how many its message names: a client chooses how many it sends. */
export const FIELDS_MAX = 50
const NAMED_MAX = 5

const summary = (fields: readonly FieldProblem[]): string => {
  const named = fields.slice(0, NAMED_MAX).map(({ path }) => path)
  return fields.length > NAMED_MAX ? `${named.join(', ')} and more` : named.join(', ')
}

/** INVALID_REQUEST listing the failing fields. */
export const invalidRequest = (problems: readonly FieldProblem[], cause?: unknown): SwapError => {
  const fields = problems.slice(0, FIELDS_MAX)
  return new SwapError('INVALID_REQUEST', `The request is not valid: ${summary(fields)}.`, { details: { fields }, cause })
}
