import type { Engine } from '../../engine/engine.ts'
import { SwapError } from '../../engine/errors.ts'
import type { EdgeMiddleware } from './requestState.ts'

/** A client without a configured key sends an empty header, which counts as no key. Node joins several with commas. */
const keyIn = (header: string): string | null => (/[^, ]/.test(header) ? header : null)

const keyRequired = (): SwapError =>
  new SwapError('UNAUTHORIZED', 'This operation is about the settings of a key: send the key as x-api-key.')

/**
 * Identifies the caller. Every path rejects an unknown key. The limiter does so after it counted the try for the address, so that
 * made-up keys cannot bypass the limit. A missing key is rejected likewise where it selects the settings.
 */
export const caller =
  (engine: Engine): EdgeMiddleware =>
  async (ctx, next) => {
    const { state, req } = ctx
    const apiKey = state.operation?.isOpen ? null : keyIn(String(req.headers['x-api-key'] ?? ''))
    if (apiKey === null && state.operation?.needsKey) state.refusal = keyRequired()
    try {
      state.caller = await engine.identify(apiKey)
    } catch (error) {
      if (!(error instanceof SwapError && error.code === 'UNAUTHORIZED')) throw error
      state.caller = await engine.identify(null)
      state.refusal = error
    }
    return next()
  }
