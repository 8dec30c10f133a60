import { SwapError } from '../../engine/errors.ts'
import type { ClientAddress } from './clientAddress.ts'
import { hearOut } from './jsonBody.ts'
import type { EdgeMiddleware } from './requestState.ts'
import { RETRY_AFTER_SECONDS_MAX } from './retryAfter.ts'
import type { Rooms } from './rooms.ts'
import { takeStay } from './stay.ts'

const TEXT = 'The service is busy, and nothing was done. Repeat the same request after the given seconds.'

/** Shared instances: thrown most often under overload, so their stack traces are not needed. */
const prepareRefusals = (): ((retryAfterSec: number) => SwapError) => {
  const refusals = Array.from(
    { length: RETRY_AFTER_SECONDS_MAX },
    (_, at) => new SwapError('OVERLOADED', TEXT, { details: { retryAfterSec: at + 1, retryable: true } }),
  )
  return (retryAfterSec) => refusals[retryAfterSec - 1] as SwapError
}

/**
 * Admits as many requests as there are slots, before any work for them. Until then no body is parsed, no key read, no payment
 * verified and no limit counted. A request without a slot after a short wait receives a time to retry.
 */
export const admission = (rooms: Rooms, clientAddress: ClientAddress): EdgeMiddleware => {
  const overloaded = prepareRefusals()
  return async (ctx, next) => {
    const { state, req } = ctx
    const room = state.operation && rooms.of(state.operation.operationId)
    if (!room) return next()
    await hearOut(ctx)
    state.stay = await takeStay({ room, who: clientAddress(req), leaving: state.leaving, overloaded })
    if (state.stay === null) return
    try {
      await next()
    } finally {
      state.stay.leave()
    }
  }
}
