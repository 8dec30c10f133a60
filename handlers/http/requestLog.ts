import type { Clock } from '../../engine/core/clock.ts'
import { hideKeys } from '../../engine/core/hideKeys.ts'
import type { ObserveEdge } from '../../engine/observe/observe.ts'
import type { EdgeMiddleware } from './requestState.ts'

const PATH_LENGTH_MAX = 200

/** One event per request, reported when its response is sent or its caller gone. */
export const requestLog =
  (observe: ObserveEdge, clock: Clock): EdgeMiddleware =>
  (ctx, next) => {
    const { req, res } = ctx
    res.once('close', () => {
      const { state } = ctx
      observe({
        event: 'request',
        requestId: state.requestId,
        method: req.method,
        path: (state.known ? state.path : hideKeys(state.path)).slice(0, PATH_LENGTH_MAX),
        operationId: state.operation?.operationId ?? null,
        status: res.headersSent ? res.statusCode : null,
        ms: clock.now() - state.startedAt,
        tier: state.caller.tier,
        ...state.failure,
        ...(state.trace && { traceId: state.trace.traceId }),
        ...(!res.writableFinished && { aborted: true }),
      })
    })
    return next()
  }
