import type { Caller } from '../../engine/core/caller.ts'
import type { Engine } from '../../engine/engine.ts'
import { SwapError } from '../../engine/errors.ts'
import type { EdgeMiddleware } from './requestState.ts'

/**
 * Finds out who is asking. A key that nobody knows is refused on every path, but by the limiter and after the address
 * was charged for the try: a made-up key must not be a way around the limit.
 */
export const caller = (engine: Engine, anonymousPerMinute: number): EdgeMiddleware => {
  const anonymous: Caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: anonymousPerMinute }
  return async (ctx, next) => {
    const { state, req } = ctx
    const apiKey = req.headers['x-api-key']
    state.caller = anonymous
    if (apiKey !== undefined && !state.operation?.isOpen) {
      try {
        state.caller = await engine.identify(String(apiKey))
      } catch (error) {
        if (!(error instanceof SwapError && error.code === 'UNAUTHORIZED')) throw error
        state.refusal = error
      }
    }
    return next()
  }
}
