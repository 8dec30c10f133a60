import { type ErrorCode, type ErrorDetails, SwapError } from '../../engine/errors.ts'

type EdgeErrorOptions = {
  readonly details?: ErrorDetails
  readonly headers?: { readonly [name: string]: string }
  readonly cause?: unknown
}

/** A failure of HTTP itself: one of the closed codes, with its own status. */
export class EdgeError extends SwapError {
  readonly status: number
  readonly headers: { readonly [name: string]: string }

  constructor(status: number, code: ErrorCode, publicMessage: string, { headers = {}, ...options }: EdgeErrorOptions = {}) {
    super(code, publicMessage, options)
    this.status = status
    this.headers = headers
  }
}

export const notFound = (): EdgeError => new EdgeError(404, 'NOT_FOUND', 'There is nothing at this path.')

export const methodNotAllowed = (allow: string): EdgeError =>
  new EdgeError(405, 'INVALID_REQUEST', `The method is not allowed here. Allowed: ${allow}.`, { headers: { allow } })
