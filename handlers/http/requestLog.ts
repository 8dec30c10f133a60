import type { Clock } from '../../engine/core/clock.ts'
import type { ObserveEdge } from '../../engine/observe/observe.ts'
import type { EdgeMiddleware } from './requestState.ts'

const PATH_LENGTH_MAX = 200

/** Whoever takes the path for the place of his key must not have it written down. */
const withoutSecrets = (path: string): string => path.replaceAll(/(swk_|swe_|whsec_)[\w-]+/g, '$1…')

/** One event per request, told when its response is out or its caller gone. */
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
        path: (state.known ? state.path : withoutSecrets(state.path)).slice(0, PATH_LENGTH_MAX),
        operationId: state.operation?.operationId ?? null,
        status: res.headersSent ? res.statusCode : null,
        ms: clock.now() - state.startedAt,
        tier: state.caller.tier,
        ...(!res.writableFinished && { aborted: true }),
      })
    })
    return next()
  }
