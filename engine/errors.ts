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

export type ErrorDetails = { readonly [key: string]: Json }

/** One field of a request that cannot be taken, and why, in words for the caller. */
export type FieldProblem = { readonly path: string; readonly reason: string }

/**
 * The only error the engine throws on purpose. `publicMessage` and `details` go to the client as they are, so neither
 * may hold a secret, an address of ours or a venue's raw words; `cause` goes to the log only.
 */
export class SwapError extends Error {
  override readonly name = 'SwapError'
  readonly code: ErrorCode
  readonly publicMessage: string
  readonly details: ErrorDetails | null

  constructor(code: ErrorCode, publicMessage: string, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(publicMessage, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.publicMessage = publicMessage
    this.details = options.details ?? null
  }
}

/** INVALID_REQUEST listing each failing field. */
export const invalidRequest = (fields: readonly FieldProblem[], cause?: unknown): SwapError =>
  new SwapError('INVALID_REQUEST', `The request is not valid: ${fields.map(({ path }) => path).join(', ')}.`, {
    details: { fields },
    cause,
  })
