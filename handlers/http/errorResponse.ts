import { type ErrorCode, SwapError } from '../../engine/errors.ts'
import type { ObserveEdge } from '../../engine/observe/observe.ts'
import { EdgeError } from './edgeError.ts'
import { failureEnvelope } from './envelope.ts'
import type { EdgeContext, EdgeMiddleware } from './requestState.ts'

/** The HTTP status of every code; failures of HTTP itself have their own. */
export const HTTP_STATUS = {
  INVALID_REQUEST: 400,
  UNSUPPORTED_TOKEN: 400,
  UNSUPPORTED_CHAIN: 400,
  QUOTE_INVALID: 400,
  UNAUTHORIZED: 401,
  PAYMENT_REQUIRED: 402,
  NO_LIQUIDITY: 404,
  NOT_FOUND: 404,
  QUOTE_EXPIRED: 410,
  QUOTE_NOT_EXECUTABLE: 422,
  ORDER_REJECTED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  BUILD_FAILED: 502,
  NOT_CONFIGURED: 503,
  PAYMENT_PENDING: 503,
  OVERLOADED: 503,
} as const satisfies Record<ErrorCode, number>

const UNEXPECTED = 'The service failed to handle this request. Report the request id to the operator.'

const statusOf = (error: SwapError): number => (error instanceof EdgeError ? error.status : HTTP_STATUS[error.code])

/** An error and all its causes, for the log only. */
const tell = (error: unknown, withStack: boolean): string => {
  if (!(error instanceof Error)) return String(error)
  const own = (withStack ? error.stack : undefined) ?? `${error.name}: ${error.message}`
  return error.cause === undefined ? own : `${own}\ncaused by ${tell(error.cause, withStack)}`
}

/** True for a refusal before any work: a full queue, which reports itself, or an unconfigured function. */
const isRefusal = ({ code, cause }: SwapError): boolean =>
  code === 'OVERLOADED' || (code === 'NOT_CONFIGURED' && cause === undefined)

/** Answers with the failure envelope. An intended error contains its own text; any other error reveals nothing. */
const answer = (ctx: EdgeContext, thrown: unknown, observe: ObserveEdge): void => {
  const { requestId } = ctx.state
  const error = thrown instanceof SwapError ? thrown : new SwapError('INTERNAL', UNEXPECTED, { cause: thrown })
  const status = statusOf(error)
  const failure = { code: error.code, ...(error.isOutage && { isOutage: true as const }) }
  if (status >= 500 && !isRefusal(error)) {
    const { isOutage, isRetry } = error
    const reason = tell(thrown instanceof SwapError ? (thrown.cause ?? thrown) : thrown, !isOutage && !isRetry)
    observe({ event: 'request.failed', requestId, ...failure, ...(isRetry && { isRetry }), reason })
  }
  const { retryAfterSec, reason: why } = error.details ?? {}
  ctx.state.failure = { ...failure, ...(typeof why === 'string' && { reason: why }) }
  if (typeof retryAfterSec === 'number') ctx.state.headers.push('retry-after', String(retryAfterSec))
  if (error instanceof EdgeError) ctx.state.headers.push(...Object.entries(error.headers).flat())
  const json = failureEnvelope(requestId, { code: error.code, message: error.publicMessage, details: error.details })
  ctx.state.answer = { status, json }
}

/** Turns every later failure into the failure envelope. Koa's default would drop the headers and answer text. */
export const errorResponse =
  (observe: ObserveEdge): EdgeMiddleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      // A client that disconnected is no failure, and can receive no answer.
      if (!ctx.req.socket.destroyed) answer(ctx, error, observe)
    }
  }
