import type { Clock } from '../../engine/core/clock.ts'
import type { EdgeMiddleware, Log } from './requestState.ts'

const PATH_LENGTH_MAX = 200

/**
 * One record per request, written when its response is out or its caller gone. Neither query, body, key nor address is in
 * it: a query may hold a quote token.
 */
export const requestLog =
  (log: Log, clock: Clock): EdgeMiddleware =>
  (ctx, next) => {
    const { req, res } = ctx
    res.once('close', () => {
      const { state } = ctx
      log({
        level: 'info',
        event: 'request',
        requestId: state.requestId,
        method: req.method,
        path: state.path.slice(0, PATH_LENGTH_MAX),
        operationId: state.operation?.operationId ?? null,
        status: res.headersSent ? res.statusCode : null,
        ms: clock.now() - state.startedAt,
        tier: state.caller.tier,
        ...(!res.writableFinished && { aborted: true }),
      })
    })
    return next()
  }
